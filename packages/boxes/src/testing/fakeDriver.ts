import type { Duplex } from 'node:stream'
import { deferred } from '../deferred.ts'
import type { Deferred } from '../deferred.ts'
import type {
  BoxDriver,
  BoxExit,
  BoxMetrics,
  BoxSpec,
  DriverProbe,
  RunningBox,
  StartOptions,
  StartPhase,
  Tier,
} from '../driver.ts'
import { BoxError } from '../errors.ts'

/** What a test decides about the next start. */
export type StartPlan =
  | { kind: 'ready' }
  | { kind: 'fail'; error: BoxError }
  /** Hangs in the phase until it is stopped. */
  | { kind: 'hang'; phase: StartPhase }

/** A driver in memory whose starts do what the test planned. It keeps the contract's rules about ids and runs. */
export class FakeDriver implements BoxDriver {
  readonly name = 'fake'
  /** One for each coming start; after the last, starts become ready. */
  readonly plans: StartPlan[] = []
  readonly starts: { id: string; options: StartOptions }[] = []
  readonly boxes = new Set<string>()
  readonly sealed = new Set<string>()
  readonly asleep = new Set<string>()
  readonly sizes = new Map<string, Tier>()
  keepsMemory = true
  /** Sleepers do not wake. */
  brokenSleep = false
  memoryBytes = 0
  readonly #running = new Map<string, RunningBox>()
  readonly #hanging = new Map<string, Deferred<void>>()
  readonly #listeners = new Set<(exit: BoxExit) => void>()

  async probe(): Promise<DriverProbe> {
    return { ok: true, capabilities: new Set(), isolation: 'none', reasons: [] }
  }

  async create(spec: BoxSpec): Promise<void> {
    if (spec.disk.kind === 'sealed' && !this.sealed.has(spec.disk.diskId))
      throw new BoxError('DISK_FAILED', 'not sealed')
    this.boxes.add(spec.id)
  }

  async start(id: string, options: StartOptions): Promise<RunningBox> {
    if (!this.boxes.has(id)) throw new BoxError('BOX_NOT_FOUND', id)
    this.starts.push({ id, options })
    const plan = this.plans.shift() ?? { kind: 'ready' }
    for (const phase of ['preparing-disk', 'starting-sandbox', 'starting-dev-server'] as const) {
      options.onPhase(phase)
      if (plan.kind === 'hang' && plan.phase === phase) {
        const hanging = deferred<void>()
        this.#hanging.set(id, hanging)
        await hanging.promise
      }
    }
    if (plan.kind === 'fail') throw plan.error
    const limits = { cpu: false, memory: false, processes: false, disk: false }
    const box: RunningBox = {
      id,
      epoch: options.epoch,
      startedAt: new Date(0),
      workspace: '/project/workspace',
      limits,
    }
    this.#running.set(id, box)
    return box
  }

  async stop(id: string): Promise<void> {
    this.#hanging.get(id)?.reject(new BoxError('BOX_NOT_RUNNING', 'stopped'))
    this.#hanging.delete(id)
    this.end(id, 'stopped')
  }

  /** Ends a run as if the box had done so itself. */
  end(id: string, reason: BoxExit['reason'], log = ''): void {
    const box = this.#running.get(id)
    if (box === undefined) return
    this.#running.delete(id)
    this.asleep.delete(id)
    for (const listener of this.#listeners) listener({ id, epoch: box.epoch, reason, log })
  }

  async pause(): Promise<void> {
    throw new BoxError('UNSUPPORTED')
  }

  async unpause(): Promise<void> {
    throw new BoxError('UNSUPPORTED')
  }

  keepTree(): Promise<void> {
    return Promise.resolve()
  }

  giveTree(): Promise<boolean> {
    return Promise.resolve(false)
  }

  async hibernate(id: string): Promise<boolean> {
    if (!this.#running.has(id)) throw new BoxError('BOX_NOT_RUNNING', id)
    if (!this.keepsMemory) {
      await this.stop(id)
      return false
    }
    this.asleep.add(id)
    return true
  }

  async resume(id: string): Promise<void> {
    if (!this.#running.has(id)) throw new BoxError('BOX_NOT_RUNNING', id)
    if (this.brokenSleep) throw new BoxError('DEADLINE', 'waking')
    this.asleep.delete(id)
  }

  async resize(id: string, tier: Tier): Promise<boolean> {
    this.sizes.set(id, tier)
    return this.#running.has(id)
  }

  async update(): Promise<void> {
    throw new BoxError('UNSUPPORTED')
  }

  async seal(_id: string, diskId: string): Promise<void> {
    this.sealed.add(diskId)
  }

  async hasSealed(diskId: string): Promise<boolean> {
    return this.sealed.has(diskId)
  }

  async removeSealed(diskId: string): Promise<void> {
    this.sealed.delete(diskId)
  }

  async destroy(id: string): Promise<void> {
    await this.stop(id)
    this.boxes.delete(id)
  }

  async connect(id: string): Promise<Duplex> {
    throw new BoxError('BOX_NOT_RUNNING', id)
  }

  async dial(id: string): Promise<Duplex> {
    throw new BoxError('BOX_NOT_RUNNING', id)
  }

  async metrics(id: string): Promise<BoxMetrics> {
    if (!this.#running.has(id)) throw new BoxError('BOX_NOT_RUNNING', id)
    const none = { memoryLimitBytes: null, diskBytes: 0, diskLimitBytes: null }
    return { cpuUsec: 0, memoryBytes: this.memoryBytes, processes: 1, ...none }
  }

  running(): readonly RunningBox[] {
    return [...this.#running.values()]
  }

  async log(): Promise<string> {
    return ''
  }

  onExit(listener: (exit: BoxExit) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async dispose(): Promise<void> {
    for (const id of this.#running.keys()) await this.stop(id)
  }
}
