import type { StartedBox, StartProgress } from '../api/schemas.ts'
import type { InitStatus } from './boxMachine.ts'

export interface PhaseRow {
  phase: string
  words: string
  /** Milliseconds; null while it runs. */
  took: number | null
  /** While it runs: milliseconds it had taken when this was told. */
  soFar: number
}

export interface StartView {
  /** 0..100 */
  value: number
  message: string
  /** What it is busy with, in the words of the program that does it. */
  detail: string | null
  phases: readonly PhaseRow[]
}

const phaseWords: Readonly<Record<string, string>> = {
  queued: 'Waiting for a place',
  template: 'Preparing the template, once',
  'preparing-disk': 'Preparing the disk',
  'starting-sandbox': 'Starting the machine',
  'starting-dev-server': 'Starting the dev server',
  ready: 'Machine ready',
}

export const startingMessage = 'Preparing MicroVM...'
export const connectingMessage = 'MicroVM started, connecting...'

export const openingMessage = 'Opening the editor'

/** Names a phase in words; one that is not known keeps its own name. */
export const wordsOf = (phase: string): string => phaseWords[phase] ?? phase

/**
 * What the page shows while a box starts. The machine's start is the first 60 percent: it ends at 55 with the connection under way;
 * the dev server's own progress fills the rest. Once connected, only the editor itself is waited for.
 */
export function startView(
  progress: StartProgress | null,
  box: StartedBox | null,
  initStatus: InitStatus | null,
  isConnected = false,
): StartView {
  const phases = phaseRows(progress, box !== null)
  if (!box) {
    return {
      value: Math.min(55, Math.max(0, progress?.progress ?? 0)),
      message: progress?.message ?? startingMessage,
      detail: progress?.detail ?? null,
      phases: phases.length > 0 ? phases : [{ phase: 'queued', words: wordsOf('queued'), took: null, soFar: 0 }],
    }
  }
  if (isConnected) {
    const opening: PhaseRow = { phase: 'opening', words: openingMessage, took: null, soFar: 0 }
    return { value: 100, message: openingMessage, detail: null, phases: [...phases, opening] }
  }
  const connecting: PhaseRow = { phase: 'connecting', words: initStatus?.message ?? 'Connecting', took: null, soFar: 0 }
  if (!initStatus) return { value: 55, message: connectingMessage, detail: null, phases: [...phases, connecting] }
  return {
    value: 60 + Math.min(100, Math.max(0, initStatus.progress)) * 0.4,
    message: initStatus.message,
    detail: initStatus.stdout?.trim().split('\n').at(-1) ?? null,
    phases: [...phases, connecting],
  }
}

/** One row a phase: a phase that is entered twice in a row, by the host and by its driver, is one to the person. */
function phaseRows(progress: StartProgress | null, isOver: boolean): PhaseRow[] {
  const rows: PhaseRow[] = []
  for (const { phase, startedMs, endedMs } of progress?.phases ?? []) {
    if (phase === 'ready') continue
    const soFar = Math.max(0, (endedMs ?? progress?.elapsedMs ?? startedMs) - startedMs)
    const took = endedMs === null && !isOver ? null : soFar
    const last = rows.at(-1)
    if (last?.phase !== phase) rows.push({ phase, words: wordsOf(phase), took, soFar })
    else rows[rows.length - 1] = { ...last, took: took === null ? null : last.soFar + took, soFar: last.soFar + soFar }
  }
  return rows
}

/** Milliseconds in words: `0.4 s`, `12 s`, `2 min 5 s`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 59.5) return `${Math.round(seconds)} s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min ${whole % 60} s`
}
