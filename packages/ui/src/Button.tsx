import type { ComponentPropsWithRef } from 'react'
import { buttonClass } from './buttonClass.ts'
import type { ButtonSize, ButtonVariant } from './buttonClass.ts'
import { classNames } from './classNames.ts'
import { Spinner } from './Spinner.tsx'

export interface ButtonProps extends ComponentPropsWithRef<'button'> {
  variant?: ButtonVariant
  size?: ButtonSize
  /** Hides the label, keeps the width, and shows that work is going on. A loading button can't be pressed. */
  loading?: boolean
}

export function Button({ variant, size, loading = false, disabled, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || loading}
      aria-busy={loading || undefined}
      className={buttonClass(variant, size, className)}
    >
      <span className={classNames('inline-flex min-w-0 items-center gap-2', loading && 'opacity-0')}>{children}</span>
      {loading && <Spinner className="absolute" />}
    </button>
  )
}
