/** The large parts of the editor are scripts; all else is modules. */
export const PART = /\.part\.js$/

/** What one of the two editors begins with. */
export interface ModeFiles {
  /** Modules, and each script before the module that loads it. */
  scripts: readonly string[]
  styles: readonly string[]
  fetched: readonly string[]
}

/** What an editor page needs, by names below the root. The build knows them. */
export interface EditorFiles extends ModeFiles {
  fonts: readonly string[]
  /** In place of the workbench. */
  light: ModeFiles
  /** The worker that compiles sandboxes, and its compiler. */
  engine: string
  wasm: string
}

/**
 * Resolves when the font of the first text is there, or will not come. Text without its font waits for the system's answer about another one,
 * which takes a new browser a tenth of a second and comes through the threads that parse scripts.
 */
export async function loadFonts({ fonts }: EditorFiles): Promise<void> {
  const [ofText, ...others] = fonts
  for (const name of others) preload(name, { rel: 'preload', as: 'font' })
  // The app's styles declare the same; they come later.
  const font = new FontFace('JetBrains Mono Variable', `url(/${ofText!})`, { weight: '100 800', display: 'swap' })
  document.fonts.add(font)
  await font.load().catch((error: unknown) => console.warn('The text is shown in another font', error))
}

/** Asks for everything else that the editor begins with. Resolves when its scripts are there, or will not come. */
export function preloadEditor({ scripts, styles, fetched }: ModeFiles): Promise<void> {
  for (const name of styles) preload(name, { rel: 'preload', as: 'style' })
  for (const name of fetched) preload(name, { rel: 'preload', as: 'fetch' })
  const waiting = [...scripts]
  const lane = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const link = preload(name, PART.test(name) ? { rel: 'preload', as: 'script' } : { rel: 'modulepreload' })
      await new Promise((resolve) => {
        link.addEventListener('load', resolve)
        link.addEventListener('error', resolve)
      })
    }
  }
  // A browser parses no more files at once than it has threads; on all of them, they would keep the page's other work waiting, a text
  // that needs a font of the system among it.
  const lanes = Array.from({ length: Math.max(2, navigator.hardwareConcurrency - 1) }, lane)
  return Promise.all(lanes).then(() => undefined)
}

function preload(name: string, kind: { rel: string; as?: string }): HTMLLinkElement {
  const link = Object.assign(document.createElement('link'), { ...kind, crossOrigin: 'anonymous', href: `/${name}` })
  document.head.append(link)
  return link
}
