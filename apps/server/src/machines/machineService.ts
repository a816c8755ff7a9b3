import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import { boxErrors } from '@boxyard/boxes'
import type {
  BoxDriver,
  BoxProgress,
  BoxService,
  DiskSource,
  IsolationLevel,
  RunOptions,
  StartedBox,
  Tier,
} from '@boxyard/boxes'
import type { MachineGateway } from '../edge/machineGateway.ts'
import type { MachineDirectory, MachineSource } from '../sandboxes/machineDirectory.ts'
import type { TemplateDisks } from './templateDisks.ts'

/** How far the start of a machine is. */
export interface MachineProgress extends BoxProgress {
  /** What the present phase is busy with, or null. */
  detail: string | null
  /** What to do about the failure, or null. */
  next: string | null
}

export interface MachineServiceOptions {
  driver: BoxDriver
  boxes: BoxService
  templates: TemplateDisks
  /** Which template a devbox was made from, while this installation has it. */
  templateOf: (sandboxId: string) => Promise<{ name: string; folder: string } | null>
  network: { open(boxId: string): Promise<string>; release(boxId: string): Promise<void> }
  env: Readonly<Record<string, string>>
  tier: Tier
  isolation: IsolationLevel
  /** A box that nobody uses is stopped after so many milliseconds. */
  idleMs: number
}

/**
 * The machines of devboxes: what their disks come from, their starts and stops, and the connections of the edge. The box of a devbox has
 * the devbox's id.
 */
export class MachineService implements MachineDirectory, MachineGateway {
  readonly isolation: IsolationLevel
  private readonly options: MachineServiceOptions
  private readonly details = new Map<string, string>()
  private readonly emitter = new EventEmitter<{ detail: [id: string] }>().setMaxListeners(0)

  constructor(options: MachineServiceOptions) {
    this.options = options
    this.isolation = options.isolation
  }

  async create(sandboxId: string, source: MachineSource): Promise<void> {
    const { boxes, templates, tier } = this.options
    const disk: DiskSource =
      source.kind === 'template'
        ? { kind: 'sealed', diskId: await templates.diskIdOf(source.folder) }
        : source.kind === 'folder'
          ? { kind: 'folder', path: source.folder }
          : { kind: 'box', boxId: source.sandboxId }
    // What was set up before comes along; a folder was never set up.
    await boxes.create({ id: sandboxId, tier, disk, inheritsSetup: source.kind !== 'folder' })
  }

  /** Starts the machine, or joins the start or the run there is. Rejects with BoxError. */
  async start(id: string): Promise<StartedBox> {
    return this.options.boxes.start(id, await this.runOptions(id))
  }

  async stop(id: string): Promise<void> {
    await this.options.boxes.stop(id)
  }

  /** Stops the machine and starts it again, the set-up included when `clean`. */
  async restart(id: string, { clean }: { clean: boolean }): Promise<StartedBox> {
    const { boxes } = this.options
    await boxes.stop(id)
    return boxes.start(id, { ...(await this.runOptions(id)), clean })
  }

  async remove(sandboxId: string): Promise<void> {
    await this.options.boxes.destroy(sandboxId)
    await this.options.network.release(sandboxId)
  }

  /** Calls `listener` with the progress now and after each change. Returns a function that stops it. */
  async onProgress(id: string, listener: (progress: MachineProgress) => void): Promise<() => void> {
    let last: BoxProgress | undefined
    const tell = () => {
      if (!last) return
      const { code } = last.failure ?? {}
      const detail = last.phase === 'template' ? (this.details.get(id) ?? null) : null
      listener({ ...last, detail, next: code === undefined ? null : boxErrors[code].next })
    }
    const onDetail = (changed: string) => changed === id && tell()
    this.emitter.on('detail', onDetail)
    const stop = await this.options.boxes.onProgress(id, (progress) => {
      last = progress
      tell()
    })
    return () => {
      stop()
      this.emitter.off('detail', onDetail)
    }
  }

  /** What the last run wrote on its console. */
  log(id: string): Promise<string> {
    return this.options.boxes.log(id)
  }

  async wake(boxId: string): Promise<void> {
    await this.start(boxId)
  }

  epochOf(boxId: string): number | undefined {
    return this.options.driver.running().find((run) => run.id === boxId)?.epoch
  }

  connect(boxId: string): Promise<Duplex> {
    return this.options.boxes.connect(boxId)
  }

  dial(boxId: string, port: number): Promise<Duplex> {
    return this.options.boxes.dial(boxId, port)
  }

  touch(boxId: string): void {
    this.options.boxes.touch(boxId)
  }

  hold(boxId: string): () => void {
    return this.options.boxes.hold(boxId)
  }

  private async runOptions(id: string): Promise<RunOptions> {
    const { env, network, idleMs } = this.options
    return { env, egressSocket: await network.open(id), idleMs, prepareTemplate: () => this.prepareTemplate(id) }
  }

  private async prepareTemplate(id: string): Promise<DiskSource | null> {
    const { boxes, templates, templateOf } = this.options
    const { spec } = await boxes.get(id)
    const template = await templateOf(id)
    if (spec.disk.kind !== 'sealed' || !template) return null
    try {
      const made = await templates.make(spec.disk.diskId, template, (step) => {
        this.details.set(id, step)
        this.emitter.emit('detail', id)
      })
      return made ? null : { kind: 'folder', path: template.folder }
    } finally {
      this.details.delete(id)
    }
  }
}
