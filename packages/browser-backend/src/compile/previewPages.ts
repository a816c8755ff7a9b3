import type { FromRunner, ProjectProblem, ToRunner } from '../common/messages.ts'
import type { Engine, RunnerPort } from './engine.ts'
import { PageEdge } from './pageEdge.ts'
import type { RunnerCompilers } from './runnerCompilers.ts'

/** A page of the preview, at the other end of the port. */
export interface PreviewPage {
  port: MessagePort
  address: string
  module: string | null
  /** The window that shows it. */
  window: number
}

export interface PreviewPagesOptions {
  engine: Pick<Engine, 'start' | 'stop' | 'run' | 'receive' | 'hasFile'>
  compilers: Pick<RunnerCompilers, 'use' | 'leave' | 'receive'>
  onConsole(level: string, text: string): void
  onProblem(problem: ProjectProblem): void
  onNotice(text: string): void
  onOpen(file: string, line: number, column: number): void
  /** A page shows what there is. */
  onRendered(): void
}

interface Shown {
  port: MessagePort
  runner: RunnerPort
  module: string | null
  hasRendered: boolean
}

/** The pages that show the project: what they say, and that nothing is kept of those that have gone. */
export class PreviewPages {
  readonly #options: PreviewPagesOptions
  /** A window shows one page: with the next one that of before has gone. */
  readonly #shown = new Map<number, Shown>()
  readonly #early = new Map<number, PreviewPage>()
  #hasFiles = false
  #isKept = false

  constructor(options: PreviewPagesOptions) {
    this.#options = options
  }

  /** Those of which something is kept. */
  get count(): number {
    return this.#shown.size + this.#early.size
  }

  add(page: PreviewPage): void {
    const { window, port } = page
    this.#leave(window)
    // A page that would say so itself, as it goes, could not be taken away while it runs without end.
    port.addEventListener('close', () => {
      if (this.#early.get(window)?.port === port || this.#shown.get(window)?.port === port) this.#leave(window)
    })
    if (this.#hasFiles) this.#start(page)
    else this.#early.set(window, page)
  }

  /** The project is there. */
  begin(): void {
    this.#hasFiles = true
    for (const page of this.#early.values()) this.#start(page)
    this.#early.clear()
  }

  /** Pages that are there run this file from now on; null for what they run by themselves. */
  run(module: string | null): void {
    for (const page of this.#early.values()) page.module = module
    for (const shown of this.#shown.values()) shown.module = module
    void this.#options.engine.run(module)
  }

  /** Pages are to open again when no server answers. */
  keep(): void {
    this.#isKept = true
    for (const { runner, hasRendered } of this.#shown.values()) if (hasRendered) runner.post({ type: 'keep' })
  }

  #leave(window: number): void {
    this.#early.get(window)?.port.close()
    this.#early.delete(window)
    const before = this.#shown.get(window)
    if (!before) return
    this.#shown.delete(window)
    this.#options.engine.stop(before.runner)
    this.#options.compilers.leave(before.port)
    before.port.close()
  }

  #start({ port, address, module, window }: PreviewPage): void {
    const { engine, onNotice } = this.#options
    const shown: Shown = {
      port,
      runner: { post: (message: ToRunner) => port.postMessage(message) },
      module,
      hasRendered: false,
    }
    this.#shown.set(window, shown)
    const edge = new PageEdge({ hasFile: (path) => engine.hasFile(path), onLeftOut: onNotice })
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      const message = edge.take(data)
      if (message) this.#hear(message, shown, address)
    }
  }

  #hear(message: FromRunner, shown: Shown, address: string): void {
    const { engine, compilers, ...told } = this.#options
    switch (message.type) {
      case 'start':
        compilers.use(shown.port)
        void engine.start(shown.runner, address, shown.module)
        return
      case 'compiled':
        return compilers.receive(message)
      case 'console':
        return told.onConsole(message.level, message.text)
      case 'problem':
        return told.onProblem(message.problem)
      case 'open':
        return told.onOpen(message.file, message.line, message.column)
      case 'rendered':
        if (this.#isKept && !shown.hasRendered) shown.runner.post({ type: 'keep' })
        shown.hasRendered = true
        return told.onRendered()
      case 'address':
        return engine.receive(shown.runner, message)
    }
  }
}
