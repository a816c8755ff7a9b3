import type { CompiledForeignFile, ForeignFile, FromRunner, ToRunner } from '../common/messages.ts'
import type { ForeignCompilers } from './compileModule.ts'
import { CompileError } from './errors.ts'
import type { RequestPack } from './packRequester.ts'

/** Parts of packages that compile; null: a script of ours beside the runner. */
const COMPILERS = {
  vue: 'vue/compiler-sfc',
  svelte: 'svelte/compiler',
  sass: 'sass',
  mdx: '@mdx-js/mdx',
  tailwind: 'tailwindcss',
  postcss: 'postcss',
  solid: null,
} as const satisfies Record<ForeignFile['kind'], string | null>

/** Of those that a project may use without having thought of them: what has to be among its dependencies. */
const NEEDED: Partial<Record<ForeignFile['kind'], readonly string[]>> = {
  sass: ['sass'],
  mdx: ['@mdx-js/mdx', '@mdx-js/rollup'],
}

/** Compilers that a project need not name, as Vite brings them along. */
const BROUGHT: Partial<Record<ForeignFile['kind'], string>> = { postcss: '^8.5.0' }

type CompilingPage = Pick<MessagePort, 'postMessage'>

interface Asked {
  asked: ToRunner
  resolve(made: CompiledForeignFile): void
  reject(error: unknown): void
}

/** What the packer is asked. */
export type PackQuestion = Parameters<RequestPack>[0]

/** What brings the compiler of a file; null where a script of ours compiles it. */
export function compilerRequest(
  { kind, packages }: Pick<ForeignFile, 'kind' | 'packages'>,
  dependencies: Readonly<Record<string, string>>,
): PackQuestion | null {
  const specifier = COMPILERS[kind]
  if (specifier === null) return null
  // `@mdx-js/rollup` brings the compiler along, in its own version.
  const brought = kind === 'mdx' ? dependencies['@mdx-js/rollup'] : BROUGHT[kind]
  const ranges = brought === undefined ? dependencies : { [specifier]: brought, ...dependencies }
  return { dependencies: ranges, specifiers: [specifier, ...packages] }
}

/**
 * Compilers of frameworks, in the version that the project has where it names one. They are code of the project's dependencies, so they
 * run on the origin of the preview, in a worker of the page that is open there.
 */
export class RunnerCompilers implements ForeignCompilers {
  readonly #pack: RequestPack
  /** Pages that can compile; the last one does. */
  readonly #pages = new Set<CompilingPage>()
  readonly #waiting = new Map<number, Asked>()
  #last = 0

  constructor(pack: RequestPack) {
    this.#pack = pack
  }

  /** From now on this page compiles, also what another one has not answered yet: that may have gone without a word. */
  use(page: CompilingPage): void {
    this.#pages.add(page)
    this.#askAgain(page)
  }

  /** This page has gone. What it was asked another one is, or the next one that comes. */
  leave(page: CompilingPage): void {
    const wasUsed = page === this.#used
    this.#pages.delete(page)
    const next = this.#used
    if (wasUsed && next) this.#askAgain(next)
  }

  get #used(): CompilingPage | undefined {
    return [...this.#pages].at(-1)
  }

  #askAgain(page: CompilingPage): void {
    for (const { asked } of this.#waiting.values()) page.postMessage(asked)
  }

  async compile(file: ForeignFile, dependencies: Readonly<Record<string, string>>): Promise<CompiledForeignFile> {
    const { kind, path } = file
    const specifier = COMPILERS[kind]
    const needed = NEEDED[kind]
    if (needed && !needed.some((name) => name in dependencies)) {
      throw new CompileError({
        message: `"${specifier}" compiles this file and is not among the dependencies. Add it to package.json.`,
        file: path,
      })
    }
    const question = compilerRequest(file, dependencies)
    const compiler = specifier === null || !question ? null : { pack: await this.#pack(question), specifier }
    const page = this.#used
    if (!page) throw new CompileError({ message: 'No page of the preview is open', file: path })
    this.#last += 1
    const id = this.#last
    const asked: ToRunner = { type: 'compile', id, ...file, compiler }
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { asked, resolve, reject })
      page.postMessage(asked)
    })
  }

  receive(message: Extract<FromRunner, { type: 'compiled' }>): void {
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if ('problem' in message) waiting?.reject(new CompileError(message.problem))
    else waiting?.resolve(message)
  }
}
