import type { SystemArea } from '@boxyard/dev-server-client'
import type { Metrics } from '@boxyard/protocol'
import { useEffect, useState } from 'react'
import { measuresOf } from './machineWords.ts'

export interface MachineSectionProps {
  system: Pick<SystemArea, 'onDidMetrics'>
  restart: (() => void) | undefined
}

/** How busy the machine is, asked for as long as this is shown. */
export function MachineSection({ system, restart }: MachineSectionProps) {
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
      {restart && (
        <button type="button" className="boxyard-wide-button" onClick={restart}>
          Restart the machine
        </button>
      )}
    </section>
  )
}
