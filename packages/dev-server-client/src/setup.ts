import type { SetupProgress } from '@boxyard/protocol'
import type { SetupArea } from './api.ts'
import { AreaSync } from './areaSync.ts'
import type { AreaContext } from './areaSync.ts'
import { Emitter } from './event.ts'

/** The set-up steps of the box. Every answer is the whole progress. */
export class Setup implements SetupArea {
  readonly #context: AreaContext
  readonly #sync: AreaSync
  readonly #changeEmitter = new Emitter<SetupProgress>()
  readonly #take = {
    onResult: (progress: SetupProgress) => {
      this.#progress = progress
      this.#changeEmitter.fire(progress)
    },
  }
  #progress: SetupProgress | undefined

  readonly onDidChange = this.#changeEmitter.event

  constructor(context: AreaContext) {
    this.#context = context
    this.#sync = new AreaSync(context, 'setup', () => context.connection.request('setup/get', {}, this.#take))
    context.connection.onNotification('setup/progress', (progress) => this.#take.onResult(progress))
  }

  get ready(): Promise<void> {
    return this.#sync.ready
  }

  get progress(): SetupProgress | undefined {
    return this.#progress
  }

  async skip(stepIndex: number): Promise<void> {
    await this.#context.connection.request('setup/skip', { stepIndexToSkip: stepIndex }, this.#take)
  }

  async skipAll(): Promise<void> {
    await this.#context.connection.request('setup/skipAll', null, this.#take)
  }

  async setStep(stepIndex: number): Promise<void> {
    await this.#context.connection.request('setup/setStep', { stepIndex }, this.#take)
  }

  async enable(): Promise<void> {
    await this.#context.connection.request('setup/enable', null, this.#take)
  }

  async disable(): Promise<void> {
    await this.#context.connection.request('setup/disable', null, this.#take)
  }

  async init(): Promise<void> {
    await this.#context.connection.request('setup/init', null, this.#take)
  }
}
