// What the page of a preview and the pane that shows it say to each other.

export const consoleLevels = ['debug', 'log', 'info', 'warn', 'error'] as const
export type ConsoleLevel = (typeof consoleLevels)[number]

/** The most of each that is sent and taken. */
export const limits = {
  text: 10_000,
  members: 50,
  depth: 4,
  values: 50,
  frames: 30,
  path: 4_000,
  /** Characters of all values of one line of the console. */
  line: 50_000,
  /** Characters of a whole message, with the names in it. */
  message: 200_000,
  /** Messages of one page: at once, and then in a second. */
  atOnce: 1000,
  perSecond: 300,
} as const

/** A value of the page's console, as far as it is shown. */
export type ConsoleValue =
  | { kind: 'text'; text: string }
  /** Numbers, truths, symbols, functions: what is no text and has no members. */
  | { kind: 'plain'; text: string }
  | { kind: 'object'; name: string; members: readonly (readonly [string, ConsoleValue])[]; more: number }

export interface ProblemFrame {
  name: string
  /** Path of the file from the root of the project, with a slash in front; null for a place outside. */
  file: string | null
  line: number
  column: number
}

export interface PageProblem {
  message: string
  /** Lines around the place, or the stack as the browser has it. */
  detail: string | null
  frames: readonly ProblemFrame[]
  /** `compiling`: what the page is made of is wrong, and stands as it is until it is corrected. `running`: it happened in the page. */
  cause: 'compiling' | 'running'
  /** Whether the page shows it itself, over what it shows else. */
  isShown: boolean
}

export type FromAgent =
  /** A page begins. */
  | { type: 'hello' }
  | { type: 'address'; path: string; canGoBack: boolean; canGoForward: boolean }
  | { type: 'console'; level: ConsoleLevel; values: readonly ConsoleValue[] }
  /** Here are lines of the console left out, so many of each level. */
  | { type: 'left out'; lines: Readonly<Record<ConsoleLevel, number>> }
  | { type: 'clear' }
  | { type: 'problem'; problem: PageProblem }
  /** The problem is over: the page took in a correction. */
  | { type: 'solved' }

/** How a message of the page is marked among all the others that a window gets. */
export interface FromAgentEnvelope {
  boxyard: 'preview'
  message: FromAgent
}

/** `greet` tells the page that its pane listens; until then it keeps what it has to say. */
export interface ToAgent {
  boxyard: 'editor'
  command: 'greet' | 'back' | 'forward' | 'reload'
}
