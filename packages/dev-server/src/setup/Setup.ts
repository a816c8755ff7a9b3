import { DEV_CONTAINER_LOG_SIZE, isDevContainerStep } from '@boxyard/protocol'
import type { SetupProgress, SetupStep, TaskDefinition } from '@boxyard/protocol'
import type { Actor } from 'xstate'
import { createActor, fromCallback } from 'xstate'
import type { Shells } from '../shell/Shells.ts'
import type { StateFile } from '../system/StateFile.ts'
import type { SetupContext, SetupEvent, setupStateSchema } from './setupMachine.ts'
import { setupMachine } from './setupMachine.ts'

export interface SetupDependencies {
  /** True on a clean boot: what an earlier run left does not count. */
  beginsAnew: boolean
  shells: Shells
  state: StateFile<typeof setupStateSchema>
  /** The set-up tasks as they are configured now. */
  readSteps: () => readonly TaskDefinition[]
  /** Called with every change, after it is on disk. */
  onProgress: (progress: SetupProgress) => void
  /** Called whenever the set-up has come to its end, also when an earlier run brought it there. */
  onFinished: () => void
  report: (error: unknown) => void
}

/** Runs the set-up of the box once, remembers how far it came, and lets people steer it. */
export class Setup {
  readonly #dependencies: SetupDependencies
  readonly #actor: Actor<typeof setupMachine>
  /** The end of the step before; the next one waits until nothing of it runs. */
  #previousStep: Promise<void> = Promise.resolve()
  #saved: Promise<void> = Promise.resolve()
  /** The last shell of each command of this run. */
  readonly #attempts = new Map<string, string>()
  #isDisposed = false

  private constructor(dependencies: SetupDependencies, start: SetupProgress) {
    this.#dependencies = dependencies
    const machine = setupMachine.provide({
      actors: {
        runStep: fromCallback<SetupEvent, { step: SetupStep }>(({ input, sendBack }) =>
          this.#runStep(input.step, sendBack),
        ),
      },
    })
    const context: SetupContext = { currentStepIndex: start.currentStepIndex, steps: start.steps }
    const value = start.state === 'IN_PROGRESS' ? 'IDLE' : start.state
    this.#actor = createActor(machine, { input: context, snapshot: machine.resolveState({ value, context }) })
  }

  /** Reads what an earlier run left. start() begins. */
  static async load(dependencies: SetupDependencies): Promise<Setup> {
    const left = await dependencies.state.read()
    const start =
      left && !dependencies.beginsAnew ? resumed(left, dependencies.shells) : fresh(dependencies.readSteps())
    const kept = new Set(start.steps.map((step) => step.shellId))
    for (const { shellId } of left?.steps ?? []) {
      if (!kept.has(shellId)) await forgetShell(dependencies.shells, shellId)
    }
    return new Setup(dependencies, start)
  }

  get progress(): SetupProgress {
    const { value, context } = this.#actor.getSnapshot()
    return { state: value, currentStepIndex: context.currentStepIndex, steps: context.steps }
  }

  /** Runs what is left to run: everything on a clean boot, the rest where an earlier run was interrupted. */
  start(): void {
    let last = ''
    this.#actor.subscribe(() => {
      const { progress } = this
      const text = JSON.stringify(progress)
      if (text === last || this.#isDisposed) return
      const hasFinished = progress.state === 'FINISHED' && !last.includes('"state":"FINISHED"')
      last = text
      this.#keep(progress, hasFinished)
    })
    this.#actor.start()
    this.#actor.send({ type: 'START' })
  }

  send(event: SetupEvent): SetupProgress {
    this.#actor.send(event)
    return this.progress
  }

  /** Begins anew with the steps that are configured now, unless it runs or is finished. */
  init(): SetupProgress {
    const { state, currentStepIndex } = this.progress
    if (state === 'IN_PROGRESS' || state === 'FINISHED') return this.progress
    if (currentStepIndex > 0) return this.send({ type: 'START' })
    return this.send({ type: 'BEGIN', steps: fresh(this.#dependencies.readSteps()).steps })
  }

  /** Stops without a change of what is kept, so that the next run goes on with the interrupted step. */
  async dispose(): Promise<void> {
    this.#isDisposed = true
    this.#actor.stop()
    await this.#previousStep
    await this.#saved
  }

  #keep(progress: SetupProgress, hasFinished: boolean): void {
    const { state, onProgress, onFinished, report } = this.#dependencies
    this.#saved = this.#saved
      .then(() => state.write(progress))
      .catch(report)
      .then(() => {
        onProgress(progress)
        if (hasFinished) onFinished()
      })
  }

  #runStep(step: SetupStep, sendBack: (event: SetupEvent) => void): () => void {
    const { shells, report } = this.#dependencies
    const abort = new AbortController()
    const run = async (): Promise<void> => {
      if (step.command === '') return sendBack({ type: 'STEP_ENDED', exitCode: 0 })
      const goesOn = step.shellId === null ? undefined : shells.find(step.shellId)
      // A step that was taken over may have ended since.
      if (goesOn?.isRunning === false) return sendBack({ type: 'STEP_ENDED', exitCode: goesOn.record.exitCode ?? 1 })
      if (!goesOn) await forgetShell(shells, this.#attempts.get(step.command) ?? null)
      const size = isDevContainerStep(step.name) ? DEV_CONTAINER_LOG_SIZE : undefined
      const session = goesOn ?? (await shells.create({ type: 'COMMAND', command: step.command, name: step.name, size }))
      // Nothing may be awaited between here and the observer below: a quick command would end unseen.
      this.#attempts.set(step.command, session.id)
      sendBack({ type: 'STEP_STARTED', shellId: session.id })
      await new Promise<void>((resolve) => {
        const forget = shells.observe({
          exited: (ended, exitCode) => {
            if (ended === session) finish(exitCode)
          },
          removed: (ended) => {
            if (ended === session) finish(1)
          },
        })
        const finish = (exitCode: number): void => {
          forget()
          abort.signal.removeEventListener('abort', stop)
          sendBack({ type: 'STEP_ENDED', exitCode })
          resolve()
        }
        const stop = (): void => {
          forget()
          shells.stop(session).catch(report).finally(resolve)
        }
        if (abort.signal.aborted) stop()
        else abort.signal.addEventListener('abort', stop, { once: true })
      })
    }
    this.#previousStep = this.#previousStep
      .then(() => (abort.signal.aborted ? undefined : run()))
      .catch((error: unknown) => {
        report(error)
        sendBack({ type: 'STEP_ENDED', exitCode: 1 })
      })
    return () => abort.abort()
  }
}

/** The shell of a step that runs again shows an attempt that counts no more. */
async function forgetShell(shells: Shells, shellId: string | null): Promise<void> {
  const session = shellId === null ? undefined : shells.find(shellId)
  if (session) await shells.terminate(session, '')
}

/** There is always a step: public clients wait for the first one before they call themselves connected. */
function fresh(tasks: readonly TaskDefinition[]): SetupProgress {
  const steps = tasks.map(({ name, command }) => ({ name, command, shellId: null, finishStatus: null }))
  const nothing = { name: 'No set-up needed', command: '', shellId: null, finishStatus: null }
  return { state: 'IDLE', currentStepIndex: 0, steps: steps.length > 0 ? steps : [nothing] }
}

/** A step that was interrupted runs again. One whose shell was taken over goes on. */
function resumed(left: SetupProgress, shells: Shells): SetupProgress {
  if (left.state !== 'IN_PROGRESS') return left
  const runsOn = (shellId: string | null): boolean => shellId !== null && shells.wasTakenOver(shellId)
  return {
    ...left,
    steps: left.steps.map((step, index) => {
      if (index < left.currentStepIndex) return step
      return { ...step, shellId: runsOn(step.shellId) ? step.shellId : null, finishStatus: null }
    }),
  }
}
