import type { ReactNode } from 'react'

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="rounded-control border border-line-strong bg-panel px-1 font-sans text-12 leading-4 text-quiet">
      {children}
    </kbd>
  )
}
