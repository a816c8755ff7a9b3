import { consoleLevels } from '@boxyard/browser-backend/agent-messages'
import type { ConsoleLevel, ConsoleValue, FromAgent, PageProblem } from '@boxyard/browser-backend/agent-messages'

/** Lines of the console that are kept. */
export const MOST_LINES = 500

export type ConsoleCounts = Readonly<Record<ConsoleLevel, number>>

export interface ConsoleLine {
  /** Never given twice in one pane. */
  key: number
  level: ConsoleLevel
  values: readonly ConsoleValue[]
  /** How often it was said in a row. */
  count: number
  /** Where in the project it comes from, as far as that is known. */
  place?: ProblemPlace | undefined
}

/** Stands for lines that the page did not send, since nobody could have read them. */
export interface ConsoleGap {
  key: number
  leftOut: ConsoleCounts
}

export type ConsoleEntry = ConsoleLine | ConsoleGap

export interface ProblemPlace {
  path: string
  line: number
  column: number
}

/** What a pane knows of the page it shows, from what the page says. */
export interface PageState {
  /** Whether the page talks at all; one that does not is shown all the same. */
  speaks: boolean
  path: string | undefined
  canGoBack: boolean
  canGoForward: boolean
  lines: readonly ConsoleEntry[]
  /** How often something was said at each level, whether it is kept or not. */
  counts: ConsoleCounts
  /** How much of that was at the beginning and is not kept any more. */
  dropped: ConsoleCounts
  /** What stands over the page. */
  problem: PageProblem | undefined
  /** The line of what is wrong with what the page is made of, while it stands. */
  standing: number | undefined
  nextKey: number
}

const none: ConsoleCounts = { debug: 0, log: 0, info: 0, warn: 0, error: 0 }
const nothingInConsole = { lines: [], counts: none, dropped: none, standing: undefined }

export const nothingSaid: PageState = {
  ...nothingInConsole,
  speaks: false,
  path: undefined,
  canGoBack: false,
  canGoForward: false,
  problem: undefined,
  nextKey: 1,
}

/** `silent` is what the pane itself finds: a page has come that does not talk. */
export type Heard = FromAgent | { type: 'silent' }

export function heard(state: PageState, message: Heard): PageState {
  switch (message.type) {
    case 'silent':
      return { ...nothingSaid, nextKey: state.nextKey }
    case 'hello':
      return { ...state, ...nothingInConsole, speaks: true, problem: undefined }
    case 'address': {
      const { path, canGoBack, canGoForward } = message
      return { ...state, path, canGoBack, canGoForward }
    }
    case 'console':
      return withLine(state, message)
    case 'left out':
      return withEntry(state, { key: state.nextKey, leftOut: message.lines })
    case 'clear':
      return { ...state, ...nothingInConsole }
    case 'problem':
      return withProblem(state, message.problem)
    case 'solved':
      return { ...state, problem: undefined, standing: undefined }
  }
}

function withLine(state: PageState, line: Pick<ConsoleLine, 'level' | 'values' | 'place'>): PageState {
  const { level, values, place } = line
  const last = state.lines.at(-1)
  const isAgain = last && 'level' in last && last.level === level && last.key !== state.standing
  if (isAgain && JSON.stringify(last.values) === JSON.stringify(values)) {
    const lines = [...state.lines.slice(0, -1), { ...last, count: last.count + 1 }]
    return { ...state, lines, counts: plus(state.counts, { ...none, [level]: 1 }) }
  }
  return withEntry(state, { key: state.nextKey, level, values, count: 1, place })
}

function withEntry(state: PageState, entry: ConsoleEntry): PageState {
  const lines = [...state.lines, entry]
  const over = lines.slice(0, Math.max(0, lines.length - MOST_LINES))
  return {
    ...state,
    lines: over.length === 0 ? lines : lines.slice(over.length),
    counts: plus(state.counts, saidIn(entry)),
    dropped: over.reduce((sum, entry) => plus(sum, saidIn(entry)), state.dropped),
    nextKey: state.nextKey + 1,
  }
}

/** What is wrong with what the page is made of is one line while it stands, which changes with every try to correct it. */
function withProblem(state: PageState, problem: PageProblem): PageState {
  const isOfCode = problem.cause === 'compiling'
  const before = isOfCode ? state.lines.find(({ key }) => key === state.standing) : undefined
  const kept = before
    ? {
        ...state,
        lines: state.lines.filter((line) => line !== before),
        counts: plus(state.counts, saidIn(before), -1),
      }
    : state
  const detail = detailOfProblem(problem)
  const text = detail === undefined ? problem.message : `${problem.message}\n${detail}`
  const values: ConsoleValue[] = [{ kind: 'text', text }]
  const line = { level: 'error', values, place: placeOfProblem(problem) } as const
  const next = isOfCode ? withEntry(kept, { ...line, key: kept.nextKey, count: 1 }) : withLine(kept, line)
  return {
    ...next,
    problem: problem.isShown ? state.problem : problem,
    standing: isOfCode ? kept.nextKey : state.standing,
  }
}

function saidIn(entry: ConsoleEntry): ConsoleCounts {
  return 'leftOut' in entry ? entry.leftOut : { ...none, [entry.level]: entry.count }
}

function plus(counts: ConsoleCounts, more: ConsoleCounts, sign = 1): ConsoleCounts {
  const sum = (level: ConsoleLevel) => counts[level] + sign * more[level]
  return { debug: sum('debug'), log: sum('log'), info: sum('info'), warn: sum('warn'), error: sum('error') }
}

/** How much of it was said at the levels that are shown. */
export function saidAt(counts: ConsoleCounts, hidden: ReadonlySet<ConsoleLevel>): number {
  return consoleLevels.reduce((sum, level) => sum + (hidden.has(level) ? 0 : counts[level]), 0)
}

/** The place in the project that a problem leads to. A page may name anything, so only paths inside the workspace count. */
export function placeOfProblem({ frames }: Pick<PageProblem, 'frames'>): ProblemPlace | undefined {
  for (const { file, line, column } of frames) {
    const path = file?.replace(/^\/+/, '')
    if (path && !path.split('/').includes('..')) return { path, line, column }
  }
  return undefined
}

/** What there is to say beside the message, which the stacks of most browsers begin with. */
export function detailOfProblem({ message, detail }: Pick<PageProblem, 'message' | 'detail'>): string | undefined {
  if (detail === null || detail.trim() === message.trim()) return undefined
  return detail.startsWith(`${message}\n`) ? detail.slice(message.length + 1) : detail
}
