import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { SerialQueue } from '../serialQueue.ts'
import { VsCodeServerError } from './VsCodeServer.ts'

const DRAFT = '.draft-'

/** The VS Code server that the platform sends into a box that sees no folder of its host. */
export class ReceivedServer {
  readonly #folder: string
  readonly #placing = new SerialQueue()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Where the one of this name is; undefined when there is none. */
  async find(name: string): Promise<string | undefined> {
    const folder = join(this.#folder, name)
    const found = await stat(folder).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    })
    return found?.isDirectory() ? folder : undefined
  }

  /**
   * Unpacks an archive of tar, and takes former ones away. It is there wholly or not at all; of two that are sent at once the first stays.
   * @throws VsCodeServerError
   */
  async receive(name: string, archive: Readable): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const draft = await mkdtemp(join(this.#folder, DRAFT))
    try {
      await unpack(archive, draft)
      return await this.#placing.run(() => this.#place(name, draft))
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  }

  async #place(name: string, draft: string): Promise<string> {
    const folder = join(this.#folder, name)
    if ((await this.find(name)) === undefined) await rename(draft, folder)
    for (const other of await readdir(this.#folder)) {
      // Somebody else's may be on its way.
      if (other !== name && !other.startsWith(DRAFT))
        await rm(join(this.#folder, other), { recursive: true, force: true })
    }
    return folder
  }
}

async function unpack(archive: Readable, folder: string): Promise<void> {
  const tar = spawn('tar', ['-x', '--no-same-owner', '-C', folder, '-f', '-'], { stdio: ['pipe', 'ignore', 'pipe'] })
  let said = ''
  tar.stderr.setEncoding('utf8').on('data', (chunk: string) => (said = (said + chunk).slice(-500)))
  // It stops reading when the disk is full. What is left is read all the same, so that whoever sends it hears why.
  tar.stdin.on('error', () => undefined).once('close', () => archive.unpipe(tar.stdin).resume())
  archive.pipe(tar.stdin)
  const sent = finished(archive).catch((error: unknown) => {
    tar.stdin.destroy()
    throw error
  })
  const [whole, end] = await Promise.allSettled([sent, once(tar, 'close')])
  if (whole.status === 'fulfilled' && end.status === 'fulfilled' && end.value[0] === 0) return
  const failures = [end, whole].flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
  const reason = said.trim() || failures[0] || 'tar failed'
  throw new VsCodeServerError(`The VS Code server could not be put into the box: ${reason}`)
}
