import { useEffect, useState } from 'react'
import type { BoxServices, PortVisibility } from '../index.ts'
import { report } from '../status/report.ts'

export interface PortVisibilities {
  of(port: number): PortVisibility | null
  set(port: number, visibility: PortVisibility | null): void
}

/** Who may look at which port; undefined where this person can't choose it, or it is not known yet. */
export function usePortVisibility(ports: BoxServices['ports']): PortVisibilities | undefined {
  const [chosen, setChosen] = useState<ReadonlyMap<number, PortVisibility>>()
  useEffect(() => {
    ports?.list().then(setChosen, (error: unknown) => report('Who may look at the ports is not known', error))
  }, [ports])
  if (!ports || !chosen) return undefined
  return {
    of: (port) => chosen.get(port) ?? null,
    set: (port, visibility) => {
      ports.set(port, visibility).then(setChosen, (error: unknown) => report(`Port ${port} stays as it was`, error))
    },
  }
}
