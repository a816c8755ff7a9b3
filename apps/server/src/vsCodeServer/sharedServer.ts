import type { RegistryMirror } from '@boxyard/packer'
import { join } from 'node:path'
import { installVsCodeServer, installedName } from './installVsCodeServer.ts'

/** The one VS Code server that the boxes of this installation share, fetched when somebody wants it first. */
export class SharedServer {
  readonly #folder: string
  readonly #inBox: string | null
  readonly #mirror: Pick<RegistryMirror, 'tarball'>
  #installing: Promise<void> | undefined

  /** `folder` is on this machine, `inBox` where boxes see it; null where they see nothing of this machine. */
  constructor(folder: string, inBox: string | null, mirror: Pick<RegistryMirror, 'tarball'>) {
    this.#folder = folder
    this.#inBox = inBox
    this.#mirror = mirror
  }

  /** Resolves with the folder as a box sees it, when the server is there. Undefined where boxes can not have it. @throws PackerError */
  async folder(): Promise<string | undefined> {
    if (this.#inBox === null) return undefined
    this.#installing ??= installVsCodeServer(this.#folder, this.#mirror).finally(() => (this.#installing = undefined))
    await this.#installing
    return join(this.#inBox, installedName)
  }
}
