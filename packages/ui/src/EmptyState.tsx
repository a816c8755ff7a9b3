import type { ReactNode } from 'react'

export interface EmptyStateProps {
  icon?: ReactNode
  title: string
  /** What will be here, and how it comes to be. */
  children: ReactNode
  action?: ReactNode
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <section className="flex flex-col items-center gap-3 rounded-dialog border border-dashed border-line-strong px-6 py-12 text-center">
      {icon && <div className="text-quiet">{icon}</div>}
      <h2 className="text-16 font-semibold">{title}</h2>
      <div className="max-w-prose text-quiet">{children}</div>
      {action && <div className="mt-2">{action}</div>}
    </section>
  )
}
