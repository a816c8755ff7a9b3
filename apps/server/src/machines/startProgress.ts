import { EventEmitter } from 'node:events'

/**
 * The phases of a start, in order. `progress` is where the bar stands when the phase begins: the machine takes the first 55 of a
 * hundred, the dev server's own start the rest.
 */
export const startPhases = {
  queued: { message: 'Preparing MicroVM...', progress: 0 },
  template: { message: 'Installing the packages of this template, once for everybody', progress: 5 },
  'preparing-disk': { message: 'Preparing the disk', progress: 25 },
  'starting-sandbox': { message: 'Starting the sandbox', progress: 35 },
  'starting-dev-server': { message: 'Starting the dev server', progress: 45 },
  ready: { message: 'MicroVM started, connecting...', progress: 55 },
} as const
export type StartPhaseName = keyof typeof startPhases

export interface PhaseTime {
  phase: StartPhaseName
  message: string
  /** Milliseconds since the start began. */
  startedMs: number
  endedMs: number | null
}

export interface StartFailure {
  code: string
  message: string
  next: string
  phase: StartPhaseName
}

export interface StartSnapshot {
  phase: StartPhaseName
  message: string
  /** 0..55. */
  progress: number
  elapsedMs: number
  phases: PhaseTime[]
  /** The last line the machine wrote while it worked, where a phase has something to tell. */
  detail: string | null
  failure: StartFailure | null
}

/** One start of one box, from the first request to the answer of its dev server. Emits `change` with each step. */
export class StartProgress {
  private readonly now: () => number
  private readonly began: number
  private readonly phases: PhaseTime[] = []
  private readonly emitter = new EventEmitter<{ change: [] }>()
  private detail: string | null = null
  private failure: StartFailure | null = null

  constructor(now: () => number = Date.now) {
    this.now = now
    this.began = now()
    this.emitter.setMaxListeners(0)
    this.enter('queued')
  }

  enter(phase: StartPhaseName): void {
    if (this.failure || this.phases.at(-1)?.phase === phase) return
    const at = this.now() - this.began
    const last = this.phases.at(-1)
    if (last) last.endedMs = at
    const done = phase === 'ready' ? at : null
    this.phases.push({ phase, message: startPhases[phase].message, startedMs: at, endedMs: done })
    this.detail = null
    this.emitter.emit('change')
  }

  /** Says what the current phase is busy with. */
  describe(detail: string): void {
    if (this.detail === detail) return
    this.detail = detail
    this.emitter.emit('change')
  }

  fail(failure: { code: string; message: string; next: string }): void {
    if (this.isOver) return
    this.failure = { ...failure, phase: this.current.phase }
    const last = this.phases.at(-1)
    if (last) last.endedMs = this.now() - this.began
    this.emitter.emit('change')
  }

  get isOver(): boolean {
    return this.failure !== null || this.current.phase === 'ready'
  }

  snapshot(): StartSnapshot {
    const { phase } = this.current
    return {
      phase,
      message: startPhases[phase].message,
      progress: startPhases[phase].progress,
      elapsedMs: this.now() - this.began,
      phases: this.phases.map((step) => ({ ...step })),
      detail: this.detail,
      failure: this.failure,
    }
  }

  onChange(listener: () => void): () => void {
    this.emitter.on('change', listener)
    return () => this.emitter.off('change', listener)
  }

  private get current(): { phase: StartPhaseName } {
    return this.phases.at(-1) ?? { phase: 'queued' }
  }
}
