import type { SetupProgress, SetupStep } from '@boxyard/protocol'
import { setupProgressSchema } from '@boxyard/protocol'
import { assign, fromCallback, setup } from 'xstate'
import type { z } from 'zod'

export type SetupContext = Pick<SetupProgress, 'currentStepIndex' | 'steps'>

export type SetupEvent =
  | { type: 'START' }
  | { type: 'BEGIN'; steps: SetupStep[] }
  | { type: 'SKIP'; stepIndex: number }
  | { type: 'SKIP_ALL' }
  | { type: 'SET_STEP'; stepIndex: number }
  | { type: 'DISABLE' }
  /** The shell of the current step was made. */
  | { type: 'STEP_STARTED'; shellId: string }
  | { type: 'STEP_ENDED'; exitCode: number }

/** What is kept across runs of the box. */
export const setupStateSchema = setupProgressSchema.extend({ steps: setupProgressSchema.shape.steps.min(1) })
export type SetupState = z.infer<typeof setupStateSchema>

/** Runs one step: sends STEP_STARTED and STEP_ENDED, and stops it when the machine goes on without it. */
export const runStep = fromCallback<SetupEvent, { step: SetupStep }>(() => {
  throw new Error('The machine is used with provide({ actors: { runStep } })')
})

/** The set-up of a box: its steps run one after the other; a step that fails stops it. */
export const setupMachine = setup({
  types: {
    context: {} as SetupContext,
    events: {} as SetupEvent,
    input: {} as SetupContext,
  },
  actors: { runStep },
  guards: {
    isCurrent: ({ context }, params: { stepIndex: number }) => params.stepIndex === context.currentStepIndex,
    isCurrentAndLast: ({ context }, params: { stepIndex: number }) =>
      params.stepIndex === context.currentStepIndex && params.stepIndex === context.steps.length - 1,
    isStep: ({ context }, params: { stepIndex: number }) => params.stepIndex < context.steps.length,
    isLast: ({ context }) => context.currentStepIndex === context.steps.length - 1,
    isFailed: (_, params: { exitCode: number }) => params.exitCode !== 0,
  },
  actions: {
    finishStep: assign(({ context }, params: { finishStatus: SetupStep['finishStatus'] }) => ({
      steps: context.steps.map((step, index) =>
        index === context.currentStepIndex ? { ...step, finishStatus: params.finishStatus } : step,
      ),
    })),
    nextStep: assign({ currentStepIndex: ({ context }) => context.currentStepIndex + 1 }),
    /** Steps from this one on have not run. */
    goTo: assign(({ context }, params: { stepIndex: number }) => ({
      currentStepIndex: params.stepIndex,
      steps: context.steps.map((step, index) =>
        index < params.stepIndex ? step : { ...step, shellId: null, finishStatus: null },
      ),
    })),
    skipRest: assign(({ context }) => ({
      currentStepIndex: context.steps.length - 1,
      steps: context.steps.map((step) =>
        step.finishStatus === null ? { ...step, finishStatus: 'SKIPPED' as const } : step,
      ),
    })),
    begin: assign((_, params: { steps: SetupStep[] }) => ({ currentStepIndex: 0, steps: params.steps })),
    setShell: assign(({ context }, params: { shellId: string }) => ({
      steps: context.steps.map((step, index) =>
        index === context.currentStepIndex ? { ...step, shellId: params.shellId } : step,
      ),
    })),
  },
}).createMachine({
  id: 'setup',
  context: ({ input }) => input,
  initial: 'IDLE',
  on: {
    BEGIN: { target: '.IN_PROGRESS', reenter: true, actions: { type: 'begin', params: ({ event }) => event } },
    SET_STEP: {
      target: '.IN_PROGRESS',
      reenter: true,
      guard: { type: 'isStep', params: ({ event }) => event },
      actions: { type: 'goTo', params: ({ event }) => event },
    },
  },
  states: {
    IDLE: {
      on: { START: 'IN_PROGRESS', SKIP_ALL: { target: 'FINISHED', actions: 'skipRest' } },
    },
    IN_PROGRESS: {
      invoke: {
        src: 'runStep',
        input: ({ context }) => ({ step: context.steps[context.currentStepIndex]! }),
      },
      on: {
        STEP_STARTED: { actions: { type: 'setShell', params: ({ event }) => event } },
        STEP_ENDED: [
          {
            guard: { type: 'isFailed', params: ({ event }) => event },
            target: 'STOPPED',
            actions: { type: 'finishStep', params: { finishStatus: 'FAILED' } },
          },
          {
            guard: 'isLast',
            target: 'FINISHED',
            actions: { type: 'finishStep', params: { finishStatus: 'SUCCEEDED' } },
          },
          {
            target: 'IN_PROGRESS',
            reenter: true,
            actions: [{ type: 'finishStep', params: { finishStatus: 'SUCCEEDED' } }, 'nextStep'],
          },
        ],
        SKIP: [
          {
            guard: { type: 'isCurrentAndLast', params: ({ event }) => event },
            target: 'FINISHED',
            actions: { type: 'finishStep', params: { finishStatus: 'SKIPPED' } },
          },
          {
            guard: { type: 'isCurrent', params: ({ event }) => event },
            target: 'IN_PROGRESS',
            reenter: true,
            actions: [{ type: 'finishStep', params: { finishStatus: 'SKIPPED' } }, 'nextStep'],
          },
        ],
        SKIP_ALL: { target: 'FINISHED', actions: 'skipRest' },
        DISABLE: {
          target: 'IDLE',
          actions: { type: 'goTo', params: ({ context }) => ({ stepIndex: context.currentStepIndex }) },
        },
      },
    },
    STOPPED: {
      on: {
        START: {
          target: 'IN_PROGRESS',
          actions: { type: 'goTo', params: ({ context }) => ({ stepIndex: context.currentStepIndex }) },
        },
        SKIP: [
          {
            guard: { type: 'isCurrentAndLast', params: ({ event }) => event },
            target: 'FINISHED',
            actions: { type: 'finishStep', params: { finishStatus: 'SKIPPED' } },
          },
          {
            guard: { type: 'isCurrent', params: ({ event }) => event },
            target: 'IN_PROGRESS',
            reenter: true,
            actions: [{ type: 'finishStep', params: { finishStatus: 'SKIPPED' } }, 'nextStep'],
          },
        ],
        SKIP_ALL: { target: 'FINISHED', actions: 'skipRest' },
      },
    },
    FINISHED: {},
  },
})
