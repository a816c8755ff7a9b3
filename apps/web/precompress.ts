import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

// No HTML: index.html is filled in anew for every answer, and the other pages are small.
const compressible = /\.(?:js|css|svg|json|wasm|ttf|txt|scm|tmLanguage)$/
/** Bytes; below it the headers weigh more than what is won. */
const smallest = 1024
/** A tenth of the time of the best qualities, for a tenth more bytes: a first start waits for this. */
const brotliQuality = 5

/** Writes `.br` and `.gz` beside every built file that gets smaller by it; the server sends those. */
export function precompress(): Plugin {
  return {
    name: 'boxyard:precompress',
    apply: 'build',
    async writeBundle({ dir }) {
      if (!dir) return
      const entries = await readdir(dir, { recursive: true, withFileTypes: true })
      const wanted = entries.filter((entry) => entry.isFile() && compressible.test(entry.name))
      await Promise.all(wanted.map((entry) => compress(join(entry.parentPath, entry.name))))
    },
  }
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path)
  if (content.length < smallest) return
  const [br, gz] = await Promise.all([
    brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
    toGzip(content, { level: 5 }),
  ])
  if (br.length < content.length) await writeFile(`${path}.br`, br)
  if (gz.length < content.length) await writeFile(`${path}.gz`, gz)
}
