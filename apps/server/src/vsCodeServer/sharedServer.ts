import type { RegistryMirror } from '@boxyard/packer'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Duplex, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { findVsCodeServer, putVsCodeServer } from '../edge/boxHttp.ts'
import { installVsCodeServer, installedName } from './installVsCodeServer.ts'

/** Where a box has the server, or why it has none. */
export type ServerInBox = { folder: string } | { error: string }

/** The one VS Code server that the boxes of this installation have, fetched when somebody wants it first. */
export class SharedServer {
  readonly #folder: string
  readonly #inBox: string | null
  readonly #mirror: Pick<RegistryMirror, 'tarball'>
  readonly #sending = new Map<string, Promise<ServerInBox>>()
  #installing: Promise<void> | undefined

  /** `inBox` is where boxes see `folder`, null where they do not. */
  constructor(folder: string, inBox: string | null, mirror: Pick<RegistryMirror, 'tarball'>) {
    this.#folder = folder
    this.#inBox = inBox
    this.#mirror = mirror
  }

  /** Resolves when it is on this machine. @throws PackerError */
  install(): Promise<void> {
    this.#installing ??= installVsCodeServer(this.#folder, this.#mirror).finally(() => (this.#installing = undefined))
    return this.#installing
  }

  /**
   * Resolves when a box has the server. One that sees nothing of this machine is sent a copy of its own, once, over connections to its dev server.
   * @throws PackerError
   */
  async inBox(id: string, connect: () => Promise<Duplex>): Promise<ServerInBox> {
    await this.install()
    if (this.#inBox !== null) return { folder: join(this.#inBox, installedName) }
    const sending = this.#sending.get(id) ?? this.#send(connect).finally(() => this.#sending.delete(id))
    this.#sending.set(id, sending)
    return sending
  }

  async #send(connect: () => Promise<Duplex>): Promise<ServerInBox> {
    const folder = await findVsCodeServer(await connect(), installedName)
    if (folder !== null) return { folder }
    return putVsCodeServer(await connect(), installedName, (to) => archive(join(this.#folder, installedName), to))
  }
}

async function archive(folder: string, to: Writable): Promise<void> {
  const tar = spawn('tar', ['-c', '-C', folder, '-f', '-', '.'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  tar.stderr.setEncoding('utf8').on('data', (chunk: string) => (said = (said + chunk).slice(-500)))
  const ended = once(tar, 'close') as Promise<[number | null]>
  // A box that takes no more is what is told.
  ended.catch(() => undefined)
  await pipeline(tar.stdout, to, { end: false })
  const [code] = await ended
  if (code !== 0) throw new Error(`tar ended with ${code}: ${said.trim()}`)
}
