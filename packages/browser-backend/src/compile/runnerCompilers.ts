import type { FromRunner, ToRunner } from '../common/messages.ts'
import type { ForeignCompilers } from './compileModule.ts'
import { CompileError } from './errors.ts'
import type { RequestPack } from './packRequester.ts'

const COMPILERS = { vue: 'vue/compiler-sfc', svelte: 'svelte/compiler' } as const

/**
 * Compilers of frameworks, in the version that the project has. They are code of the project's dependencies, so they run on the origin of
 * the preview, in a worker of the page that is open there.
 */
export class RunnerCompilers implements ForeignCompilers {
  readonly #pack: RequestPack
  #port: Pick<MessagePort, 'postMessage'> | undefined
  readonly #waiting = new Map<
    number,
    { resolve(made: { script: string; css: string }): void; reject(error: unknown): void }
  >()
  #last = 0

  constructor(pack: RequestPack) {
    this.#pack = pack
  }

  use(port: Pick<MessagePort, 'postMessage'>): void {
    this.#port = port
    for (const { reject } of this.#waiting.values()) reject(new CompileError({ message: 'The preview started again' }))
    this.#waiting.clear()
  }

  async compile(
    kind: 'vue' | 'svelte',
    path: string,
    text: string,
    dependencies: Readonly<Record<string, string>>,
  ): Promise<{ script: string; css: string }> {
    const specifier = COMPILERS[kind]
    const pack = await this.#pack({ dependencies, specifiers: [specifier] })
    const port = this.#port
    if (!port) throw new CompileError({ message: 'No page of the preview is open', file: path })
    this.#last += 1
    const id = this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      port.postMessage({ type: 'compile', id, kind, path, text, pack, specifier } satisfies ToRunner)
    })
  }

  receive(message: Extract<FromRunner, { type: 'compiled' }>): void {
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if ('problem' in message) waiting?.reject(new CompileError(message.problem))
    else waiting?.resolve(message)
  }
}
