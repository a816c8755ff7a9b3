import type { ReactNode } from 'react'

export function SettingsSection({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-16 font-semibold">{title}</h2>
      <p className="text-quiet">{text}</p>
      {children}
    </section>
  )
}
