import { buildSync } from 'esbuild'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'

/** The modules whose chunks the editor page needs at once; they are only reached by imports that run one after the other. */
const entries = ['/apps/web/src/editor/editorParts.ts', '/packages/workbench/src/open.ts']

/** The chunk that every editor asks for when the first text is on the screen. */
const later = '/packages/workbench/src/startup/late.ts'

/** Shows the file of an editor page before the app is there. */
const first = fileURLToPath(new URL('src/editor/firstText/start.ts', import.meta.url))

/** Keeps the editor's files for later visits. */
const keeper = fileURLToPath(new URL('src/editor/editorCacheWorker.js', import.meta.url))

/** Where index.html takes the script of editor pages: behind the theme, before the styles that scripts wait for. */
const place = '<!-- editor pages -->'

/** Files that the first colored text waits for, fetched by the editor when it is up already. */
const early = [/\/onig-[\w-]+\.wasm$/]

/**
 * Fetches the editor's chunks together with the page, on the pages that have an editor. index.html is one for every page, so a
 * small script in its head decides by the path; it asks for the file that is shown first, too. Beside it `editor-cache.js` is
 * written, the service worker that keeps the same files for later visits.
 */
export function preloadEditor(): Plugin {
  return {
    name: 'boxyard:preload-editor',
    apply: 'build',
    buildStart() {
      if (this.environment.name === 'client') this.addWatchFile(first)
    },
    generateBundle(_options, bundle) {
      if (this.environment.name !== 'client') return
      const { scripts, styles, fetched } = editorFiles(bundle, [...entries, later])
      const files = [...scripts, ...styles, ...fetched].map((name) => `/${name}`)
      const build = createHash('sha256').update(files.toSorted().join('\n')).digest('hex').slice(0, 16)
      const source = readFileSync(keeper, 'utf8')
        .replace('__BUILD__', () => JSON.stringify(build))
        .replace('__FILES__', () => JSON.stringify(files))
      this.emitFile({ type: 'asset', fileName: 'editor-cache.js', source })
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (!bundle) return html
        if (html.split(place).length !== 2) throw new Error(`index.html has no "${place}", or several`)
        const { scripts, styles, fetched } = editorFiles(bundle, entries)
        const links = [
          ...scripts.map((href) => ({ rel: 'modulepreload', href })),
          ...styles.map((href) => ({ rel: 'preload', as: 'style', href })),
          ...fetched.map((href) => ({ rel: 'preload', as: 'fetch', href })),
        ]
        const preload = `if (/^\\/(?:devbox|sandbox|github)\\//.test(location.pathname))
  for (const { href, ...link } of ${JSON.stringify(links)})
    document.head.append(Object.assign(document.createElement('link'), { ...link, crossOrigin: 'anonymous', href: '/' + href }))`
        const script = `${firstScript()}${preload}`
        // The page would end in the middle of it.
        if (script.includes('</script')) throw new Error(`${first} must not contain the end of a script`)
        return html.replace(place, () => `<script nonce="__CSP_NONCE__">${script}</script>`)
      },
    },
  }
}

/** In the page itself and in one piece: a file of its own would have to arrive before it could ask for the text. */
function firstScript(): string {
  const { outputFiles } = buildSync({
    entryPoints: [first],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
  })
  return outputFiles[0]!.text
}

/** The chunks of the modules with everything they import statically, the styles of all of them, and what they fetch first. */
function editorFiles(
  bundle: Rolldown.OutputBundle,
  modules: readonly string[],
): { scripts: string[]; styles: string[]; fetched: string[] } {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const wanted = new Set<string>()
  const add = (name: string) => {
    if (wanted.has(name)) return
    wanted.add(name)
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) add(imported)
  }
  for (const module of modules) {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)))
    if (!chunk) throw new Error(`${module} is in no chunk; see apps/web/preloadEditor.ts`)
    add(chunk.fileName)
  }
  const found = chunks.filter(({ fileName }) => wanted.has(fileName))
  const styles = new Set(found.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))
  const fetched = Object.keys(bundle).filter((name) => early.some((pattern) => pattern.test(`/${name}`)))
  if (fetched.length !== early.length) throw new Error(`The build has no file for one of ${early.join(', ')}`)
  return { scripts: [...wanted], styles: [...styles], fetched }
}
