import { availableParallelism, totalmem } from 'node:os'
import type { Duplex } from 'node:stream'
import { createActor, waitFor } from 'xstate'
import type { ActorRefFrom } from 'xstate'
import type { BootType, BoxDriver, BoxMetrics, BoxSpec, RunningBox, Tier } from '../driver.ts'
import { BoxError } from '../errors.ts'
import { KeyedLock } from '../keyedLock.ts'
import type { BootEvent, BootInput, BoxEffects, FailInput, HaltInput, RunRequest, SleepInput } from './boxMachine.ts'
import { boxMachine } from './boxMachine.ts'
import type { BootPhase, BoxFailure, BoxRecord, BoxSettings, BoxState, BoxStore, StopReason } from './boxRecord.ts'
import { bootPhases, defaultBoxSettings } from './boxRecord.ts'
import type { Clock } from './clock.ts'
import { IdleWatch } from './idleWatch.ts'
import { Semaphore } from './semaphore.ts'

export interface BoxServiceOptions {
  driver: BoxDriver
  store: BoxStore
  clock: Clock
  /** For the operator: what the service did without being asked, and what went wrong beside the point. */
  log: (message: string) => void
  /** How much memory sleeping boxes may keep together before the one that slept longest goes on as files; a quarter of the machine's. */
  sleepBudgetBytes?: number
}

export interface NewBox extends BoxSpec {
  /** Whether what the disk is made from has its set-up behind it: then the first boot is a FORK. */
  inheritsSetup: boolean
  settings?: BoxSettings
}

/** What can be changed about a box at any time. */
export interface BoxChange extends Partial<BoxSettings> {
  tier?: Tier
}

/** What a start answers. */
export interface StartedBox {
  epoch: number
  bootType: BootType
  run: RunningBox
}

/** How far the latest start is. Times are milliseconds since the epoch. */
export interface BoxProgress {
  state: BoxState
  phase: BootPhase
  /** For people. */
  message: string
  /** 0 to 55: the rest of the bar is the dev server's own set-up. */
  progress: number
  elapsedMs: number
  phases: { phase: BootPhase; message: string; startedAt: number; endedAt: number | null }[]
  failure: BoxFailure | null
  stopReason: StopReason | null
}

export type RunOptions = Partial<RunRequest> & Pick<RunRequest, 'env'>

type BoxActor = ActorRefFrom<ReturnType<typeof boxMachine>>

const states = {
  stopped: 'stopped',
  starting: 'starting',
  failing: 'starting',
  running: 'running',
  hibernating: 'hibernating',
  hibernated: 'hibernated',
  resuming: 'resuming',
  stopping: 'stopping',
  error: 'error',
} as const

/** A box whose dev server kept ending is left alone for so long. */
const LOST_MS = 60_000

/**
 * The boxes of this server: one state machine each, over a driver and a durable store. What a call answers is saved before it
 * answers. Failures are BoxError.
 */
export class BoxService {
  readonly #driver: BoxDriver
  readonly #store: BoxStore
  readonly #clock: Clock
  readonly #log: (message: string) => void
  readonly #idle: IdleWatch
  readonly #actors = new Map<string, BoxActor>()
  /** Connections into running boxes, which end when the box goes to sleep: nobody would answer them. */
  readonly #connections = new Map<string, Set<Duplex>>()
  /** Boxes asleep in memory, the one that slept longest first. */
  readonly #sleeping = new Set<string>()
  readonly #sleepBudget: number
  /** Starts inside the driver, which a stop has to wait for. */
  readonly #driverStarts = new Map<string, Promise<unknown>>()
  readonly #records = new KeyedLock()
  readonly #calls = new KeyedLock()
  readonly #starting = new Semaphore(Math.max(2, availableParallelism()))
  readonly #machine: ReturnType<typeof boxMachine>
  readonly #unsubscribe: () => void
  #disposed = false

  constructor({ driver, store, clock, log, sleepBudgetBytes }: BoxServiceOptions) {
    this.#driver = driver
    this.#store = store
    this.#clock = clock
    this.#log = log
    this.#idle = new IdleWatch(clock)
    this.#sleepBudget = sleepBudgetBytes ?? totalmem() / 4
    this.#machine = boxMachine({
      boot: (input, report, signal) => this.#boot(input, report, signal),
      halt: (input) => this.#halt(input),
      hibernate: (input) => this.#hibernate(input),
      resume: (id) => this.#resume(id),
      fail: (input) => this.#fail(input),
      watchIdle: (id, idleMs, onIdle) => this.#idle.watch(id, idleMs, onIdle),
    } satisfies BoxEffects)
    this.#unsubscribe = driver.onExit(({ id, epoch, reason, log: said }) => {
      const actor = this.#actors.get(id)
      if (reason === 'stopped' || actor?.getSnapshot().context.run?.epoch !== epoch) return
      this.#log(`Box ${id} ended by itself (${reason}).`)
      if (reason !== 'failed') actor.send({ type: 'EXITED', reason })
      else if (actor.getSnapshot().matches('running')) actor.send({ type: 'LOST', detail: lastLines(said) })
      else actor.send({ type: 'EXITED', reason: 'exited' })
    })
  }

  /** Puts right what a killed server left: its boxes ended with it. Call before anything else. */
  async open(): Promise<void> {
    for (const record of await this.#store.list()) {
      const { id } = record.spec
      if (record.state === 'destroying') {
        await this.#remove(id)
      } else if (record.state === 'hibernated') {
        // Its memory ended with the server; it sleeps on as files.
        await this.#store.save({ ...record, state: 'stopped' })
      } else if (record.state !== 'stopped' && record.state !== 'error') {
        await this.#store.save({ ...record, state: 'stopped', stopReason: 'server-ended' })
      }
    }
  }

  /**
   * Makes a box. Its disk is made at once, except from a sealed disk that does not exist yet: then the first start prepares it.
   * The same box again is no error.
   */
  async create({ inheritsSetup: mayInherit, settings = defaultBoxSettings, ...given }: NewBox): Promise<void> {
    await this.#calls.run([given.id], async () => {
      const known = await this.#store.load(given.id)
      const source = given.disk.kind === 'box' ? await this.get(given.disk.boxId) : null
      // A source that was never started is copied by starting from what it would have started from.
      const spec = source !== null && !source.hasDisk ? { ...given, disk: source.spec.disk } : given
      const sourceIsSetUp = source === null || ((source.hasRun || source.inheritsSetup) && !source.cleanNext)
      const inheritsSetup = mayInherit && sourceIsSetUp
      if (known?.hasDisk && JSON.stringify(known.spec.disk) === JSON.stringify(spec.disk)) return
      if (known !== null && JSON.stringify(known.spec.disk) !== JSON.stringify(spec.disk)) {
        throw new BoxError('BOX_EXISTS', spec.id)
      }
      // The record comes first: a crash before the disk is made leaves a box that is made at its first start or again here,
      // never a disk that nobody knows of.
      const record: BoxRecord = known ?? {
        spec,
        inheritsSetup,
        hasDisk: false,
        hasRun: false,
        settings,
        cleanNext: false,
        state: 'stopped',
        epoch: 0,
        stopReason: null,
        lastError: null,
      }
      await this.#store.save(record)
      if (spec.disk.kind === 'sealed' && !(await this.#driver.hasSealed(spec.disk.diskId))) return
      try {
        await this.#driver.create(spec)
      } catch (error) {
        await this.#store.remove(spec.id)
        throw error
      }
      await this.#update(spec.id, { hasDisk: true })
    })
  }

  /** Starts a box, or joins the start or run that there is. Resolves when its dev server answers. */
  async start(id: string, options: RunOptions): Promise<StartedBox> {
    const given: RunRequest = { egressSocket: null, clean: false, prepareTemplate: null, idleMs: null, ...options }
    const actor = await this.#actor(id)
    const before = await waitFor(actor, (snapshot) => !snapshot.matches('stopping') && !snapshot.matches('hibernating'))
    const { settings } = await this.get(id)
    const request = { ...given, idleMs: settings.idleMs ?? given.idleMs }
    if (this.#disposed) throw new BoxError('BOX_NOT_RUNNING', 'the server is stopping')
    if (before.matches('running')) return { ...this.#started(id, actor), bootType: 'RUNNING' }
    const { failure: lost } = before.context
    // Pages that lost their box ask for it at once and again. Only a person who has seen why starts it anew, or time.
    if (before.matches('error') && lost?.code === 'DEV_SERVER_LOST' && !request.clean) {
      if (this.#clock.now() - lost.at.getTime() < LOST_MS) throw new BoxError(lost.code, lost.detail ?? undefined)
    }
    // Without effect while another start is under way, which is then joined.
    actor.send({ type: 'START', request })
    const after = await waitFor(
      actor,
      (snapshot) => snapshot.matches('running') || snapshot.matches('error') || snapshot.matches('stopped'),
    )
    if (after.matches('running')) return this.#started(id, actor)
    const { failure } = after.context
    if (failure === null) throw new BoxError('BOX_NOT_RUNNING', `${id} was stopped while it started`)
    throw new BoxError(failure.code, failure.detail ?? undefined)
  }

  /** Stops a box. Resolves when nothing of it runs; one that does not run is no error. `clean`: its next start is a clean boot. */
  async stop(id: string, options: { graceMs?: number; clean?: boolean } = {}): Promise<void> {
    const actor = await this.#actor(id)
    if (options.clean) await this.#update(id, { cleanNext: true })
    await this.#stop(actor, 'stopped', options.graceMs)
  }

  /**
   * Puts a running box to sleep, in memory where the driver can, else as files. Resolves when it sleeps; one that does not run is no
   * error.
   */
  async hibernate(id: string): Promise<void> {
    const actor = await this.#actor(id)
    await waitFor(actor, (snapshot) => !snapshot.matches('starting') && !snapshot.matches('resuming'))
    actor.send({ type: 'HIBERNATE', reason: 'hibernated' })
    await waitFor(actor, (snapshot) => !snapshot.matches('hibernating') && !snapshot.matches('stopping'))
  }

  /** Changes settings and size. True when everything holds at once, false when the size needs the next start. */
  async configure(id: string, { tier, ...settings }: BoxChange): Promise<boolean> {
    const { hasDisk } = await this.#update(id, (record) => ({
      settings: { ...record.settings, ...settings },
      spec: { ...record.spec, tier: tier ?? record.spec.tier },
    }))
    if (settings.idleMs != null) this.#idle.setLimit(id, settings.idleMs)
    if (tier === undefined || !hasDisk) return true
    return this.#calls.run([id], () => this.#driver.resize(id, tier))
  }

  /** Gives a box that is awake the dev server that is installed now; its terminals run on. False for one that is not awake: its next start has it. */
  async update(id: string): Promise<boolean> {
    const actor = await this.#actor(id)
    if (!actor.getSnapshot().matches('running')) return false
    await this.#calls.run([id], () => this.#driver.update(id))
    return true
  }

  /** The number of the run that is awake now, or undefined. */
  epochOf(id: string): number | undefined {
    const snapshot = this.#actors.get(id)?.getSnapshot()
    return snapshot?.matches('running') ? snapshot.context.run?.epoch : undefined
  }

  /** The boxes that are awake now. */
  running(): readonly RunningBox[] {
    return this.inMemory().filter(({ id, epoch }) => this.epochOf(id) === epoch)
  }

  /** The same, with those that sleep in memory. */
  inMemory(): readonly RunningBox[] {
    return this.#driver.running()
  }

  /** The record of a box, or null. */
  find(id: string): Promise<BoxRecord | null> {
    return this.#store.load(id)
  }

  /** Stops and starts. */
  async restart(id: string, options: RunOptions): Promise<StartedBox> {
    await this.stop(id)
    return this.start(id, options)
  }

  /** Stops a box and removes its disk and its record. */
  async destroy(id: string): Promise<void> {
    if ((await this.#store.load(id)) === null) return
    await this.stop(id, { graceMs: 0 })
    await this.#calls.run([id], async () => {
      await this.#update(id, { state: 'destroying' })
      await this.#remove(id)
    })
  }

  /** Makes an immutable copy of a box's disk, from which any number of boxes can be made. */
  async seal(id: string, diskId: string): Promise<void> {
    await this.#driver.seal(id, diskId)
  }

  hasSealed(diskId: string): Promise<boolean> {
    return this.#driver.hasSealed(diskId)
  }

  removeSealed(diskId: string): Promise<void> {
    return this.#driver.removeSealed(diskId)
  }

  /** A connection to the dev server of a running box. */
  connect(id: string): Promise<Duplex> {
    return this.#reach(id, () => this.#driver.connect(id))
  }

  /** A connection to a port in a running box; fails with PORT_CLOSED when nothing listens there. */
  dial(id: string, port: number): Promise<Duplex> {
    return this.#reach(id, () => this.#driver.dial(id, port))
  }

  /** Says that somebody uses the box now. */
  touch(id: string): void {
    this.#idle.touch(id)
  }

  /** Keeps a box awake until the returned function is called, for as long as an editor is connected. */
  hold(id: string): () => void {
    return this.#idle.hold(id)
  }

  /** When somebody last used the box, in milliseconds since the epoch, or null. */
  lastUsedAt(id: string): number | null {
    return this.#idle.lastUsedAt(id)
  }

  metrics(id: string): Promise<BoxMetrics> {
    return this.#driver.metrics(id)
  }

  log(id: string): Promise<string> {
    return this.#driver.log(id)
  }

  /** The record of a box. */
  async get(id: string): Promise<BoxRecord> {
    const record = await this.#store.load(id)
    if (record === null) throw new BoxError('BOX_NOT_FOUND', id)
    return record
  }

  async progress(id: string): Promise<BoxProgress> {
    return this.#progressOf(await this.#actor(id))
  }

  /** Calls `listener` with the progress now and after each change. Returns a function that stops it. */
  async onProgress(id: string, listener: (progress: BoxProgress) => void): Promise<() => void> {
    const actor = await this.#actor(id)
    listener(this.#progressOf(actor))
    const subscription = actor.subscribe(() => listener(this.#progressOf(actor)))
    return () => subscription.unsubscribe()
  }

  /** Stops every box and the service. */
  async dispose(): Promise<void> {
    this.#disposed = true
    this.#unsubscribe()
    await Promise.all(
      [...this.#actors].map(async ([id, actor]) => {
        await this.#stop(actor, 'server-ended').catch((error: unknown) => {
          this.#log(`Box ${id} could not be stopped in order: ${String(error)}`)
        })
        actor.stop()
      }),
    )
    this.#actors.clear()
  }

  async #stop(actor: BoxActor, reason: 'stopped' | 'server-ended', graceMs?: number): Promise<void> {
    actor.send({ type: 'STOP', reason, graceMs })
    const after = await waitFor(actor, (snapshot) => {
      // A box that is falling asleep or waking is stopped when it is done with that.
      if (snapshot.matches('running') || snapshot.matches('hibernated')) actor.send({ type: 'STOP', reason, graceMs })
      return snapshot.matches('stopped') || snapshot.matches('error')
    })
    const { failure, stopReason } = after.context
    if (after.matches('error') && stopReason !== null && failure !== null) {
      throw new BoxError(failure.code, failure.detail ?? undefined)
    }
  }

  async #actor(id: string): Promise<BoxActor> {
    const known = this.#actors.get(id)
    if (known !== undefined) return known
    const { lastError, stopReason } = await this.get(id)
    // Another caller may have come first meanwhile.
    const made = this.#actors.get(id)
    if (made !== undefined) return made
    if (this.#disposed) throw new BoxError('BOX_NOT_RUNNING', 'the server is stopping')
    const clock = this.#clock
    const actor = createActor(this.#machine, {
      clock,
      input: { id, now: () => clock.now(), failure: lastError, stopReason },
    })
    this.#actors.set(id, actor)
    actor.start()
    return actor
  }

  async #boot({ id, request }: BootInput, report: (event: BootEvent) => void, signal: AbortSignal): Promise<void> {
    let record = await this.#update(id, { state: 'starting', stopReason: null }, signal)
    const { disk } = record.spec
    if (!record.hasDisk && disk.kind === 'sealed' && !(await this.#driver.hasSealed(disk.diskId))) {
      if (request.prepareTemplate === null) throw new BoxError('DISK_FAILED', `there is no sealed disk ${disk.diskId}`)
      report({ type: 'PHASE', phase: 'template' })
      const substitute = await request.prepareTemplate()
      if (substitute !== null) {
        const change = ({ spec }: BoxRecord) => ({ spec: { ...spec, disk: substitute }, inheritsSetup: false })
        record = await this.#update(id, change, signal)
      }
    }
    // Only now: preparing a template starts a box too, which must not wait for the place of this one.
    const release = await this.#starting.acquire()
    try {
      report({ type: 'PHASE', phase: 'preparing-disk' })
      if (!record.hasDisk) {
        // Not when the disk was made before: a lost disk must be seen, not replaced by an empty one.
        await this.#driver.create(record.spec)
        await this.#update(id, { hasDisk: true }, signal)
      }
      const boot = bootType(record, request.clean)
      const epoch = await this.#run(id, boot, request, report, signal)
      await this.#update(id, { state: 'running', hasRun: true, cleanNext: false, lastError: null }, signal)
      if (!this.#driver.running().some((box) => box.id === id && box.epoch === epoch)) {
        throw new BoxError('DEV_SERVER_FAILED', 'it ended as soon as it had answered')
      }
      report({ type: 'BOOTED', epoch, bootType: boot })
    } finally {
      release()
    }
  }

  /** Starts one run in the driver and returns its number. */
  async #run(
    id: string,
    boot: Exclude<BootType, 'RUNNING'>,
    request: RunRequest,
    report: (event: BootEvent) => void,
    signal: AbortSignal,
  ): Promise<number> {
    // Saved before the run begins, so that no two runs ever have the same number.
    const { epoch } = await this.#update(id, ({ epoch: last }) => ({ epoch: last + 1 }), signal)
    const starting = this.#driver.start(id, {
      epoch,
      boot,
      env: request.env,
      egressSocket: request.egressSocket,
      onPhase: (phase) => {
        // The driver may not yet have known the run when it was told to stop it.
        if (signal.aborted) void this.#driver.stop(id, { graceMs: 0 })
        else report({ type: 'PHASE', phase })
      },
    })
    this.#driverStarts.set(id, starting)
    try {
      await starting
    } finally {
      this.#driverStarts.delete(id)
    }
    return epoch
  }

  async #hibernate({ id, reason }: SleepInput): Promise<boolean> {
    await this.#update(id, { state: 'hibernating', stopReason: reason })
    const inMemory = await this.#driver.hibernate(id)
    for (const connection of this.#connections.get(id) ?? []) connection.destroy()
    if (!inMemory) return false
    await this.#update(id, { state: 'hibernated' })
    this.#sleeping.add(id)
    void this.#keepSleepBudget().catch((error: unknown) => {
      this.#log(`The memory of sleeping boxes could not be measured: ${String(error)}`)
    })
    return true
  }

  async #resume(id: string): Promise<void> {
    this.#sleeping.delete(id)
    await this.#update(id, { state: 'resuming' })
    await this.#driver.resume(id)
    await this.#update(id, { state: 'running', stopReason: null })
  }

  /** Sleeping costs memory: beyond the budget, those that slept longest go on as files. */
  async #keepSleepBudget(): Promise<void> {
    const sizes = new Map<string, number>()
    for (const id of this.#sleeping) sizes.set(id, (await this.#driver.metrics(id)).memoryBytes)
    let total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
    for (const [id, bytes] of sizes) {
      if (total <= this.#sleepBudget) return
      total -= bytes
      this.#actors.get(id)?.send({ type: 'EVICT' })
    }
  }

  async #reach(id: string, open: () => Promise<Duplex>): Promise<Duplex> {
    const snapshot = this.#actors.get(id)?.getSnapshot()
    const asleep = snapshot?.matches('hibernating') || snapshot?.matches('hibernated') || snapshot?.matches('resuming')
    if (asleep) throw new BoxError('BOX_NOT_RUNNING', `${id} is asleep`)
    this.#idle.touch(id)
    const connection = await open()
    const connections = this.#connections.get(id) ?? new Set()
    this.#connections.set(id, connections.add(connection))
    connection.once('close', () => connections.delete(connection))
    return connection
  }

  async #halt({ id, reason, graceMs }: HaltInput): Promise<void> {
    this.#sleeping.delete(id)
    await this.#update(id, { state: 'stopping', stopReason: reason })
    await this.#endRun(id, graceMs)
    await this.#update(id, { state: 'stopped' })
  }

  async #fail({ id, failure }: FailInput): Promise<void> {
    const what = failure.phase === null ? `Box ${id} failed` : `The start of box ${id} failed in ${failure.phase}`
    this.#log(`${what}: ${failure.code} ${failure.detail ?? ''}`)
    await this.#endRun(id, 0)
    await this.#update(id, { state: 'error', lastError: failure })
  }

  async #endRun(id: string, graceMs: number | undefined): Promise<void> {
    const options = graceMs === undefined ? {} : { graceMs }
    await this.#driver.stop(id, options)
    await Promise.allSettled([this.#driverStarts.get(id)])
    await this.#driver.stop(id, options)
  }

  async #remove(id: string): Promise<void> {
    await this.#driver.destroy(id)
    await this.#store.remove(id)
    this.#actors.get(id)?.stop()
    this.#actors.delete(id)
    this.#idle.forget(id)
  }

  /** Changes a record, one change at a time. Throws when `signal` was aborted, since what was begun is then not to be saved. */
  #update(
    id: string,
    change: Partial<BoxRecord> | ((record: BoxRecord) => Partial<BoxRecord>),
    signal?: AbortSignal,
  ): Promise<BoxRecord> {
    return this.#records.run([id], async () => {
      const record = await this.get(id)
      if (signal?.aborted) throw new BoxError('BOX_NOT_RUNNING', `the start of ${id} was given up`)
      const next = { ...record, ...(typeof change === 'function' ? change(record) : change) }
      await this.#store.save(next)
      return next
    })
  }

  #started(id: string, actor: BoxActor): StartedBox {
    const { run } = actor.getSnapshot().context
    const running = this.#driver.running().find((box) => box.id === id)
    if (run === null || running === undefined) throw new BoxError('BOX_NOT_RUNNING', `${id} ended as it started`)
    return { ...run, run: running }
  }

  #progressOf(actor: BoxActor): BoxProgress {
    const snapshot = actor.getSnapshot()
    const { phases, failure, stopReason, now } = snapshot.context
    const phase = phases.at(-1)?.phase ?? 'queued'
    const first = phases[0]?.startedAt
    const last = phases.at(-1)?.endedAt ?? now()
    const state = Object.entries(states).find(([name]) => snapshot.matches(name as keyof typeof states))?.[1]
    return {
      state: state ?? 'stopped',
      phase,
      message: bootPhases[phase].message,
      progress: bootPhases[phase].progress,
      elapsedMs: first === undefined ? 0 : last - first,
      phases: phases.map((times) => ({ ...times, message: bootPhases[times.phase].message })),
      failure,
      stopReason,
    }
  }
}

function bootType(record: BoxRecord, clean: boolean): Exclude<BootType, 'RUNNING'> {
  const { hasRun, inheritsSetup, cleanNext, spec } = record
  if (clean || cleanNext) return 'CLEAN'
  if (hasRun) return 'RESUME'
  return inheritsSetup && spec.disk.kind !== 'folder' ? 'FORK' : 'CLEAN'
}

function lastLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-10)
    .join('\n')
}
