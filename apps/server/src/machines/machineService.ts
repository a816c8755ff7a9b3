import { EventEmitter } from 'node:events'
import type { Duplex, Readable } from 'node:stream'
import { BoxError, boxErrors, BYTES_PER_MIB } from '@boxyard/boxes'
import type {
  BoxChange,
  BoxMetrics,
  BoxProgress,
  BoxService,
  DiskSource,
  IsolationLevel,
  RunningBox,
  RunOptions,
  StartedBox,
  Tier,
} from '@boxyard/boxes'
import { z } from 'zod'
import { requestOver } from '../edge/boxHttp.ts'
import type { MachineGateway } from '../edge/machineGateway.ts'
import type { MachineDirectory, MachineSource } from '../sandboxes/machineDirectory.ts'
import { askDevServer } from './askDevServer.ts'
import { boxTier } from './boxTier.ts'
import type { TemplateDisks } from './templateDisks.ts'

/** How far the start of a machine is. */
export interface MachineProgress extends BoxProgress {
  /** What the present phase is busy with, or null. */
  detail: string | null
  /** What to do about the failure, or null. */
  next: string | null
}

export interface MachineInMemory {
  run: RunningBox
  tier: Tier
  lastUsedAt: Date
  /** False while it sleeps. */
  awake: boolean
}

/** What a machine takes and may take, as it is told to the machine itself. Null where nothing limits it. */
export interface MachineUsage {
  cores: number | null
  memory_bytes: number
  memory_limit_bytes: number | null
  disk_bytes: number
  disk_limit_bytes: number
}

export interface MachineServiceOptions {
  boxes: BoxService
  templates: TemplateDisks
  /** Which template a devbox was made from, while this installation has it. */
  templateOf: (sandboxId: string) => Promise<{ name: string; folder: string } | null>
  network: { open(boxId: string): Promise<string>; release(boxId: string): Promise<void> }
  env: Readonly<Record<string, string>>
  /** The variables that people gave a devbox or its repository; what the platform says comes before them. */
  secretsOf: (boxId: string) => Promise<Readonly<Record<string, string>>>
  /** A token with which the platform itself joins a run. */
  platformToken: (boxId: string, epoch: number) => Promise<string>
  tier: Tier
  isolation: IsolationLevel
  /** Whether the driver can copy a running box with its processes. */
  forksMemory: boolean
  /** What the repository or the workspace of a box says about when it goes to sleep, or null. */
  idleTimeOf: (boxId: string) => Promise<number | null>
  /** A box that nobody uses goes to sleep after so many milliseconds where nobody says anything else. */
  idleMs: number
}

const downloadSchema = z.object({ downloadUrl: z.url() })
/** What comes back by itself from what is archived. */
const NOT_ARCHIVED = ['**/node_modules/**', '**/.git/**']

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
    const { boxes, tier } = this.options
    await boxes.create({ id: sandboxId, tier, disk: await this.diskOf(source), inheritsSetup: source.kind !== 'files' })
  }

  /** Starts the machine, or joins the start or the run there is. Rejects with BoxError. */
  async start(id: string): Promise<StartedBox> {
    return this.options.boxes.start(id, await this.runOptions(id))
  }

  async stop(id: string): Promise<void> {
    await this.options.boxes.stop(id)
  }

  /** Ends the machine for good: its next start is a clean boot. */
  async shutDown(id: string): Promise<void> {
    await this.options.boxes.stop(id, { clean: true })
  }

  /** Puts the machine to sleep, in memory where that can be. */
  async hibernate(id: string): Promise<void> {
    await this.options.boxes.hibernate(id)
  }

  /** Gives a machine that is awake the dev server that is installed now; its terminals run on. False for one that is not awake. */
  update(id: string): Promise<boolean> {
    return this.options.boxes.update(id)
  }

  /** Changes size, idle time or what wakes the machine, now as far as that can be. */
  async configure(id: string, change: BoxChange): Promise<void> {
    await this.options.boxes.configure(id, change)
  }

  async setIdleTime(id: string, minutes: number | null): Promise<void> {
    await this.options.boxes.configure(id, { idleMs: minutes === null ? null : minutes * 60_000 })
  }

  async resize(id: string, tier: number): Promise<void> {
    await this.options.boxes.configure(id, { tier: boxTier(tier) })
  }

  async archive(id: string): Promise<Readable> {
    const { epoch } = await this.start(id)
    const token = await this.options.platformToken(id, epoch)
    const params = { path: '', excludes: NOT_ARCHIVED }
    const answer = await askDevServer(await this.connect(id), token, 'fs/download', params)
    const { hostname, pathname } = new URL(downloadSchema.parse(answer).downloadUrl)
    // The first label of the host names the box and the port that hands the archive out.
    const port = Number(/-(\d+)\./.exec(hostname)?.[1])
    const release = this.hold(id)
    const connection = await this.dial(id, port).catch((error: unknown) => {
      release()
      throw error
    })
    connection.once('close', release)
    return new Promise((resolve, reject) => {
      requestOver(connection, { path: pathname, headers: { host: 'dev-server' } })
        .on('error', reject)
        .on('response', (response) => {
          if (response.statusCode === 200) return resolve(response)
          connection.destroy()
          reject(new Error(`The dev server answered ${response.statusCode ?? 0} for an archive`))
        })
        .end()
    })
  }

  /** The machines that are awake, with their size and when they were last used. */
  async running(): Promise<MachineInMemory[]> {
    return (await this.inMemory()).filter(({ awake }) => awake)
  }

  /** The same, with those that sleep in memory. */
  async inMemory(): Promise<MachineInMemory[]> {
    const { boxes } = this.options
    const described = await Promise.all(
      boxes.inMemory().map(async (run) => {
        const record = await boxes.find(run.id)
        if (record === null) return []
        const lastUsedAt = new Date(boxes.lastUsedAt(run.id) ?? run.startedAt)
        return [{ run, tier: record.spec.tier, lastUsedAt, awake: boxes.epochOf(run.id) === run.epoch }]
      }),
    )
    return described.flat()
  }

  /** What the machine costs now, or null when it does not run any more. */
  async usage(id: string): Promise<BoxMetrics | null> {
    try {
      return await this.options.boxes.metrics(id)
    } catch (error) {
      if (error instanceof BoxError && error.code === 'BOX_NOT_RUNNING') return null
      throw error
    }
  }

  /** The same beside its size, or null where it does not run, or sees for itself what its size is. */
  async usageOf(id: string): Promise<MachineUsage | null> {
    const { boxes, isolation } = this.options
    if (isolation === 'vm') return null
    const run = boxes.inMemory().find((running) => running.id === id)
    const record = await boxes.find(id)
    const usage = await this.usage(id)
    if (run === undefined || record === null || usage === null) return null
    const { tier } = record.spec
    return {
      cores: run.limits.cpu ? tier.cpu : null,
      memory_bytes: usage.memoryBytes,
      memory_limit_bytes: usage.memoryLimitBytes,
      disk_bytes: usage.diskBytes,
      disk_limit_bytes: usage.diskLimitBytes ?? tier.disk * BYTES_PER_MIB,
    }
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

  async wake(boxId: string, visit: 'http' | 'websocket'): Promise<void> {
    const { settings } = await this.options.boxes.get(boxId)
    if (!settings.wake[visit]) throw new BoxError('BOX_NOT_RUNNING', `a visit by ${visit} does not wake ${boxId}`)
    await this.start(boxId)
  }

  epochOf(boxId: string): number | undefined {
    return this.options.boxes.epochOf(boxId)
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

  private async diskOf(source: MachineSource): Promise<DiskSource> {
    if (source.kind === 'sandbox') {
      const withMemory = source.memory && this.options.forksMemory ? { memory: true } : {}
      return { kind: 'box', boxId: source.sandboxId, ...withMemory }
    }
    if (source.kind === 'files') return { kind: 'folder', path: source.folder }
    return { kind: 'sealed', diskId: await this.options.templates.diskIdOf(source.folder) }
  }

  private async runOptions(id: string): Promise<RunOptions> {
    const { network, secretsOf } = this.options
    const idleMs = (await this.options.idleTimeOf(id)) ?? this.options.idleMs
    const env = { ...(await secretsOf(id)), ...this.options.env }
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
