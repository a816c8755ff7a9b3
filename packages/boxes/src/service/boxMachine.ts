import { assign, fromCallback, fromPromise, setup } from 'xstate'
import type { BootType, DiskSource } from '../driver.ts'
import type { BoxErrorCode } from '../errors.ts'
import { BoxError, retryableBoxErrors } from '../errors.ts'
import type { BootPhase, BoxFailure, StopReason } from './boxRecord.ts'

/** Longest time that a start may stay in one phase, in milliseconds. */
export const phaseDeadlines = {
  queued: 120_000,
  template: 900_000,
  'preparing-disk': 120_000,
  'starting-sandbox': 30_000,
  'starting-dev-server': 90_000,
} as const satisfies Record<Exclude<BootPhase, 'ready'>, number>

/** A box that slept for so long in memory goes on sleeping as files. */
export const LONGEST_SLEEP_MS = 60 * 60 * 1000

/** A start is tried again once, when its failure is of a kind that may pass. */
const ATTEMPTS = 2

/** One run that is asked for. */
export interface RunRequest {
  /** Environment of the dev server, next to what the driver gives it. */
  env: Readonly<Record<string, string>>
  /** Unix socket of the egress proxy on the host, or null for no network. */
  egressSocket: string | null
  /** Runs the set-up again, whatever the disk says. */
  clean: boolean
  /**
   * Makes the sealed disk that the box is made from. Called when there is none yet. Answers with another source, for good, when that
   * disk can't be made.
   */
  prepareTemplate: (() => Promise<DiskSource | null>) | null
  /** Stops the box when nobody has used it for so long; null for never. */
  idleMs: number | null
}

/** Milliseconds since the epoch; `endedAt` is null while the phase lasts. */
export interface PhaseTimes {
  phase: BootPhase
  startedAt: number
  endedAt: number | null
}

export interface BoxContext {
  id: string
  now: () => number
  request: RunRequest | null
  attempt: number
  phases: readonly PhaseTimes[]
  run: { epoch: number; bootType: BootType } | null
  /** The run ended by itself while it was being put to sleep or woken. */
  runEnded: boolean
  failure: BoxFailure | null
  stopReason: StopReason | null
  graceMs: number | undefined
}

export type BootEvent =
  | { type: 'PHASE'; phase: Exclude<BootPhase, 'queued' | 'ready'> }
  | { type: 'BOOTED'; epoch: number; bootType: BootType }
  | { type: 'FAILED'; code: BoxErrorCode; detail: string | null }

export type BoxEvent =
  | { type: 'START'; request: RunRequest }
  | { type: 'STOP'; reason: 'stopped' | 'server-ended'; graceMs?: number | undefined }
  | { type: 'HIBERNATE'; reason: 'idle' | 'hibernated' }
  /** The memory of a sleeping box is needed: its files stay. */
  | { type: 'EVICT' }
  | { type: 'EXITED'; reason: 'exited' | 'killed' }
  /** The run ended by itself because its dev server kept ending; `detail` is what it said last. */
  | { type: 'LOST'; detail: string }
  | BootEvent

export interface BootInput {
  id: string
  request: RunRequest
}
export interface HaltInput {
  id: string
  reason: StopReason
  graceMs: number | undefined
}
export interface FailInput {
  id: string
  failure: BoxFailure
}
export interface SleepInput {
  id: string
  reason: StopReason
}
export interface IdleInput {
  id: string
  idleMs: number | null
}

/** What the machine does in the world. Each effect has saved what it did before it reports. */
export interface BoxEffects {
  /** `signal` is aborted when the start is given up; nothing must run or be saved after that. */
  boot(input: BootInput, report: (event: BootEvent) => void, signal: AbortSignal): Promise<void>
  /** Ends whatever runs. */
  halt(input: HaltInput): Promise<void>
  /** Puts a run to sleep. True: it is frozen in memory. False: there is nothing left of it but its files. */
  hibernate(input: SleepInput): Promise<boolean>
  /** Wakes a run that is frozen in memory; its dev server answers when this resolves. */
  resume(id: string): Promise<void>
  /** Ends whatever a failed start left. */
  fail(input: FailInput): Promise<void>
  /** Calls `onIdle` when the box has been idle for so long. Returns a function that stops watching. */
  watchIdle(id: string, idleMs: number, onIdle: () => void): () => void
}

/**
 * The life of one box:
 *
 *     stopped -START-> starting -BOOTED-> running -STOP or EXITED-> stopping -> stopped
 *     running -HIBERNATE-> hibernating -> hibernated -START-> resuming -> running
 *     hibernating -memory can't be kept-> stopping; hibernated -STOP, EXITED, EVICT or a long time-> stopping
 *     resuming -it does not wake-> failing -> starting
 *     running -LOST-> failing -> error
 *     starting -STOP-> stopping
 *     starting -FAILED or deadline of the phase-> failing -> starting once more, or error
 *     error -START-> starting
 */
export function boxMachine(effects: BoxEffects) {
  const machine = setup({
    types: {
      context: {} as BoxContext,
      events: {} as BoxEvent,
      input: {} as Pick<BoxContext, 'id' | 'now' | 'failure' | 'stopReason'>,
    },
    actors: {
      boot: fromCallback<BoxEvent, BootInput>(({ input, sendBack }) => {
        const givenUp = new AbortController()
        const report = (event: BootEvent): void => {
          if (!givenUp.signal.aborted) sendBack(event)
        }
        void effects.boot(input, report, givenUp.signal).catch((error: unknown) => {
          report({ type: 'FAILED', ...asFailure(error) })
        })
        return () => givenUp.abort()
      }),
      halt: fromPromise<void, HaltInput>(({ input }) => effects.halt(input)),
      hibernate: fromPromise<boolean, SleepInput>(({ input }) => effects.hibernate(input)),
      resume: fromPromise<void, { id: string }>(({ input }) => effects.resume(input.id)),
      fail: fromPromise<void, FailInput>(({ input }) => effects.fail(input)),
      watchIdle: fromCallback<BoxEvent, IdleInput>(({ input, sendBack }) => {
        if (input.idleMs === null) return undefined
        return effects.watchIdle(input.id, input.idleMs, () => sendBack({ type: 'HIBERNATE', reason: 'idle' }))
      }),
    },
    actions: {
      beginPhase: assign(({ context }, { phase }: { phase: BootPhase }) => ({
        phases: [...closed(context), { phase, startedAt: context.now(), endedAt: null }],
      })),
      closePhases: assign(({ context }) => ({ phases: closed(context) })),
      missDeadline: assign(({ context }) => {
        const phase = context.phases.at(-1)?.phase ?? null
        return { failure: { code: 'DEADLINE' as const, detail: phase, phase, at: new Date(context.now()) } }
      }),
      keepFailure: assign(({ context }, failure: { code: BoxErrorCode; detail: string | null }) => ({
        failure: { ...failure, phase: context.phases.at(-1)?.phase ?? null, at: new Date(context.now()) },
      })),
    },
    guards: {
      runEnded: ({ context }) => context.runEnded,
      mayRetry: ({ context }) =>
        context.attempt < ATTEMPTS && context.failure !== null && retryableBoxErrors.has(context.failure.code),
    },
  })

  return machine.createMachine({
    id: 'box',
    context: ({ input }) => ({
      ...input,
      request: null,
      attempt: 0,
      phases: [],
      run: null,
      runEnded: false,
      graceMs: undefined,
    }),
    initial: 'stopped',
    on: {
      // A run may end by itself while it is being stopped or given up; that changes nothing.
      EXITED: {},
    },
    states: {
      stopped: {
        on: { START: { target: 'starting', actions: assign(({ event }) => firstAttempt(event.request)) } },
      },
      starting: {
        invoke: {
          src: 'boot',
          input: ({ context }) => ({ id: context.id, request: requested(context) }),
        },
        initial: 'queued',
        on: {
          PHASE: (['template', 'preparing-disk', 'starting-sandbox', 'starting-dev-server'] as const).map((phase) => ({
            // The service and the driver may both say that a phase begins.
            guard: ({ context, event }) => event.phase === phase && context.phases.at(-1)?.phase !== phase,
            target: `.${phase}` as const,
          })),
          BOOTED: {
            target: 'running',
            actions: [
              assign(({ event: { epoch, bootType } }) => ({ run: { epoch, bootType }, failure: null })),
              { type: 'beginPhase', params: { phase: 'ready' } },
              'closePhases',
            ],
          },
          FAILED: {
            target: 'failing',
            actions: { type: 'keepFailure', params: ({ event: { code, detail } }) => ({ code, detail }) },
          },
          STOP: {
            target: 'stopping',
            actions: assign(({ event }) => ({ stopReason: event.reason, graceMs: event.graceMs })),
          },
        },
        states: {
          queued: {
            entry: { type: 'beginPhase', params: { phase: 'queued' } },
            after: { [phaseDeadlines.queued]: { target: '#box.failing', actions: 'missDeadline' } },
          },
          template: {
            entry: { type: 'beginPhase', params: { phase: 'template' } },
            after: { [phaseDeadlines.template]: { target: '#box.failing', actions: 'missDeadline' } },
          },
          'preparing-disk': {
            entry: { type: 'beginPhase', params: { phase: 'preparing-disk' } },
            after: { [phaseDeadlines['preparing-disk']]: { target: '#box.failing', actions: 'missDeadline' } },
          },
          'starting-sandbox': {
            entry: { type: 'beginPhase', params: { phase: 'starting-sandbox' } },
            after: { [phaseDeadlines['starting-sandbox']]: { target: '#box.failing', actions: 'missDeadline' } },
          },
          'starting-dev-server': {
            entry: { type: 'beginPhase', params: { phase: 'starting-dev-server' } },
            after: { [phaseDeadlines['starting-dev-server']]: { target: '#box.failing', actions: 'missDeadline' } },
          },
        },
      },
      failing: {
        entry: ['closePhases', assign({ run: null })],
        invoke: {
          src: 'fail',
          input: ({ context }) => ({ id: context.id, failure: failureOf(context) }),
          onDone: [
            {
              guard: 'mayRetry',
              target: 'starting',
              actions: assign(({ context }) => ({ attempt: context.attempt + 1 })),
            },
            { target: 'error' },
          ],
          onError: { target: 'error' },
        },
        on: {
          // Whoever asks for a stop does not want another attempt.
          STOP: { actions: assign({ attempt: ATTEMPTS }) },
        },
      },
      running: {
        invoke: {
          src: 'watchIdle',
          input: ({ context }) => ({ id: context.id, idleMs: context.request?.idleMs ?? null }),
        },
        on: {
          HIBERNATE: {
            target: 'hibernating',
            actions: assign(({ event }) => ({ stopReason: event.reason, graceMs: undefined, runEnded: false })),
          },
          STOP: {
            target: 'stopping',
            actions: assign(({ event }) => ({ stopReason: event.reason, graceMs: event.graceMs })),
          },
          EXITED: {
            target: 'stopping',
            actions: assign(({ event }) => ({ stopReason: event.reason, graceMs: 0 })),
          },
          LOST: {
            target: 'failing',
            actions: assign(({ context, event }) => ({
              failure: {
                code: 'DEV_SERVER_LOST' as const,
                detail: event.detail,
                phase: null,
                at: new Date(context.now()),
              },
            })),
          },
        },
      },
      hibernating: {
        invoke: {
          src: 'hibernate',
          input: ({ context }) => ({ id: context.id, reason: context.stopReason ?? 'hibernated' }),
          onDone: [
            { guard: ({ context, event }) => event.output && !context.runEnded, target: 'hibernated' },
            { target: 'stopping' },
          ],
          onError: { target: 'stopping' },
        },
        on: { EXITED: { actions: assign({ runEnded: true }) } },
      },
      hibernated: {
        on: {
          START: {
            target: 'resuming',
            actions: assign(({ event }) => ({ ...firstAttempt(event.request), attempt: 0, runEnded: false })),
          },
          STOP: {
            target: 'stopping',
            actions: assign(({ event }) => ({ stopReason: event.reason, graceMs: event.graceMs })),
          },
          EXITED: {
            target: 'stopping',
            actions: assign(({ event }) => ({ stopReason: event.reason, graceMs: 0 })),
          },
          EVICT: { target: 'stopping' },
        },
        after: { [LONGEST_SLEEP_MS]: { target: 'stopping' } },
      },
      resuming: {
        entry: { type: 'beginPhase', params: { phase: 'ready' } },
        invoke: {
          src: 'resume',
          input: ({ context }) => ({ id: context.id }),
          onDone: [
            { guard: 'runEnded', target: 'failing', actions: { type: 'keepFailure', params: lostMemory(null) } },
            {
              target: 'running',
              actions: [
                assign(({ context }) => ({
                  run: context.run && { ...context.run, bootType: 'RESUME' as const },
                  stopReason: null,
                  failure: null,
                })),
                'closePhases',
              ],
            },
          ],
          onError: {
            target: 'failing',
            actions: { type: 'keepFailure', params: ({ event }) => lostMemory(event.error) },
          },
        },
        on: { EXITED: { actions: assign({ runEnded: true }) } },
      },
      stopping: {
        entry: ['closePhases', assign({ run: null })],
        invoke: {
          src: 'halt',
          input: ({ context }) => ({
            id: context.id,
            reason: context.stopReason ?? 'stopped',
            graceMs: context.graceMs,
          }),
          onDone: { target: 'stopped' },
          onError: {
            target: 'error',
            actions: { type: 'keepFailure', params: ({ event }) => asFailure(event.error) },
          },
        },
      },
      error: {
        on: { START: { target: 'starting', actions: assign(({ event }) => firstAttempt(event.request)) } },
      },
    },
  })
}

/** The code and detail of whatever was thrown. What is not a BoxError came from where records are kept. */
export function asFailure(error: unknown): { code: BoxErrorCode; detail: string | null } {
  if (error instanceof BoxError) return { code: error.code, detail: error.detail }
  return { code: 'RECORD_FAILED', detail: error instanceof Error ? error.message : String(error) }
}

/** A run that does not wake is ended, and the box is booted from its files. */
function lostMemory(error: unknown): { code: BoxErrorCode; detail: string } {
  return { code: 'SANDBOX_FAILED', detail: error === null ? 'it ended in its sleep' : (asFailure(error).detail ?? '') }
}

function firstAttempt(request: RunRequest): Partial<BoxContext> {
  return { request, attempt: 1, phases: [], failure: null, stopReason: null, graceMs: undefined }
}

function closed({ phases, now }: BoxContext): PhaseTimes[] {
  return phases.map((times) => (times.endedAt === null ? { ...times, endedAt: now() } : times))
}

function requested({ request }: BoxContext): RunRequest {
  if (request === null) throw new Error('a box can not start without having been asked to')
  return request
}

function failureOf({ failure }: BoxContext): BoxFailure {
  if (failure === null) throw new Error('a box can not fail without a failure')
  return failure
}
