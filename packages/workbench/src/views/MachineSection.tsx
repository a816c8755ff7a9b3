import type { SystemArea } from '@boxyard/dev-server-client'
import type { Metrics } from '@boxyard/protocol'
import { useEffect, useState } from 'react'
import type { BoxServices } from '../index.ts'
import { MachineSizes } from './MachineSizes.tsx'
import { measuresOf } from './machineWords.ts'

export interface MachineSectionProps {
  system: Pick<SystemArea, 'onDidMetrics'>
  sizes: BoxServices['sizes']
  restart: (() => void) | undefined
}

/** How busy the machine is, asked for as long as this is shown, and how large. */
export function MachineSection({ system, sizes, restart }: MachineSectionProps) {
  const [metrics, setMetrics] = useState<Metrics>()
  useEffect(() => {
    const subscription = system.onDidMetrics(setMetrics)
    return () => subscription.dispose()
  }, [system])
  return (
    <section aria-label="Machine">
      <h2>Machine</h2>
      {metrics ? (
        <ul>
          {measuresOf(metrics).map(({ name, words, share }) => (
            <li key={name} className="boxyard-measure">
              <span>{name}</span>
              <span className="boxyard-status">{words}</span>
              <meter aria-label={`${name}: ${words}`} min={0} max={1} low={0.7} high={0.9} optimum={0} value={share} />
            </li>
          ))}
        </ul>
      ) : (
        <p className="boxyard-quiet">Measuring.</p>
      )}
      {sizes && <MachineSizes sizes={sizes} />}
      {restart && (
        <button type="button" className="boxyard-wide-button" onClick={restart}>
          Restart the machine
        </button>
      )}
    </section>
  )
}
