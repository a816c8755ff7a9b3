import type { ReactNode } from 'react'
import { Mark } from '../shell/Mark.tsx'

/** One question on a page of its own. */
export function CenteredPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="flex min-h-dvh items-center justify-center p-3">
      <section className="flex w-full max-w-[400px] flex-col gap-4 rounded-dialog border border-line-strong bg-panel p-6">
        <Mark size={28} />
        <h1 className="text-20 font-semibold">{title}</h1>
        {children}
      </section>
    </main>
  )
}
