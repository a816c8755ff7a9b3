import type { BinaryFile } from '../api.ts'
import { Emitter } from '../event.ts'

/** One open binary file. Its content is replaced as a whole whenever it is saved or written. */
export class BinaryDocument implements BinaryFile {
  readonly kind = 'binary'
  readonly #host: { pathOf(id: string): string | undefined; disposed(): void }
  readonly #changeEmitter = new Emitter<void>()
  readonly id: string
  #path: string
  #content: Uint8Array
  #savedHash: string

  readonly onDidChange = this.#changeEmitter.event

  constructor(
    host: { pathOf(id: string): string | undefined; disposed(): void },
    path: string,
    file: { id: string; content: Uint8Array; savedHash: string },
  ) {
    this.#host = host
    this.id = file.id
    this.#path = path
    this.#content = file.content
    this.#savedHash = file.savedHash
  }

  get path(): string {
    this.#path = this.#host.pathOf(this.id) ?? this.#path
    return this.#path
  }

  get content(): Uint8Array {
    return this.#content
  }

  get savedHash(): string {
    return this.#savedHash
  }

  replace(content: Uint8Array, savedHash: string): void {
    if (savedHash === this.#savedHash) return
    this.#content = content
    this.#savedHash = savedHash
    this.#changeEmitter.fire()
  }

  dispose(): void {
    this.#host.disposed()
  }
}
