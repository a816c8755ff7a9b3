import remapping from '@jridgewell/remapping'
import { extensionOf } from '../common/projectFiles.ts'
import { CompileError } from './errors.ts'
import type { Oxc } from './oxc.ts'

export interface CompiledScript {
  /** Body of an async function, with a source map behind it. */
  code: string
  /** What it imports, as written, in no order. */
  imports: readonly string[]
}

export interface ScriptOptions {
  jsxImportSource: string
  /** Where `code` came from when it was compiled from something else before. */
  map?: string
}

const LANGUAGES: Readonly<Record<string, 'js' | 'jsx' | 'ts' | 'tsx'>> = { '.ts': 'ts', '.mts': 'ts', '.tsx': 'tsx' }

/** Compiles TypeScript and JSX, with what fast refresh needs, to the form that the module runner runs. */
export function compileScript(oxc: Oxc, id: string, text: string, options: ScriptOptions): CompiledScript {
  const path = id.split('?', 1)[0]!
  const isReact = options.jsxImportSource === 'react'
  const first = oxc.transformSync(path, text, {
    // JSX is understood in plain JavaScript too, as people write it.
    lang: LANGUAGES[extensionOf(path)] ?? 'jsx',
    jsx: { runtime: 'automatic', development: true, refresh: isReact, importSource: options.jsxImportSource },
    sourcemap: true,
  })
  failOn(first.errors, id, text)
  const expanded = first.code
  const second = oxc.moduleRunnerTransformSync(path, expanded, { sourcemap: true })
  failOn(second.errors, id, text)
  const maps = [second.map, first.map].filter((map) => map !== undefined)
  const map = remapping(maps as never, () => null)
  map.sources = [path]
  map.sourcesContent = [text]
  return { code: `${second.code}\n${inlineMap(map.toString())}`, imports: [...second.deps, ...second.dynamicDeps] }
}

/** The name debuggers show comes in front; the body is preceded by two lines of the function that is made of it. */
function inlineMap(map: string): string {
  const { mappings, ...rest } = JSON.parse(map) as { mappings: string }
  const bytes = new TextEncoder().encode(JSON.stringify({ ...rest, mappings: `;;${mappings}` }))
  let text = ''
  for (let start = 0; start < bytes.length; start += 0x8000)
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000))
  return `//# sourceMappingURL=data:application/json;base64,${btoa(text)}`
}

function failOn(
  errors: readonly { message: string; codeframe: string | null; labels: readonly { start: number }[] }[],
  id: string,
  text: string,
): void {
  const error = errors[0]
  if (!error) return
  const start = error.labels[0]?.start
  const before =
    start === undefined ? undefined : new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, start))
  throw new CompileError({
    message: error.message,
    file: id.split('?', 1)[0]!,
    line: before === undefined ? null : before.split('\n').length,
    column: before === undefined ? null : before.length - before.lastIndexOf('\n'),
    frame: error.codeframe,
  })
}
