import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from './classNames.ts'
import { Kbd } from './Kbd.tsx'

export interface DropdownMenuProps {
  /** One element that can take focus. */
  trigger: ReactNode
  align?: 'start' | 'center' | 'end'
  children: ReactNode
}

/** Shows at most ten rows of 31.5 px; more of them scroll. */
export function DropdownMenu({ trigger, align = 'start', children }: DropdownMenuProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="animate-open z-50 max-h-[calc(31.5px*10+10px)] min-w-48 overflow-y-auto rounded-menu border border-line-strong bg-raised p-1 text-13 text-text shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export interface DropdownMenuItemProps {
  onSelect: () => void
  icon?: ReactNode
  shortcut?: string
  disabled?: boolean
  danger?: boolean
  children: ReactNode
}

export function DropdownMenuItem({ onSelect, icon, shortcut, disabled, danger, children }: DropdownMenuItemProps) {
  return (
    <Radix.Item
      disabled={disabled ?? false}
      onSelect={onSelect}
      className={classNames(
        'flex min-h-[31.5px] cursor-pointer items-center gap-2 rounded-control px-2 outline-none data-disabled:cursor-default data-disabled:text-faint data-highlighted:bg-hover pointer-coarse:min-h-10',
        danger && 'text-danger',
      )}
    >
      {icon && <span className="flex w-4 justify-center text-quiet">{icon}</span>}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {shortcut && <Kbd>{shortcut}</Kbd>}
    </Radix.Item>
  )
}

export function DropdownMenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 py-1 text-12 text-quiet">{children}</Radix.Label>
}

export function DropdownMenuSeparator() {
  return <Radix.Separator className="my-1 h-px bg-line" />
}
