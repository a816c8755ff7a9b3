import { limits } from '../common/agentMessages.ts'
import type { FromRunner, RunnerModule, RunnerPack } from '../common/messages.ts'
import type { ModuleGraph } from './moduleGraph.ts'
import { findAsset, localPath } from './page.ts'
import type { Assets } from './page.ts'

/** The script that runs the modules of a worker, on this origin. */
const SCRIPT = '/__boxyard/worker.js'

/** The first message to that script. */
export interface WorkerBegin {
  entry: string
  modules: readonly RunnerModule[]
  pack: RunnerPack | null
  env: Readonly<Record<string, string | boolean>>
  assets: Assets
  /** Where its console is shown; takes messages to the engine. */
  console: MessagePort
}

interface Project {
  graph: Pick<ModuleGraph, 'workerAt' | 'modulesFrom'>
  pack: RunnerPack | null
  env: Readonly<Record<string, string | boolean>>
  assets: Assets
}

/** Lets a page, or a worker, start workers out of files of the project, which no server has. */
export class WorkerHost {
  readonly #used = new Set<string>()
  readonly #send: (message: FromRunner) => void
  #project: Project | undefined

  constructor(scope: typeof globalThis, send: (message: FromRunner) => void) {
    this.#send = send
    const Plain = scope.Worker
    scope.Worker = new Proxy(Plain, {
      construct: (target, [address, options]: [string | URL, WorkerOptions | undefined], made) => {
        const base = scope.document?.baseURI ?? scope.location.origin
        const path = this.#project && localPath(String(address), base)
        const start = path === undefined ? undefined : this.#startOf(path)
        if (typeof start === 'object') return this.#start(new Plain(SCRIPT, { ...options, type: 'module' }), start)
        return Reflect.construct(target, [start ?? address, options], made) as Worker
      },
    })
  }

  use(project: Project): void {
    this.#project = project
  }

  /** Whether a worker was started with this module. */
  isUsing(id: string): boolean {
    return this.#used.has(id)
  }

  /** The modules that a worker runs; the address of its script, for one that is run as it is. */
  #startOf(path: string): Omit<WorkerBegin, 'console'> | string | undefined {
    const { graph, pack, env, assets } = this.#project!
    const entry = graph.workerAt(path)
    if (entry !== undefined) return { entry, modules: graph.modulesFrom(entry), pack, env, assets }
    const content = findAsset(path, assets)
    if (content === undefined) return undefined
    return URL.createObjectURL(new Blob([content as BlobPart], { type: 'text/javascript' }))
  }

  #start(worker: Worker, start: Omit<WorkerBegin, 'console'>): Worker {
    for (const { id } of start.modules) this.#used.add(id)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }: MessageEvent<FromRunner>) => this.#send(data)
    worker.addEventListener('error', ({ message }) =>
      this.#send({ type: 'console', level: 'error', text: message.slice(0, limits.text) }),
    )
    worker.postMessage({ ...start, console: port2 } satisfies WorkerBegin, [port2])
    return worker
  }
}
