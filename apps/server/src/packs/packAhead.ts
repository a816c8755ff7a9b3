import type { PackRequest } from '@boxyard/packer'
import type { PlatformEvent } from '../events/platformEvent.ts'
import { limitConcurrency } from '../limitConcurrency.ts'
import type { ProjectFiles } from './projectFiles.ts'
import { FILES_BROUGHT, FILES_CHANGED, filesBroughtSchema, filesChangedSchema } from '../sandboxes/filesChanged.ts'

/** Files come one after the other; they are looked at together. */
const SETTLE_MS = 1_000
/** Without a request for this long, nobody waits for anything. */
const QUIET_MS = 60_000
/** Sandboxes that wait; more are packed when somebody opens them, as they would be without all this. */
const MOST_WAITING = 100

export interface PackAheadOptions {
  /** The saved files of a sandbox; null when there is none any more. With `changed`: null also when the change has nothing to do with its dependencies. */
  filesOf(sandboxId: string, changed?: readonly string[]): Promise<ProjectFiles | null>
  /** What the preview of a project will ask for. */
  ask(files: ProjectFiles): Promise<PackRequest[]>
  /** Packs for a sandbox as it is saved; null: for everybody. */
  pack(sandboxId: string | null, request: PackRequest): Promise<unknown>
  /** Whether somebody is connected: who works in an editor asks for little and wants the processor. */
  isUsed(): boolean
  /** Something could not be packed. Whoever opens it hears of it; here it is written down alone. */
  onFailure(error: unknown, sandboxId: string | null): void
  timers?: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>
}

/**
 * Makes packs when dependencies change, so that who opens a sandbox finds them: of projects that are brought, of a package.json that a program
 * changes, and of templates while nobody uses the server. An open page asks for its own. One thing at a time, and never in front of a person's.
 */
export class PackAhead {
  readonly #options: PackAheadOptions
  readonly #timers: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>
  readonly #settling = new Map<string, { timer: ReturnType<typeof setTimeout>; changed: string[] | undefined }>()
  readonly #oneAtATime = limitConcurrency(1)
  #templates: (() => Promise<ProjectFiles>)[] = []
  #quietTimer: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  constructor(options: PackAheadOptions) {
    this.#options = options
    this.#timers = options.timers ?? globalThis
  }

  async handle({ type, data }: Pick<PlatformEvent, 'type' | 'data'>): Promise<void> {
    if (type === FILES_BROUGHT) this.#later(filesBroughtSchema.parse(data).sandboxId, undefined)
    if (type !== FILES_CHANGED) return
    const { sandboxId, by, modules } = filesChangedSchema.parse(data)
    if (by === null && modules.length > 0) this.#later(sandboxId, modules)
  }

  /** What is packed when nobody has asked the server for anything for a while. */
  packInQuiet(templates: readonly (() => Promise<ProjectFiles>)[]): void {
    this.#templates = [...templates]
    this.asked()
  }

  /** Somebody asked the server for something. */
  asked(): void {
    this.#timers.clearTimeout(this.#quietTimer)
    if (this.#isClosed || this.#templates.length === 0) return
    this.#quietTimer = this.#timers.setTimeout(() => void this.#packTemplate(), QUIET_MS)
  }

  close(): void {
    this.#isClosed = true
    this.#timers.clearTimeout(this.#quietTimer)
    for (const { timer } of this.#settling.values()) this.#timers.clearTimeout(timer)
    this.#settling.clear()
  }

  #later(sandboxId: string, changed: readonly string[] | undefined): void {
    const before = this.#settling.get(sandboxId)
    if (this.#isClosed || (!before && this.#settling.size >= MOST_WAITING)) return
    this.#timers.clearTimeout(before?.timer)
    const isWhole = changed === undefined || (before && before.changed === undefined)
    this.#settling.set(sandboxId, {
      changed: isWhole ? undefined : [...(before?.changed ?? []), ...changed],
      timer: this.#timers.setTimeout(() => {
        const settled = this.#settling.get(sandboxId)
        // It counts among those that wait until its turn has come.
        void this.#oneAtATime(async () => {
          if (this.#settling.get(sandboxId) === settled) this.#settling.delete(sandboxId)
          await this.#pack(sandboxId, () => this.#options.filesOf(sandboxId, settled?.changed))
        })
      }, SETTLE_MS),
    })
  }

  async #packTemplate(): Promise<void> {
    const [files] = this.#templates
    if (!files) return
    const timer = this.#quietTimer
    if (this.#options.isUsed()) return this.asked()
    await this.#oneAtATime(() => this.#pack(null, files))
    this.#templates.shift()
    // As long as nobody came meanwhile, it goes on at once.
    if (timer === this.#quietTimer) return this.#isClosed ? undefined : this.#packTemplate()
  }

  async #pack(sandboxId: string | null, read: () => Promise<ProjectFiles | null>): Promise<void> {
    if (this.#isClosed) return
    try {
      const files = await read()
      const requests = files ? await this.#options.ask(files) : []
      for (const request of requests) {
        if (this.#isClosed) return
        await this.#options.pack(sandboxId, request)
      }
    } catch (error) {
      this.#options.onFailure(error, sandboxId)
    }
  }
}
