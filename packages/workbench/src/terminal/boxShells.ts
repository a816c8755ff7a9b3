import type { Shell, ShellSize } from '@boxyard/protocol'

/** An open shell of the box. */
export interface BoxShell {
  readonly shellId: string
  readonly name: string
  readonly status: Shell['status']
  readonly exitCode: number | undefined
  /** Everything the shell has written before it was opened, as far as the dev server keeps it. */
  readonly buffer: string
  onOutput(listener: (output: string) => void): { dispose(): void }
  /** Also called when somebody ends the shell; the exit code is then undefined. */
  onExit(listener: (exitCode: number | undefined) => void): { dispose(): void }
  /** Called with the whole buffer when the output in between was missed, as after a reconnection. */
  onReplay(listener: (buffer: string) => void): { dispose(): void }
  write(input: string, size: ShellSize): Promise<void>
  resize(size: ShellSize): Promise<void>
  rename(name: string): Promise<void>
  /** Ends the shell for everybody. */
  terminate(): Promise<void>
  /** Stops listening; the shell goes on. */
  close(): Promise<void>
}

/** The shells of the box. */
export interface BoxShells {
  list(): Promise<Shell[]>
  create(options: { cwd: string; size: ShellSize }): Promise<BoxShell>
  open(shellId: string, size: ShellSize): Promise<BoxShell>
}
