import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import { useId } from 'react'
import type { ReactNode } from 'react'

export interface SelectProps {
  label: string
  value: string
  onValueChange: (value: string) => void
  options: readonly { value: string; label: ReactNode }[]
  disabled?: boolean
}

export function Select({ label, value, onValueChange, options, disabled }: SelectProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-12 text-quiet">
        {label}
      </label>
      <Radix.Root value={value} onValueChange={onValueChange} disabled={disabled ?? false}>
        <Radix.Trigger
          id={id}
          className="flex h-8 w-full cursor-pointer items-center justify-between gap-2 rounded-control border border-line-strong bg-ground px-2 text-13 text-text disabled:text-faint pointer-coarse:h-10"
        >
          <Radix.Value />
          <Radix.Icon>
            <ChevronDown aria-hidden size={16} strokeWidth={1.5} className="text-quiet" />
          </Radix.Icon>
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            position="popper"
            sideOffset={4}
            collisionPadding={8}
            className="animate-open z-50 max-h-80 min-w-(--radix-select-trigger-width) overflow-hidden rounded-menu border border-line-strong bg-raised p-1 text-13 text-text shadow-float"
          >
            <Radix.Viewport>
              {options.map((option) => (
                <Radix.Item
                  key={option.value}
                  value={option.value}
                  className="flex min-h-[31.5px] cursor-pointer items-center gap-2 rounded-control px-2 outline-none data-highlighted:bg-hover pointer-coarse:min-h-10"
                >
                  <span className="min-w-0 flex-1 truncate">
                    <Radix.ItemText>{option.label}</Radix.ItemText>
                  </span>
                  <Radix.ItemIndicator>
                    <Check aria-hidden size={16} strokeWidth={1.5} />
                  </Radix.ItemIndicator>
                </Radix.Item>
              ))}
            </Radix.Viewport>
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </div>
  )
}
