import type { ReactNode } from 'react'
import { classNames } from './classNames.ts'

const tones = { info: 'border-l-link', warning: 'border-l-warning', error: 'border-l-danger' }

/** One line across the page that says what state it is in, with what can be done about it. */
export function Banner({
  tone,
  actions,
  children,
}: {
  tone: keyof typeof tones
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <div
      role="status"
      className={classNames(
        'flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-l-3 border-b-line bg-raised px-3 py-1.5 text-13',
        tones[tone],
      )}
    >
      <span className="min-w-0 flex-1 basis-60">{children}</span>
      {actions && <span className="flex gap-2">{actions}</span>}
    </div>
  )
}
