import { Check, Minus } from 'lucide-react'
import { Checkbox as Radix } from 'radix-ui'
import { useId } from 'react'
import type { ReactNode } from 'react'

export interface CheckboxProps {
  checked: boolean | 'indeterminate'
  onCheckedChange: (checked: boolean) => void
  disabled?: boolean
  children: ReactNode
}

export function Checkbox({ checked, onCheckedChange, disabled, children }: CheckboxProps) {
  const id = useId()
  return (
    <div className="flex items-center gap-2 pointer-coarse:min-h-10">
      <Radix.Root
        id={id}
        checked={checked}
        disabled={disabled ?? false}
        onCheckedChange={(next) => onCheckedChange(next === true)}
        className="group flex size-4 shrink-0 cursor-pointer items-center justify-center rounded-control border border-line-strong bg-ground data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent"
      >
        <Radix.Indicator className="text-on-accent">
          <Check aria-hidden size={12} strokeWidth={2.5} className="group-data-[state=indeterminate]:hidden" />
          <Minus aria-hidden size={12} strokeWidth={2.5} className="hidden group-data-[state=indeterminate]:block" />
        </Radix.Indicator>
      </Radix.Root>
      <label htmlFor={id} className="cursor-pointer">
        {children}
      </label>
    </div>
  )
}
