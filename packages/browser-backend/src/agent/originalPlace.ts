import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import type { ScriptPlace } from './pageProblem.ts'

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
