import type { CompiledForeignFile } from '../common/messages.ts'

interface Place {
  line: number
  column: number
}

/** What of the package `@mdx-js/mdx` is used here. */
export interface MdxCompiler {
  compile(
    file: { path: string; value: string },
    options: { jsxImportSource: string; development: boolean; SourceMapGenerator: typeof PlainMap },
  ): Promise<{ value: unknown; map?: unknown }>
}

/** Takes in where parts of a script come from, lines from 1 and columns from 0, and gives a source map that is not packed. */
class PlainMap {
  readonly #file: string
  readonly #lines: (number[][] | undefined)[] = []

  constructor({ file }: { file: string }) {
    this.#file = file
  }

  addMapping({ generated, original }: { generated: Place; original: Place }): void {
    const line = (this.#lines[generated.line - 1] ??= [])
    line.push([generated.column, 0, original.line - 1, original.column])
  }

  toJSON(): object {
    const mappings = Array.from(this.#lines, (line) => line ?? [])
    return { version: 3, names: [], sources: [this.#file], mappings }
  }
}

/** Compiles MDX to a script whose default export is the component. */
export async function compileMdx(
  compiler: MdxCompiler,
  path: string,
  text: string,
  jsxImportSource: string,
): Promise<CompiledForeignFile> {
  const options = { jsxImportSource, development: false, SourceMapGenerator: PlainMap }
  const made = await compiler.compile({ path, value: text }, options)
  return { script: String(made), css: '', ...(made.map ? { map: JSON.stringify(made.map) } : {}) }
}
