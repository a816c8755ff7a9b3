import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BoxError } from '@boxyard/boxes'
import type { BoxDriver, Tier } from '@boxyard/boxes'
import { DEV_SERVER_VERSION } from '@boxyard/protocol'
import type { SetupProgress } from '@boxyard/protocol'
import { folderHash } from './folderHash.ts'

export interface TemplateDisksOptions {
  /** Names the boxes in which disks are being made, so that those of a killed server are found. */
  folder: string
  driver: BoxDriver
  tier: Tier
  /** The way out of a box: `open` answers with the socket of its egress proxy. */
  network: { open(boxId: string): Promise<string>; release(boxId: string): Promise<void> }
  env: Readonly<Record<string, string>>
  /** Follows the set-up in a running box to its end. */
  followSetup: (boxId: string, onProgress: (progress: SetupProgress) => void) => Promise<SetupProgress>
  onWarning: (message: string, detail: Record<string, unknown>) => void
}

interface Making {
  done: Promise<boolean>
  listeners: Set<(step: string) => void>
}

/**
 * The sealed disks that devboxes of a template fork. Each is made once, when it is first needed, in a box of the platform's own, so
 * that nobody's edits are in it; its id is the content of the template, so a changed template gets a new one.
 */
export class TemplateDisks {
  private readonly options: TemplateDisksOptions
  private readonly making = new Map<string, Making>()

  constructor(options: TemplateDisksOptions) {
    this.options = options
  }

  /** Removes the boxes in which a killed server was making disks. Call before anything else. */
  async open(): Promise<void> {
    const { driver, folder } = this.options
    await mkdir(folder, { recursive: true })
    for (const boxId of await readdir(folder)) {
      await driver.destroy(boxId)
      await rm(join(folder, boxId))
    }
  }

  /** The id of the sealed disk of a template as it is now, whether it exists or not. */
  async diskIdOf(folder: string): Promise<string> {
    return `template-${(await folderHash(folder)).slice(0, 24)}-${DEV_SERVER_VERSION.replaceAll('.', '-')}`
  }

  /**
   * Makes the sealed disk `diskId` from a template. False when its set-up failed: the devbox then starts from the bare folder, where the
   * failure can be seen and mended. `onStep` hears what the set-up is busy with.
   */
  async make(
    diskId: string,
    template: { name: string; folder: string },
    onStep: (step: string) => void,
  ): Promise<boolean> {
    if (await this.options.driver.hasSealed(diskId)) return true
    const making = this.making.get(diskId) ?? this.begin(diskId, template)
    making.listeners.add(onStep)
    return making.done
  }

  private begin(diskId: string, template: { name: string; folder: string }): Making {
    const listeners: Making['listeners'] = new Set()
    const tell = (step: string) => {
      for (const listener of listeners) listener(step)
    }
    const done = this.build(diskId, template, tell).finally(() => this.making.delete(diskId))
    const making = { done, listeners }
    this.making.set(diskId, making)
    return making
  }

  private async build(
    diskId: string,
    { name, folder }: { name: string; folder: string },
    tell: (step: string) => void,
  ): Promise<boolean> {
    const { driver, folder: making, tier, network, env, followSetup, onWarning } = this.options
    const boxId = `tpl-${diskId.slice('template-'.length, 'template-'.length + 24)}`
    await writeFile(join(making, boxId), '')
    try {
      await driver.create({ id: boxId, disk: { kind: 'folder', path: folder }, tier })
      const egressSocket = await network.open(boxId)
      await driver.start(boxId, {
        epoch: 1,
        boot: 'CLEAN',
        // What a task writes before the box is stopped would be in every devbox.
        env: { ...env, BOXYARD_START_TASKS: 'no' },
        egressSocket,
        onPhase: () => undefined,
      })
      const setup = await followSetup(boxId, ({ steps, currentStepIndex }) => {
        const step = steps[currentStepIndex]
        if (step) tell(step.name)
      })
      if (setup.state !== 'FINISHED') {
        const failed = setup.steps.find((step) => step.finishStatus === 'FAILED')
        onWarning('the set-up of a template failed; its devboxes start from the bare folder', {
          template: name,
          step: failed?.name,
        })
        return false
      }
      await driver.stop(boxId)
      await driver.seal(boxId, diskId)
      return true
    } catch (error) {
      // Without space nothing else would work either, and the person has to know.
      if (error instanceof BoxError && error.code === 'DISK_FULL') throw error
      onWarning('a template could not be prepared; its devboxes start from the bare folder', {
        template: name,
        err: error,
      })
      return false
    } finally {
      await driver.destroy(boxId)
      await rm(join(making, boxId), { force: true })
      await network.release(boxId)
    }
  }
}
