import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

const compressible = /\.(?:js|css|html|svg|json|wasm|ttf|txt|scm|tmLanguage)$/
/** Bytes; below it the headers weigh more than what is won. */
const smallest = 1024
/** A quarter of the time of the best quality, for a few percent more. */
const brotliQuality = 9

/** Writes `.br` and `.gz` beside every built file that gets smaller by it; the server sends those. */
export function precompress(): Plugin {
  return {
    name: 'boxyard:precompress',
    apply: 'build',
    async writeBundle({ dir }) {
      if (!dir) return
      for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
        // index.html is filled in anew for every answer.
        if (!entry.isFile() || !compressible.test(entry.name) || entry.name === 'index.html') continue
        const path = join(entry.parentPath, entry.name)
        const content = await readFile(path)
        if (content.length < smallest) continue
        const [br, gz] = await Promise.all([
          brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
          toGzip(content, { level: 6 }),
        ])
        if (br.length < content.length) await writeFile(`${path}.br`, br)
        if (gz.length < content.length) await writeFile(`${path}.gz`, gz)
      }
    },
  }
}
