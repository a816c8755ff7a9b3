import { codedError } from '../nodeError.ts'
import { wrongType } from './check.ts'
import { SIGNALS } from '../../common/signals.ts'

/** The name of a signal that is given by its name or its number; `0` asks only whether somebody is there. */
export function signalName(given: unknown): string {
  if (given === 0) return '0'
  const found =
    typeof given === 'string'
      ? Object.keys(SIGNALS).find((name) => name === given.toUpperCase())
      : Object.entries(SIGNALS).find(([, number]) => number === given)?.[0]
  if (found !== undefined) return found
  if (typeof given !== 'string' && typeof given !== 'number')
    throw wrongType('signal', 'one of type string or number', given)
  throw codedError('ERR_UNKNOWN_SIGNAL', `Unknown signal: ${given}`, TypeError)
}
