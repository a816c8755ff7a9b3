import { LEAST_UPPER_BOUND, originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import type { ScriptPlace } from './pageProblem.ts'

type Place = Pick<ScriptPlace, 'line' | 'column'>

/** The place that a script which is at hand was made from, by the map inside of it; null where there is none. */
export function placeBefore(script: string, { line, column }: Place): Place | null {
  const data = [...script.matchAll(/\/\/# sourceMappingURL=data:application\/json;base64,(\S+)/g)].at(-1)?.[1]
  if (data === undefined) return null
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
  const map = new TraceMap(new TextDecoder().decode(bytes))
  const at = { line, column: Math.max(0, column - 1) }
  const before = originalPositionFor(map, at)
  // Some compilers only say where names come from: then it is the next one of the line.
  const found = before.source === null ? originalPositionFor(map, { ...at, bias: LEAST_UPPER_BOUND }) : before
  return found.source === null ? null : { line: found.line, column: found.column + 1 }
}

/** The place in the text that a script of this page was made from, by its source map; null where there is none. */
export async function originalPlace({
  address,
  line,
  column,
}: ScriptPlace): Promise<Pick<ScriptPlace, 'address' | 'line' | 'column'> | null> {
  try {
    const script = await (await fetch(address)).text()
    const reference = [...script.matchAll(/\/\/[#@] sourceMappingURL=(\S+)/g)].at(-1)?.[1]
    if (!reference) return null
    const at = reference.startsWith('data:') ? address : new URL(reference, address).href
    const map = new TraceMap(await (await fetch(new URL(reference, address))).text(), at.replace(/\?.*$/, ''))
    const found = originalPositionFor(map, { line, column: Math.max(0, column - 1) })
    if (found.source === null) return null
    return { address: found.source, line: found.line, column: found.column + 1 }
  } catch {
    // A map that is missing or broken: the place in the script itself is what there is.
    return null
  }
}
