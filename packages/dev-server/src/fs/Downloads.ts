import { once } from 'node:events'
import { readdir, realpath, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { ProtocolError } from '@boxyard/protocol'
import type { ZipFile } from 'yazl'
import type { Timers } from '../shell/Timers.ts'
import { fsError } from './errno.ts'
import { kernelRandom } from '../kernelRandom.ts'
import { globSource, isPlainGlob } from './glob.ts'

const VALID_MS = 5 * 60_000
const DEFAULT_EXCLUDES = ['**/node_modules/**']

interface Download {
  /** Absolute, without links. */
  path: string
  isExcluded: (path: string) => boolean
}

/**
 * Hands out folders and files of the box as zip archives, at a port of the box that only the dev server knows of. An address is good for five
 * minutes and can't be guessed; the preview host in front of it checks who may see the box.
 */
export class Downloads {
  readonly #timers: Timers
  readonly #ready = new Map<string, Download>()
  readonly #cancels = new Set<() => void>()
  #server: Server | undefined
  #listening: Promise<number> | undefined

  constructor(timers: Timers) {
    this.#timers = timers
  }

  /** The port, once there was something to download. */
  get port(): number | undefined {
    const address = this.#server?.address() as AddressInfo | null | undefined
    return address?.port
  }

  /** Port and path under which the archive can be read for five minutes. */
  async offer(path: string, excludes: readonly string[] = DEFAULT_EXCLUDES): Promise<{ port: number; path: string }> {
    const real = await realpath(path)
    if (!(await stat(real)).isDirectory()) throw fsError('ENOTDIR', path)
    const refused = excludes.find((glob) => !isPlainGlob(glob))
    if (refused !== undefined) throw new ProtocolError('INVALID_PARAMS', `excludes: '${refused}' is not a plain glob`)
    const token = (await kernelRandom(24)).toString('base64url')
    const patterns = excludes.map((glob) => new RegExp(globSource(glob), 'u'))
    const isExcluded = (one: string): boolean => patterns.some((pattern) => pattern.test(one))
    this.#ready.set(token, { path: real, isExcluded })
    const cancel = this.#timers.after(VALID_MS, () => {
      this.#cancels.delete(cancel)
      this.#ready.delete(token)
    })
    this.#cancels.add(cancel)
    return { port: await this.#listen(), path: `/${token}/${encodeURIComponent(`${basename(real)}.zip`)}` }
  }

  async dispose(): Promise<void> {
    for (const cancel of this.#cancels) cancel()
    this.#ready.clear()
    const server = this.#server
    if (!server) return
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }

  #listen(): Promise<number> {
    this.#listening ??= (async () => {
      const server = createServer((request, response) => this.#answer(request, response))
      this.#server = server
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      return this.port!
    })()
    return this.#listening
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const [, token = ''] = (request.url ?? '').split('/')
    const download = this.#ready.get(token)
    if (!download || request.method !== 'GET') {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' })
      response.end('There is no such download, or its five minutes are over. Ask for it again.')
      return
    }
    const name = encodeURIComponent(`${basename(download.path)}.zip`)
    response.writeHead(200, {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename*=UTF-8''${name}`,
      'x-content-type-options': 'nosniff',
    })
    // The answer has begun: an archive that is cut off is the only way left to say that it is not whole.
    answerZip(download, response).catch(() => response.destroy())
  }
}

async function answerZip(download: Download, response: ServerResponse): Promise<void> {
  const { ZipFile: Zip } = await import('yazl')
  const zip = new Zip()
  zip.on('error', () => response.destroy())
  zip.outputStream.on('error', () => response.destroy()).pipe(response)
  await addFolder(zip, download, '')
  zip.end()
}

/** Adds what a folder holds. Links are left out: they may lead anywhere. */
async function addFolder(zip: ZipFile, download: Download, folder: string): Promise<void> {
  const entries = await readdir(join(download.path, folder), { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (download.isExcluded(path) || download.isExcluded(`${path}/`)) continue
    if (entry.isDirectory()) {
      zip.addEmptyDirectory(path)
      await addFolder(zip, download, path)
    } else if (entry.isFile()) zip.addFile(join(download.path, path), path)
  }
}
