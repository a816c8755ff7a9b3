import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import { BoxError, boxErrors } from '@boxyard/boxes'
import type { BoxDriver, BoxProgress, BoxService, DiskSource, IsolationLevel, RunOptions, StartedBox, Tier } from '@boxyard/boxes'
import type { Transaction } from '../database/database.ts'
import type { MachineGateway } from '../edge/machineGateway.ts'
import type { MachineDirectory, MachineSource } from '../sandboxes/machineDirectory.ts'
import type { PostgresBoxStore } from './postgresBoxStore.ts'
import type { TemplateDisks } from './templateDisks.ts'

/** How far the start of a machine is, with what the present phase is busy with. */
export interface MachineProgress extends BoxProgress {
  detail: string | null
  /** What to do about the failure, or null. */
  next: string | null
}

export interface MachineServiceOptions {
  driver: BoxDriver
  boxes: BoxService
  store: PostgresBoxStore
  templates: TemplateDisks
  /** Folder of an official template by its name, or undefined when this installation no longer has it. */
  templateFolder: (name: string) => string | undefined
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
  private readonly options: MachineServiceOptions
  private readonly details = new Map<string, string>()
  private readonly emitter = new EventEmitter<{ detail: [string] }>().setMaxListeners(0)

  constructor(options: MachineServiceOptions) {
    this.options = options
    options.driver.onExit(({ id }) => void options.network.release(id))
  }

  get isolation(): IsolationLevel {
    return this.options.isolation
  }

  async create(sandboxId: string, source: MachineSource, transaction: Transaction): Promise<void> {
    const { boxes, store, templates, tier, driver } = this.options
    const disk: DiskSource =
      source.kind === 'template' ? { kind: 'sealed', diskId: await templates.diskIdOf(source.folder) } : await this.copyOf(source.sandboxId, sandboxId)
    const template = source.kind === 'template' ? source.name : null
    try {
      await store.insert({ id: sandboxId, tier, disk }, { template, hasDisk: source.kind === 'sandbox' }, transaction)
    } catch (error) {
      if (source.kind === 'sandbox') await driver.destroy(sandboxId)
      throw error
    }
    void boxes
  }

  async stop(id: string): Promise<void> {
    if (await this.options.store.load(id)) await this.options.boxes.stop(id)
  }

  async remove(sandboxId: string): Promise<void> {
    await this.options.boxes.destroy(sandboxId)
  }
}
