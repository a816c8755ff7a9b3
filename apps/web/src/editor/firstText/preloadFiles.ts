/** What an editor page needs, by names below the root. The build knows them. */
export interface EditorFiles {
  fonts: readonly string[]
  scripts: readonly string[]
  styles: readonly string[]
  fetched: readonly string[]
}

/**
 * Asks for the fonts of the first text. Text without its font waits for the system's answer about another one, which comes through the
 * threads that parse scripts.
 */
export function preloadFonts({ fonts }: EditorFiles): void {
  for (const name of fonts) preload(name, { rel: 'preload', as: 'font' })
}

/** Asks for everything else that the editor begins with. */
export function preloadEditor({ scripts, styles, fetched }: EditorFiles): void {
  for (const name of styles) preload(name, { rel: 'preload', as: 'style' })
  for (const name of fetched) preload(name, { rel: 'preload', as: 'fetch' })
  const waiting = [...scripts]
  const next = () => {
    const name = waiting.shift()
    if (name === undefined) return
    const link = preload(name, { rel: 'modulepreload' })
    link.addEventListener('load', next)
    link.addEventListener('error', next)
  }
  // A browser parses no more files at once than it has threads; on all of them, they would keep the page's other work waiting.
  for (let lanes = Math.max(2, navigator.hardwareConcurrency - 1); lanes > 0; lanes -= 1) next()
}

function preload(name: string, kind: { rel: string; as?: string }): HTMLLinkElement {
  const link = Object.assign(document.createElement('link'), { ...kind, crossOrigin: 'anonymous', href: `/${name}` })
  document.head.append(link)
  return link
}
