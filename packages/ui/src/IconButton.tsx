import type { ButtonProps } from './Button.tsx'
import { Button } from './Button.tsx'
import { classNames } from './classNames.ts'
import { Tooltip } from './Tooltip.tsx'

export interface IconButtonProps extends Omit<ButtonProps, 'aria-label' | 'title'> {
  /** Says what the button does: read aloud, and shown as its tooltip. */
  label: string
}

export function IconButton({ label, variant = 'quiet', className, children, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <Button
        {...rest}
        variant={variant}
        aria-label={label}
        className={classNames('aspect-square !px-0 pointer-coarse:min-w-10', className)}
      >
        {children}
      </Button>
    </Tooltip>
  )
}
