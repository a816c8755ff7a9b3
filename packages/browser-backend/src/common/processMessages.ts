// What the back end and the processes of a sandbox say to each other.
import type { FromProcess } from './fromProcess.ts'

/** The files of a sandbox by path in it, with a slash in front; null for a file that is gone. */
export type FileChanges = ReadonlyMap<string, string | Uint8Array | null>

export interface TerminalSize {
  cols: number
  rows: number
}

export interface ProcessStart {
  type: 'start'
  pid: number
  ppid: number
  /** What stands behind the name of the program. */
  argv: readonly string[]
  env: Readonly<Record<string, string>>
  cwd: string
  files: ReadonlyMap<string, string | Uint8Array>
  /** Folders, which may be empty. */
  folders: readonly string[]
  /** Address of the content of node_modules; null when there is none. */
  sources: string | null
  /** The size of the terminal that its output goes to; null for a pipe. */
  terminal: TerminalSize | null
  /** Whether its parent talks to it with messages. */
  talks: boolean
  /** Numbers for its children. It is given another one for each that it takes. */
  pids: readonly number[]
}

/** To a process. */
export type ToProcess =
  | ProcessStart
  | { type: 'files'; changes: FileChanges }
  /** What it wrote there is stored. */
  | { type: 'stored'; paths: readonly string[]; error: string | null }
  /** Null: there will be no more. */
  | { type: 'stdin'; data: string | Uint8Array | null }
  | { type: 'signal'; signal: string }
  | { type: 'resize'; size: TerminalSize }
  | { type: 'message'; value: unknown }
  | { type: 'disconnect' }
  | { type: 'child-started'; child: number; pid: number; spare: number | null }
  | { type: 'child-out'; child: number; fd: 1 | 2; data: string | Uint8Array }
  | { type: 'child-message'; child: number; value: unknown }
  | { type: 'child-disconnect'; child: number }
  | { type: 'child-exit'; child: number; code: number | null; signal: string | null }
  /** Somebody wants to talk to what listens on the port. */
  | { type: 'line'; port: number; line: MessagePort }
  /** An answer to what it asked. */
  | { type: 'answer'; id: number; error: { code: string; message: string } | null; value?: unknown; line?: MessagePort }

/** One of the processes of a sandbox, as `ps` shows it. */
export interface ShownProcess {
  pid: number
  ppid: number
  command: string
  ports: readonly number[]
}

/** What a person, or a program, asks for when it starts another one. */
export type SpawnRequest = Omit<Extract<FromProcess, { type: 'spawn' }>, 'type' | 'child'>

/** To the page that starts processes. */
export type ToProcessesPage =
  { type: 'spawn'; pid: number; program: 'node' | 'shell'; port: MessagePort } | { type: 'end'; pid: number }

/** From the page that starts processes. */
export interface FromProcessesPage {
  type: 'failed'
  pid: number
  message: string
}

/** A frame of ours on the host of a preview says to the page of the editor that it is there. */
export const FRAME_HELLO = 'boxyard:frame-hello'

/** From the page of a gate, which stands between a port's host and the process that listens on it: somebody wants to talk to it. */
export interface FromGate {
  type: 'line'
  line: MessagePort
}

/** To the page of a gate: who was there is no longer. */
export interface ToGate {
  type: 'reset'
}
