import { useId } from 'react'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import { classNames } from './classNames.ts'

export interface InputProps extends ComponentPropsWithRef<'input'> {
  label: string
  /** Keeps the label for screen readers only. */
  hideLabel?: boolean
  variant?: 'base' | 'alert' | 'error'
  /** A sentence below the field; with `error` it is read aloud as soon as it appears. */
  hint?: ReactNode
}

const borders = {
  base: 'border-line-strong',
  alert: 'border-warning',
  error: 'border-danger',
}
const hints = { base: 'text-quiet', alert: 'text-warning', error: 'text-danger' }

export function Input({ label, hideLabel, variant = 'base', hint, className, id, ...rest }: InputProps) {
  const ownId = useId()
  const inputId = id ?? ownId
  const hintId = `${inputId}-hint`
  return (
    <div className={classNames('flex flex-col gap-1', className)}>
      <label htmlFor={inputId} className={hideLabel ? 'sr-only' : 'text-12 text-quiet'}>
        {label}
      </label>
      <input
        spellCheck={false}
        autoComplete="off"
        {...rest}
        id={inputId}
        aria-invalid={variant === 'error' || undefined}
        aria-describedby={hint ? hintId : undefined}
        className={classNames(
          'h-8 w-full min-w-0 rounded-control border bg-ground px-2 text-13 text-text placeholder:text-faint read-only:bg-panel disabled:bg-panel disabled:text-faint pointer-coarse:h-10 pointer-coarse:text-16',
          borders[variant],
        )}
      />
      {hint && (
        <p
          id={hintId}
          role={variant === 'error' ? 'alert' : undefined}
          className={classNames('text-12', hints[variant])}
        >
          {hint}
        </p>
      )}
    </div>
  )
}
