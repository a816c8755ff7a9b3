import type { PackRequest, SourceTreeRequest, TypePackRequest } from '@boxyard/packer'
import type { PlatformEvent } from '../events/platformEvent.ts'
import { limitConcurrency } from '../limitConcurrency.ts'
import type { Ahead } from './lookInProcess.ts'
import type { ProjectFiles } from './projectFiles.ts'
import { FILES_BROUGHT, FILES_CHANGED, filesBroughtSchema, filesChangedSchema } from '../sandboxes/filesChanged.ts'

/** A program changes one file after the other; they are looked at together. */
const SETTLE_MS = 1_000
/** Whoever edits wants the processor; what comes of it is for the next one who opens it. */
const EDITED_MS = 20_000
/** A page that has just been opened is made ready for the next visit when it has had its time. */
const OPENED_MS = 10_000
/** Without a request for this long, nobody waits for anything. */
export const QUIET_MS = 60_000
/** After this long the ranges of templates may mean other versions, and are looked up again. */
const TEMPLATES_MS = 24 * 60 * 60 * 1000
/** Sandboxes that wait; more are compiled and packed by whoever opens them, as they would be without all this. */
const MOST_WAITING = 100

/** A guess that would have to wait is of no use: what compiles asks by itself soon. */
const MOST_GUESSES = 2

export interface PrepareAheadOptions {
  /** The saved files of a sandbox; null when there is none any more. */
  filesOf(sandboxId: string): Promise<ProjectFiles | null>
  /** What the preview of a project needs, as it was found out before or is found out now, and kept. */
  look(files: ProjectFiles): Promise<Pick<Ahead, 'questions' | 'sources' | 'types'>>
  /** What the look will most probably ask the packer for, seen at once; null where it takes the look. */
  guess(files: ProjectFiles): PackRequest | null
  /** Packs for a sandbox as it is saved; null: for everybody. */
  pack(sandboxId: string | null, request: PackRequest): Promise<unknown>
  /** In the same way, what a server that starts by itself finds in node_modules. */
  sources(sandboxId: string | null, request: SourceTreeRequest): Promise<unknown>
  /** Declarations of packages, for everybody. */
  types(request: TypePackRequest): Promise<unknown>
  /** Whether somebody is connected: who works in an editor asks for little and wants the processor. */
  isUsed(): boolean
  /** Something could not be made ready. Whoever opens it hears of it; here it is written down alone. */
  onFailure(error: unknown, sandboxId: string | null): void
  /** Those of the system when absent. */
  timers?: Timers
}

export interface Timers {
  setTimeout(work: () => void, milliseconds: number): NodeJS.Timeout
  clearTimeout(timer: NodeJS.Timeout | undefined): void
}

/**
 * Has sandboxes compiled and packed when they change, so that who opens one finds it ready: projects that are brought, what programs and people
 * have changed when they are done, and templates while nobody uses the server. One thing at a time, and never in front of a person's.
 */
export class PrepareAhead {
  readonly #options: PrepareAheadOptions
  readonly #timers: Timers
  readonly #settling = new Map<string, NodeJS.Timeout>()
  readonly #oneAtATime = limitConcurrency(1)
  /** Of what was opened, those that are being packed as they seem to be. */
  #guesses = 0
  #templates: (() => Promise<ProjectFiles>)[] = []
  #quietTimer: NodeJS.Timeout | undefined
  #templatesTimer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: PrepareAheadOptions) {
    this.#options = options
    this.#timers = options.timers ?? globalThis
  }

  async handle({ type, data }: Pick<PlatformEvent, 'type' | 'data'>): Promise<void> {
    if (type === FILES_BROUGHT) this.#later(filesBroughtSchema.parse(data).sandboxId, 0)
    if (type !== FILES_CHANGED) return
    const { sandboxId, by } = filesChangedSchema.parse(data)
    this.#later(sandboxId, by === null ? SETTLE_MS : EDITED_MS)
  }

  /** Somebody opened a sandbox that is not ready, and will ask for its packages when it is compiled. */
  opened(sandboxId: string): void {
    if (this.#settling.has(sandboxId)) return
    this.#later(sandboxId, OPENED_MS)
    if (!this.#settling.has(sandboxId) || this.#guesses >= MOST_GUESSES) return
    this.#guesses += 1
    void this.#packGuessed(sandboxId, () => this.#options.filesOf(sandboxId)).finally(() => (this.#guesses -= 1))
  }

  /** What is made ready when nobody has asked the server for anything for a while, once a day. */
  prepareInQuiet(templates: readonly (() => Promise<ProjectFiles>)[]): void {
    this.#templates = [...templates]
    this.#templatesTimer = this.#timers.setTimeout(() => this.prepareInQuiet(templates), TEMPLATES_MS)
    this.asked()
  }

  /** Somebody asked the server for something. */
  asked(): void {
    this.#timers.clearTimeout(this.#quietTimer)
    if (this.#isClosed || this.#templates.length === 0) return
    this.#quietTimer = this.#timers.setTimeout(() => void this.#prepareTemplate(), QUIET_MS)
  }

  close(): void {
    this.#isClosed = true
    this.#timers.clearTimeout(this.#quietTimer)
    this.#timers.clearTimeout(this.#templatesTimer)
    for (const timer of this.#settling.values()) this.#timers.clearTimeout(timer)
    this.#settling.clear()
  }

  #later(sandboxId: string, milliseconds: number): void {
    const before = this.#settling.get(sandboxId)
    if (this.#isClosed || (before === undefined && this.#settling.size >= MOST_WAITING)) return
    this.#timers.clearTimeout(before)
    const timer = this.#timers.setTimeout(() => {
      // It counts among those that wait until its turn has come.
      void this.#oneAtATime(async () => {
        if (this.#settling.get(sandboxId) === timer) this.#settling.delete(sandboxId)
        await this.#prepare(sandboxId, () => this.#options.filesOf(sandboxId))
      })
    }, milliseconds)
    this.#settling.set(sandboxId, timer)
  }

  async #prepareTemplate(): Promise<void> {
    const [files] = this.#templates
    if (!files) return
    const timer = this.#quietTimer
    if (this.#options.isUsed()) return this.asked()
    await this.#oneAtATime(() => this.#prepare(null, files))
    // Another turn may have begun meanwhile, and have taken it out already.
    if (this.#templates[0] === files) this.#templates.shift()
    // As long as nobody came meanwhile, it goes on at once.
    if (timer === this.#quietTimer) return this.#isClosed ? undefined : this.#prepareTemplate()
  }

  async #packGuessed(sandboxId: string | null, read: () => Promise<ProjectFiles | null>): Promise<void> {
    if (this.#isClosed) return
    try {
      const files = await read()
      const request = files && this.#options.guess(files)
      if (request) await this.#options.pack(sandboxId, request)
    } catch (error) {
      this.#options.onFailure(error, sandboxId)
    }
  }

  async #prepare(sandboxId: string | null, read: () => Promise<ProjectFiles | null>): Promise<void> {
    if (this.#isClosed) return
    try {
      const files = await read()
      if (!files) return
      // Who opens it meanwhile waits for this, and the look takes longer than to see it.
      const guessed = this.#packGuessed(sandboxId, async () => files)
      const { questions, sources, types } = await this.#options.look(files)
      await guessed
      const works = questions.map((request) => () => this.#options.pack(sandboxId, request))
      if (sources) works.push(() => this.#options.sources(sandboxId, sources))
      // Who opens a project of their own asks for declarations when its page stands; those of templates are everybody's.
      if (types && sandboxId === null) works.push(() => this.#options.types(types))
      for (const work of works) if (!this.#isClosed) await work()
    } catch (error) {
      this.#options.onFailure(error, sandboxId)
    }
  }
}
