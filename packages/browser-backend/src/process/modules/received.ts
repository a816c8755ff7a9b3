import { inspect } from 'node-inspect-extracted'

/** How Node names what it was given. */
export function received(given: unknown): string {
  if (given === null || given === undefined) return ` Received ${given}`
  if (typeof given === 'function') return ` Received function ${given.name}`
  if (typeof given === 'object') {
    const { name } = (given as object).constructor ?? {}
    return name ? ` Received an instance of ${name}` : ` Received ${inspect(given, { depth: -1 })}`
  }
  const shown: string = inspect(given, { colors: false })
  return ` Received type ${typeof given} (${shown.length > 28 ? `${shown.slice(0, 25)}...` : shown})`
}
