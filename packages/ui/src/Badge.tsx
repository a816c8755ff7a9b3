import type { ReactNode } from 'react'
import { classNames } from './classNames.ts'

const tones = {
  neutral: 'border-line-strong text-quiet',
  success: 'border-success text-success',
  warning: 'border-warning text-warning',
  danger: 'border-danger text-danger',
}

export function Badge({ tone = 'neutral', children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex h-5 items-center gap-1 rounded-control border px-1.5 text-12 whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}
