import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { editorFiles } from './preloadEditor.ts'

/**
 * Writes `editor-cache.js`, the service worker that keeps the built files of the editor: later visits neither fetch nor compile them
 * again. It answers for files whose names carry a hash, and for nothing else; pages and the API always come from the server.
 */
export function editorCache(): Plugin {
  return {
    name: 'boxyard:editor-cache',
    apply: 'build',
    generateBundle(_options, bundle) {
      const { scripts, styles, fetched } = editorFiles(bundle)
      const files = [...scripts, ...styles, ...fetched].map((name) => `/${name}`)
      const build = createHash('sha256').update(Object.keys(bundle).toSorted().join('\n')).digest('hex').slice(0, 16)
      const worker = readFileSync(new URL('src/editor/editorCacheWorker.js', import.meta.url), 'utf8')
      const source = worker.replace('__BUILD__', JSON.stringify(build)).replace('__FILES__', JSON.stringify(files))
      this.emitFile({ type: 'asset', fileName: 'editor-cache.js', source })
    },
  }
}
