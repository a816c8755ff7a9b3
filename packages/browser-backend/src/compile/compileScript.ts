import { FlattenMap } from '@jridgewell/trace-mapping'
import remapping from '@jridgewell/remapping'
import { extensionOf } from '../common/projectFiles.ts'
import { CompileError } from './errors.ts'
import type { Oxc } from './oxc.ts'

export interface CompiledScript {
  /** Body of an async function, with a source map behind it. */
  code: string
  /** What it imports, as written, in no order. */
  imports: readonly string[]
  /** The scripts of workers that it starts, as written. */
  workers: readonly string[]
}

export interface ScriptOptions {
  jsxImportSource: string
  /** What stands for names: expressions. */
  define: Readonly<Record<string, string>>
}

/** What a text was before it was compiled from something else, and the source map between them. */
export interface Before {
  path: string
  text: string
  /** May be made of sections. */
  map: string
}

const WORKER = /\bnew Worker\(\s*new URL\(\s*(["'`])([^"'`$]+)\1,\s*import\.meta\.url\s*\)/g
const LANGUAGES: Readonly<Record<string, 'js' | 'jsx' | 'ts' | 'tsx'>> = { '.ts': 'ts', '.mts': 'ts', '.tsx': 'tsx' }

/** Compiles TypeScript and JSX, with what fast refresh needs, to the form that the module runner runs. */
export function compileScript(
  oxc: Oxc,
  id: string,
  text: string,
  options: ScriptOptions,
  before?: Before,
): CompiledScript {
  const path = id.split('?', 1)[0]!
  // Whether React or Preact is what runs the page finds out: where JSX comes from may be a package around either. Solid has its own way.
  const refresh = options.jsxImportSource !== 'solid-js'
  const first = oxc.transformSync(path, text, {
    // JSX is understood in plain JavaScript too, as people write it.
    lang: LANGUAGES[extensionOf(path)] ?? 'jsx',
    jsx: { runtime: 'automatic', development: true, refresh, importSource: options.jsxImportSource },
    define: options.define,
    sourcemap: true,
  })
  failOn(first.errors, id, text)
  const expanded = first.code
  const second = oxc.moduleRunnerTransformSync(path, expanded, { sourcemap: true })
  failOn(second.errors, id, text)
  const maps = [second.map, first.map, before && new FlattenMap(before.map)].filter((map) => map !== undefined)
  const map = remapping(maps as never, () => null)
  // Compilers name the file each in its own way, and maybe more than once.
  map.sources = map.sources.map(() => before?.path ?? path)
  map.sourcesContent = map.sources.map(() => before?.text ?? text)
  // The name debuggers show comes in front; the body is preceded by two lines of the function that is made of it.
  if (typeof map.mappings === 'string') map.mappings = `;;${map.mappings}`
  return {
    code: `${second.code}\n${inlineMap(map.toString())}`,
    imports: [...second.deps, ...second.dynamicDeps],
    workers: workersIn(expanded),
  }
}

/** As written, but for what lines of comments name. */
function workersIn(text: string): string[] {
  return [...text.matchAll(WORKER)]
    .filter(({ index }) => !/^\s*(?:\/\/|\/?\*)/.test(text.slice(text.lastIndexOf('\n', index) + 1, index)))
    .map((match) => match[2]!)
}

/** The text with its JSX, and without the types. */
export function withoutTypes(oxc: Oxc, path: string, text: string): { code: string; map: string } {
  const lang = LANGUAGES[extensionOf(path)] ?? 'jsx'
  const { code, map, errors } = oxc.transformSync(path, text, { lang, jsx: 'preserve', sourcemap: true })
  failOn(errors, path, text)
  return { code, map: JSON.stringify(map) }
}

/** A text of ASCII alone, which base64 takes as it is: every change of a file waits for this. */
function inlineMap(map: string): string {
  const ascii = map.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `//# sourceMappingURL=data:application/json;base64,${btoa(ascii)}`
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
