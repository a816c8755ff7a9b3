import { buildSync } from 'esbuild'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'
import { scriptOfPart } from './classicParts.ts'
import { PART } from './src/editor/firstText/preloadFiles.ts'
import type { EditorFiles, ModeFiles } from './src/editor/firstText/preloadFiles.ts'

/** The modules whose chunks the editor page needs at once; they are only reached by imports that run one after the other. */
const entries = ['/apps/web/src/editor/editorParts.ts', '/packages/workbench/src/open.ts']

/** The same for the light editor. */
const lightEntries = ['/apps/web/src/editor/editorParts.ts', '/packages/workbench/src/light/openLight.ts']

/** The chunk that every editor asks for when the first text is on the screen. */
const later = '/packages/workbench/src/startup/late.ts'

/** Shows the file of an editor page before the app is there. */
const first = fileURLToPath(new URL('src/editor/firstText/start.ts', import.meta.url))

/** Keeps the editor's files for later visits. */
const keeper = fileURLToPath(new URL('src/editor/editorCacheWorker.js', import.meta.url))

/** Where index.html carries the name of the build that it is of. */
const BUILD_PLACEHOLDER = '__BUILD__'

/** Where index.html takes the script of editor pages: behind the theme, before the styles that scripts wait for. */
const place = '<!-- editor pages -->'

/** Where the server puts the first text into editor.html; see webApp.ts. */
const FIRST_TEXT = '<!-- first text -->'

/** What the build has added to index.html to start the app. */
const appTag = /<(?:script type="module"|link rel="(?:modulepreload|stylesheet)")[^>]*>(?:<\/script>)?/g

/** Files that the first colored text waits for, fetched by the editor when it is up already. */
const early = [/\/onig-[\w-]+\.wasm$/]

/** What compiles a sandbox without a machine, started before the app is there. */
const ofSandboxes = [/\/engineWorker-[\w-]+\.js$/, /\/transform\.wasm32-wasip1-[\w-]+\.wasm$/]

/** The fonts of the first text and of the page around it. */
const fonts = [/\/jetbrains-mono-latin-wght-normal-[\w-]+\.woff2$/, /\/inter-latin-wght-normal-[\w-]+\.woff2$/]

/**
 * Gives index.html the first script of the pages that have an editor, with the names of the files that it fetches early. index.html
 * is one for every page, so the script decides by the path. `editor.html` is the same page with the app's own files in a template, where
 * the script finds them: nothing that the parser waits for comes before the first text. Beside them `editor-cache.js` is written, the service worker that keeps the
 * editor's files for later visits, and `build.json`, which tells an open page whether it is of this build.
 */
export function preloadEditor(): Plugin {
  let build: string | undefined
  const buildOf = (bundle: Rolldown.OutputBundle) => (build ??= hashOf(Object.keys(bundle).filter(isNamedByContent)))
  return {
    name: 'boxyard:preload-editor',
    apply: 'build',
    buildStart() {
      build = undefined
      if (this.environment.name === 'client') this.addWatchFile(first)
    },
    generateBundle(_options, bundle) {
      if (this.environment.name !== 'client') return
      const { scripts, styles, fetched } = editorFiles(bundle, [...entries, ...lightEntries, later])
      const address = (name: string) => `/${name}`
      const files = [...scripts, ...styles, ...fetched].map(address)
      const isPart = (file: string) => PART.test(file)
      const source = readFileSync(keeper, 'utf8')
        .replace('__KEPT__', () => JSON.stringify(hashOf(files)))
        .replace('__BUILD__', () => JSON.stringify(buildOf(bundle)))
        .replace('__FILES__', () => JSON.stringify(files.filter((file) => !isPart(file))))
        .replace('__PARTS__', () => JSON.stringify(files.filter(isPart)))
      this.emitFile({ type: 'asset', fileName: 'editor-cache.js', source })
      this.emitFile({
        type: 'asset',
        fileName: 'build.json',
        source: JSON.stringify({ build: buildOf(bundle) }),
      })
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, filename }) {
        // The page for frames elsewhere has no editor of that size.
        if (!bundle || filename.endsWith('/embed.html')) return html
        if (html.split(place).length !== 2) throw new Error(`index.html has no "${place}", or several`)
        const [engine, wasm] = filesOf(bundle, ofSandboxes)
        const files: EditorFiles = {
          ...editorFiles(bundle, entries),
          light: editorFiles(bundle, lightEntries),
          fonts: filesOf(bundle, fonts),
          engine: engine!,
          wasm: wasm!,
        }
        const script = firstScript(files)
        // The page would end in the middle of it.
        if (script.includes('</script')) throw new Error(`${first} must not contain the end of a script`)
        return html
          .replace(BUILD_PLACEHOLDER, buildOf(bundle))
          .replace(place, () => `<script nonce="__CSP_NONCE__">${script}</script>`)
      },
    },
    async writeBundle({ dir }, bundle) {
      if (this.environment.name !== 'client' || !dir) return
      const [font] = filesOf(bundle, fonts)
      await writeFile(join(dir, 'editor.html'), editorPage(await readFile(join(dir, 'index.html'), 'utf8'), font!))
    },
  }
}

/** The name says what is in it. */
const isNamedByContent = (file: string) => /^assets\/.*\.(?:js|css|wasm)$/.test(file)

function hashOf(names: readonly string[]): string {
  return createHash('sha256').update(names.toSorted().join('\n')).digest('hex').slice(0, 16)
}

/** The page of an editor: what starts the app is moved into a template, and the server's place for the first text comes before all scripts. */
function editorPage(html: string, font: string): string {
  const tags: string[] = []
  const rest = html.replace(appTag, (tag) => {
    tags.push(tag)
    return ''
  })
  const [script, ...others] = tags.filter((tag) => tag.startsWith('<script'))
  if (!script || others.length > 0) throw new Error('index.html does not start the app with one module')
  const head = /<head>/
  if (!head.test(rest)) throw new Error('index.html has no head')
  const preload = `<link rel="preload" as="font" crossorigin href="/${font}">`
  const template = `<template id="app">${tags.join('')}</template>`
  return rest.replace(head, (tag) => [tag, preload, FIRST_TEXT, template].join('\n    '))
}

/** In the page itself and in one piece: a file of its own would have to arrive before it could ask for the text. */
function firstScript(files: EditorFiles): string {
  const { outputFiles } = buildSync({
    entryPoints: [first],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    define: { __EDITOR_FILES__: JSON.stringify(files) },
    write: false,
  })
  return outputFiles[0]!.text
}

/** The chunks of the modules with everything they import statically, the styles of all of them, and what they fetch first. */
function editorFiles(bundle: Rolldown.OutputBundle, modules: readonly string[]): ModeFiles {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const wanted = new Set<string>()
  const add = (name: string) => {
    if (wanted.has(name)) return
    const chunk = chunks.find(({ fileName }) => fileName === name)
    const part = chunk && scriptOfPart(chunk)
    // In the order in which they are needed, the large ones not behind the small.
    if (part) wanted.add(part)
    wanted.add(name)
    for (const imported of chunk?.imports ?? []) add(imported)
  }
  for (const module of modules) {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)))
    if (!chunk) throw new Error(`${module} is in no chunk; see apps/web/preloadEditor.ts`)
    add(chunk.fileName)
  }
  const found = chunks.filter(({ fileName }) => wanted.has(fileName))
  const styles = new Set(found.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))
  return { scripts: [...wanted], styles: [...styles], fetched: filesOf(bundle, early) }
}

/** The files that match, one a pattern. */
function filesOf(bundle: Rolldown.OutputBundle, patterns: readonly RegExp[]): string[] {
  return patterns.map((pattern) => {
    const found = Object.keys(bundle).filter((name) => pattern.test(`/${name}`))
    if (found.length !== 1) throw new Error(`The build has ${found.length} files for ${pattern}, not one`)
    return found[0]!
  })
}
