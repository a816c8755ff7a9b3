import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

export interface ErrorStateProps {
  /** What happened. */
  title: string
  /** More about what happened. */
  children?: ReactNode
  /** What is safe. */
  safe?: ReactNode
  /** What to do next: the actions as buttons. */
  actions?: ReactNode
  /** The small print: logs, codes. */
  details?: ReactNode
}

export function ErrorState({ title, children, safe, actions, details }: ErrorStateProps) {
  return (
    <section role="alert" className="flex w-full flex-col gap-3 rounded-dialog border border-line-strong bg-panel p-6">
      <h2 className="flex items-start gap-2 text-16 font-semibold">
        <CircleAlert aria-hidden size={20} strokeWidth={1.5} className="shrink-0 text-danger" />
        {title}
      </h2>
      {children && <div className="text-quiet">{children}</div>}
      {safe && <p>{safe}</p>}
      {actions && <div className="flex flex-wrap gap-2 pt-1">{actions}</div>}
      {details}
    </section>
  )
}
