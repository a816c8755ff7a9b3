import type { CompiledForeignFile } from '../common/messages.ts'
import { CompileError } from './errors.ts'

/** Blocks of style at the top of a component; no language of components lets them stand inside of each other. */
const BLOCK = /(<style\b[^>]*?)\blang=(["'])(scss|sass)\2([^>]*>)([\s\S]*?)(?=<\/style>)/g

export interface PlainStyles {
  text: string
  /** The other files that the styles are made of. */
  includes: readonly string[]
}

/**
 * A component whose styles in Sass are compiled to CSS, which is all that the compilers of frameworks know. `compile` gets each block as
 * a file beside the component.
 */
export async function plainStyles(
  path: string,
  text: string,
  compile: (path: string, text: string) => Promise<CompiledForeignFile>,
): Promise<PlainStyles> {
  const includes = new Set<string>()
  let made = ''
  let end = 0
  for (const match of text.matchAll(BLOCK)) {
    const [whole, before = '', , language = '', after = '', content = ''] = match
    const lines = text.slice(0, match.index + whole.length - content.length).split('\n').length - 1
    const compiled = await inComponent(path, language, lines, (block) => compile(block, content))
    for (const include of compiled.includes ?? []) includes.add(include)
    made += `${text.slice(end, match.index)}${before}${after}\n${compiled.css}\n`
    end = match.index + whole.length
  }
  return { text: made + text.slice(end), includes: [...includes] }
}

/** A mistake in a block is told where it is in the component. */
async function inComponent(
  path: string,
  language: string,
  linesBefore: number,
  compile: (block: string) => Promise<CompiledForeignFile>,
): Promise<CompiledForeignFile> {
  const block = `${path}.${language}`
  try {
    return await compile(block)
  } catch (error) {
    if (!(error instanceof CompileError) || error.problem.file !== block) throw error
    const { line } = error.problem
    throw new CompileError({ ...error.problem, file: path, line: line === null ? null : line + linesBefore })
  }
}
