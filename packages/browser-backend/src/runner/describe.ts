import { placeBefore } from '../agent/originalPlace.ts'
import { fileOfScript, placesOf } from '../agent/pageProblem.ts'
import type { ProjectProblem } from '../common/messages.ts'
import { moduleCodes } from './moduleCodes.ts'

/** A value as one line of a console. */
export function describeValue(value: unknown, depth = 0, most = 50): string {
  if (typeof value === 'string') return depth === 0 ? value : JSON.stringify(value)
  if (value instanceof Error) return value.stack ?? String(value)
  if (typeof value === 'function') return `[Function ${value.name || 'anonymous'}]`
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? `${value}n` : String(value)
  if (typeof Element !== 'undefined' && value instanceof Element) return `<${value.tagName.toLowerCase()}>`
  if (depth > 2) return Array.isArray(value) ? '[…]' : '{…}'
  if (Array.isArray(value)) {
    const shown = value.slice(0, most).map((member) => describeValue(member, depth + 1, most))
    return `[${shown.join(', ')}${value.length > most ? ', …' : ''}]`
  }
  const entries = Object.entries(value).slice(0, most)
  const name = (value as object).constructor?.name
  const members = entries.map(([key, member]) => `${key}: ${describeValue(member, depth + 1, most)}`).join(', ')
  return `${name && name !== 'Object' ? `${name} ` : ''}{${members}}`
}

/** What went wrong while the page ran, with the place in the project that it points to. */
export function problemOfError(error: unknown, origin: string): ProjectProblem {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : `Uncaught: ${describeValue(error)}`
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  // Places in the pack and in the runner are no files of the project.
  const own = placesOf(stack).find(({ address }) => fileOfScript(address, origin) !== null)
  const code = own && moduleCodes.get(own.address)
  const place = own && code !== undefined ? placeBefore(code, own) : null
  return {
    message,
    file: own ? fileOfScript(own.address, origin) : null,
    line: place?.line ?? null,
    column: place?.column ?? null,
    frame: stack === '' ? null : stack.split('\n').slice(0, 12).join('\n'),
  }
}
