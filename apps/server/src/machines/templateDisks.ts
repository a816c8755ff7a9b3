import { BoxError } from '@boxyard/boxes'
import type { BoxDriver, Tier } from '@boxyard/boxes'
import { DEV_SERVER_VERSION } from '@boxyard/protocol'
import type { SetupProgress } from '@boxyard/protocol'
import { folderHash } from './folderHash.ts'

export interface TemplateDisksOptions {
  driver: BoxDriver
  tier: Tier
  /** Prepares a run of a box: environment and the way out. `release` ends what `open` began. */
  network: { open(boxId: string): Promise<string>; release(boxId: string): Promise<void> }
  env: Readonly<Record<string, string>>
  /** Follows the set-up in a running box to its end. */
  followSetup: (boxId: string, onProgress: (progress: SetupProgress) => void) => Promise<SetupProgress>
  onWarning: (message: string, detail: Record<string, unknown>) => void
}

/**
 * The sealed disks that devboxes of a template fork. Each is made once, when it is first needed, in a box of the platform's own, so
 * that nobody's edits are in it; its id is the content of the template, so a changed template gets a new one.
 */
export class TemplateDisks {
  private readonly options: TemplateDisksOptions
  private readonly underWay = new Map<string, Promise<string | null>>()
  private readonly listeners = new Map<string, Set<(detail: string) => void>>()

  constructor(options: TemplateDisksOptions) {
    this.options = options
  }

  /**
   * The id of the sealed disk of a template. Null when its set-up failed: the devbox then starts from the bare folder, where the failure
   * can be seen and mended. `onDetail` hears what the set-up is busy with.
   */
  async ensure(name: string, folder: string, onDetail: (detail: string) => void): Promise<string | null> {
    const hash = await folderHash(folder)
    const diskId = `template-${hash.slice(0, 16)}-${DEV_SERVER_VERSION.replaceAll('.', '-')}`
    if (await this.options.driver.hasSealed(diskId)) return diskId
    const listeners = this.listeners.get(diskId) ?? new Set()
    this.listeners.set(diskId, listeners.add(onDetail))
    const running = this.underWay.get(diskId)
    if (running) return running
    const started = this.make(name, folder, diskId).finally(() => {
      this.underWay.delete(diskId)
      this.listeners.delete(diskId)
    })
    this.underWay.set(diskId, started)
    return started
  }

  private async make(name: string, folder: string, diskId: string): Promise<string | null> {
    const { driver, tier, network, env, followSetup, onWarning } = this.options
    const boxId = `tpl-${diskId.slice('template-'.length, 'template-'.length + 16)}`
    // What a server that was killed in the middle may have left.
    await driver.destroy(boxId)
    try {
      await driver.create({ id: boxId, disk: { kind: 'folder', path: folder }, tier })
      const egressSocket = await network.open(boxId)
      await driver.start(boxId, { epoch: 1, boot: 'CLEAN', env, egressSocket, onPhase: () => undefined })
      const setup = await followSetup(boxId, (progress) => {
        const step = progress.steps[progress.currentStepIndex]
        if (step) for (const listener of this.listeners.get(diskId) ?? []) listener(step.name)
      })
      if (setup.state !== 'FINISHED') {
        const failed = setup.steps.find((step) => step.finishStatus === 'FAILED')
        onWarning('the set-up of a template failed, its devboxes start from the bare folder', {
          template: name,
          step: failed?.name,
          log: await driver.log(boxId),
        })
        return null
      }
      await driver.stop(boxId)
      await driver.seal(boxId, diskId)
      return diskId
    } catch (error) {
      if (!(error instanceof BoxError) || error.code === 'DISK_FULL') throw error
      onWarning('a template could not be prepared, its devboxes start from the bare folder', {
        template: name,
        err: error,
      })
      return null
    } finally {
      await driver.destroy(boxId)
      await network.release(boxId)
    }
  }
}
