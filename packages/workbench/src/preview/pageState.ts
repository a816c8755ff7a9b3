import type { ConsoleLevel, ConsoleValue, FromAgent, PageProblem } from '@boxyard/browser-backend/agent-messages'

/** Lines of the console that are kept. */
export const MOST_LINES = 500

export interface ConsoleLine {
  /** Never given twice in one pane. */
  key: number
  level: ConsoleLevel
  values: readonly ConsoleValue[]
  /** How often it was said in a row. */
  count: number
}

/** What a pane knows of the page it shows, from what the page says. */
export interface PageState {
  /** Whether the page talks at all; one that does not is shown all the same. */
  speaks: boolean
  path: string | undefined
  canGoBack: boolean
  canGoForward: boolean
  lines: readonly ConsoleLine[]
  /** Lines that were said and are not kept any more. */
  dropped: number
  problem: PageProblem | undefined
  nextKey: number
}

export const nothingSaid: PageState = {
  speaks: false,
  path: undefined,
  canGoBack: false,
  canGoForward: false,
  lines: [],
  dropped: 0,
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
      return { ...state, speaks: true, lines: [], dropped: 0, problem: undefined }
    case 'address': {
      const { path, canGoBack, canGoForward } = message
      return { ...state, path, canGoBack, canGoForward }
    }
    case 'console':
      return withLine(state, message.level, message.values)
    case 'clear':
      return { ...state, lines: [], dropped: 0 }
    case 'problem':
      return { ...state, problem: message.problem }
    case 'solved':
      return { ...state, problem: undefined }
  }
}

function withLine(state: PageState, level: ConsoleLevel, values: readonly ConsoleValue[]): PageState {
  const last = state.lines.at(-1)
  if (last && last.level === level && JSON.stringify(last.values) === JSON.stringify(values)) {
    return { ...state, lines: [...state.lines.slice(0, -1), { ...last, count: last.count + 1 }] }
  }
  const lines = [...state.lines, { key: state.nextKey, level, values, count: 1 }]
  const over = Math.max(0, lines.length - MOST_LINES)
  return { ...state, lines: lines.slice(over), dropped: state.dropped + over, nextKey: state.nextKey + 1 }
}

/** How often something was said at each level. */
export function countsOf(lines: readonly ConsoleLine[]): Record<ConsoleLevel, number> {
  const counts = { debug: 0, log: 0, info: 0, warn: 0, error: 0 }
  for (const { level, count } of lines) counts[level] += count
  return counts
}

/** The place in the project that a problem leads to. A page may name anything, so only paths inside the workspace count. */
export function placeOfProblem({ frames }: PageProblem): { path: string; line: number; column: number } | undefined {
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
