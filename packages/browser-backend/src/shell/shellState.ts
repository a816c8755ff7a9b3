import { normalizePath } from '../common/projectFiles.ts'
import type { Answer, ChildEvents, ChildLink } from '../process/programLink.ts'
import type { ProcessFiles } from '../process/processFiles.ts'
import type { ShownProcess, SpawnRequest } from '../common/processMessages.ts'

/** What a command writes to. */
export type Write = (text: string) => void

/** Where a command reads from and writes to. */
export interface Streams {
  /** Everything that is there to read; a command that reads waits for it. Null: what is typed. */
  input: Promise<string> | null
  out: Write
  err: Write
}

/** What commands share. */
export interface ShellState {
  files: ProcessFiles
  cwd: string
  env: Record<string, string>
  lastStatus: number
  isTerminal: boolean
  /** Set when the shell is to end. */
  exitStatus: number | null
  spawn(request: SpawnRequest, events: ChildEvents): ChildLink
  /** The program in front; what is typed goes to it. */
  front: { write(data: string | null): void; signal(signal: string): void } | null
  changeDependency(command: string): Promise<Answer>
  versions(): Promise<Readonly<Record<string, string>>>
  processes(): Promise<readonly ShownProcess[]>
  /** Rejects where there is no such process. */
  signal(pid: number, signal: string): Promise<unknown>
  /** Runs a line in a shell of the same kind, as `npm run` does. */
  runLine(line: string, state: ShellState, streams: Streams): Promise<number>
}

export const absolute = (state: Pick<ShellState, 'cwd'>, path: string): string =>
  normalizePath(path.startsWith('/') ? path : `${state.cwd}/${path}`)
