import { extensionOf } from '../common/projectFiles.ts'
import type { ProjectFiles } from '../common/projectFiles.ts'

/** Kinds of files that name classes. */
const KINDS = new Set(
  ['html', 'js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'tsx', 'vue', 'svelte', 'md', 'mdx', 'astro'].map(
    (kind) => `.${kind}`,
  ),
)
/** A run of characters that may be one name: what stands in brackets may be anything but blanks. */
const NAME = /(?:[^\s"'`<>{}()[\]=;,]|\[[^\s\][]*(?:\[[^\s\][]*\][^\s\][]*)*\]|\([^\s()]*(?:\([^\s()]*\)[^\s()]*)*\))+/g

interface Known {
  content: string
  names: readonly string[]
}

/**
 * What may be a name of a class in the files of a project. It has every name that stands somewhere as a whole, and much else besides: what
 * is no class has no style.
 */
export class ClassNames {
  #known = new Map<string, Known>()

  /** The files that the names came from. */
  get sources(): string[] {
    return [...this.#known.keys()]
  }

  /** Files that are as they were are not read again. */
  of(files: ProjectFiles): string[] {
    const known = new Map<string, Known>()
    for (const [path, content] of files) {
      if (typeof content !== 'string' || !KINDS.has(extensionOf(path)) || path.endsWith('.d.ts')) continue
      const before = this.#known.get(path)
      known.set(path, before?.content === content ? before : { content, names: classNamesIn(content) })
    }
    this.#known = known
    return [...new Set([...known.values()].flatMap(({ names }) => names))]
  }
}

export function classNamesIn(text: string): string[] {
  const names = new Set<string>()
  for (const [found] of text.matchAll(NAME)) {
    // `hidden:` is a key, `flex.` ends a sentence, `class:flex` is Svelte's.
    const name = found.replace(/^class:/, '').replace(/[:.]+$/, '')
    // What stands in brackets with quotes may be a list of names.
    const [before = '', ...quoted] = found.split(/["'`]/)
    if (quoted.length > 0)
      for (const part of [before, ...quoted]) for (const inner of classNamesIn(part)) names.add(inner)
    if (/^[@!*\-[a-z0-9]/i.test(name) && name.length <= 300) names.add(name)
  }
  return [...names]
}
