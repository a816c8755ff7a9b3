import { useEffect, useState } from 'react'
import { duration } from './startView.ts'

/** The time that a phase has taken, counted up while it runs. `soFar` in milliseconds; give a new key for a new phase. */
export function RunningTime({ soFar }: { soFar: number }) {
  const [shown, setShown] = useState(soFar)
  useEffect(() => {
    const began = performance.now() - soFar
    const timer = setInterval(() => setShown(performance.now() - began), 1000)
    return () => clearInterval(timer)
  }, [soFar])
  // Nothing for the first second: most phases are over by then.
  return shown < 1000 ? null : <>{duration(Math.floor(shown / 1000) * 1000)}</>
}
