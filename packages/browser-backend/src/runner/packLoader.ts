import type { RunnerPack } from '../common/messages.ts'
import type { Namespace } from './moduleGraph.ts'

/**
 * Loads parts of a pack from `base`, an address, and gives CommonJS modules the shape that imports expect. A worker has no page, and takes
 * no styles.
 */
export function packLoader(pack: RunnerPack | null, base: string, page: Document | null) {
  const loaded = new Map<string, Promise<Namespace>>()
  const addressOf = (file: string) => `${base}${pack?.id}/${file}`
  const preload = () => {
    if (!page) return
    for (const file of new Set(
      Object.values(pack?.imports ?? {}).flatMap(({ file, chunks }) => [...(file ? [file] : []), ...chunks]),
    )) {
      const link = page.createElement('link')
      link.rel = 'modulepreload'
      link.href = addressOf(file)
      page.head.append(link)
    }
  }
  const load = async (specifier: string): Promise<Namespace> => {
    const part = pack?.imports[specifier]
    if (!part) throw new Error(`"${specifier}" is not packed for this page`)
    if (part.css !== null && page) {
      const link = page.createElement('link')
      link.rel = 'stylesheet'
      link.href = addressOf(part.css)
      page.head.prepend(link)
    }
    if (part.file === null) return {}
    const module = (await import(/* @vite-ignore */ addressOf(part.file))) as Namespace
    return part.interop === 'cjs' ? interop(module['default']) : module
  }
  return {
    preload,
    load(specifier: string): Promise<Namespace> {
      const known = loaded.get(specifier) ?? load(specifier)
      loaded.set(specifier, known)
      return known
    },
  }
}

/** `module.exports` as a namespace: its members by name, and as default itself, or what it calls its default. */
export function interop(exported: unknown): Namespace {
  const isObject = (typeof exported === 'object' && exported !== null) || typeof exported === 'function'
  const isCompiled = isObject && (exported as Namespace)['__esModule'] === true
  const fallback = isCompiled && 'default' in (exported as Namespace) ? (exported as Namespace)['default'] : exported
  if (!isObject) return { default: exported }
  const members = typeof exported === 'function' ? Object.entries(exported) : Object.entries(exported as Namespace)
  return { ...Object.fromEntries(members), default: fallback }
}
