import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'

/** The modules whose chunks the editor page needs at once; they are only reached by imports that run one after the other. */
const entries = ['/apps/web/src/editor/editorParts.ts', '/packages/workbench/src/open.ts']

/** Shows the file of an editor page before the app is there; runs first. */
const first = fileURLToPath(new URL('src/editor/firstText/start.ts', import.meta.url))

/** Files that the first colored text waits for, fetched by the editor when it is up already. */
const early = [/\/onig-[\w-]+\.wasm$/]

/**
 * Fetches the editor's chunks together with the page, on the pages that have an editor. index.html is one for every page, so a
 * small script in its head decides by the path.
 */
export function preloadEditor(): Plugin {
  return {
    name: 'boxyard:preload-editor',
    apply: 'build',
    buildStart() {
      if (this.environment.name === 'client') this.emitFile({ type: 'chunk', id: first, name: 'firstText' })
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        if (!bundle) return
        const { scripts, styles, fetched } = editorFiles(bundle)
        const links = [
          ...scripts.map((href) => ({ rel: 'modulepreload', href })),
          ...styles.map((href) => ({ rel: 'preload', as: 'style', href })),
          ...fetched.map((href) => ({ rel: 'preload', as: 'fetch', href })),
        ]
        const children = `if (/^\\/(?:devbox|sandbox)\\//.test(location.pathname))
  for (const { href, ...link } of ${JSON.stringify(links)})
    document.head.append(Object.assign(document.createElement('link'), { ...link, crossOrigin: 'anonymous', href: '/' + href }))`
        const firstChunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'firstText')
        if (!firstChunk) throw new Error(`${first} is no chunk of its own`)
        const attrs = { type: 'module', crossorigin: '', src: `/${firstChunk.fileName}` }
        return [
          { tag: 'script', attrs, injectTo: 'head-prepend' },
          { tag: 'script', attrs: { nonce: '__CSP_NONCE__' }, children, injectTo: 'head' },
        ]
      },
    },
  }
}

/** The chunks of the entries with everything they import statically, the styles of all of them, and what they fetch first. */
function editorFiles(bundle: Rolldown.OutputBundle): { scripts: string[]; styles: string[]; fetched: string[] } {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const wanted = new Set<string>()
  const add = (name: string) => {
    if (wanted.has(name)) return
    wanted.add(name)
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) add(imported)
  }
  for (const entry of entries) {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(entry)))
    if (!chunk) throw new Error(`${entry} is in no chunk; see apps/web/preloadEditor.ts`)
    add(chunk.fileName)
  }
  const found = chunks.filter(({ fileName }) => wanted.has(fileName))
  const styles = new Set(found.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))
  const fetched = Object.keys(bundle).filter((name) => early.some((pattern) => pattern.test(`/${name}`)))
  if (fetched.length !== early.length) throw new Error(`The build has no file for one of ${early.join(', ')}`)
  return { scripts: [...wanted], styles: [...styles], fetched }
}
