import type { ShellsArea } from '@boxyard/dev-server-client'
import { TitleEventSource } from '@codingame/monaco-vscode-api/vscode/vs/platform/terminal/common/terminal'

/** What is looked at of a terminal of the workbench. */
export interface NamedTerminal {
  readonly shellLaunchConfig: { readonly name?: string | undefined }
  readonly titleSource: TitleEventSource
  /** The name that somebody gave it. */
  readonly staticTitle?: string | undefined
  rename(title: string): Promise<void>
}

/** The shell behind a terminal. */
export interface NamedShell {
  readonly shellId: string
  /** What the shell was called when the terminal got it. */
  readonly firstName: string
}

export interface ShareNamesOptions<T extends NamedTerminal> {
  terminals: {
    readonly instances: readonly T[]
    onAnyInstanceTitleChange(listener: (terminal: T) => void): unknown
  }
  shells: Pick<ShellsArea, 'all' | 'onDidChange' | 'rename'>
  /** Undefined for terminals of extensions, and while a shell is being opened. The same object each time. */
  shellOf(terminal: T): NamedShell | undefined
  onError(error: unknown): void
}

/** Has terminals and their shells bear one name: what somebody calls a terminal stands in every window that shows its shell. */
export function shareNames<T extends NamedTerminal>({
  terminals,
  shells,
  shellOf,
  onError,
}: ShareNamesOptions<T>): void {
  /** The name of each shell when it was last looked at, and the one that its terminal was given last. */
  const names = new WeakMap<NamedShell, { heard: string; shown: string }>()
  const namesOf = (terminal: T, shell: NamedShell) => {
    const known = names.get(shell) ?? {
      heard: shell.firstName,
      shown: terminal.shellLaunchConfig.name ?? shell.firstName,
    }
    names.set(shell, known)
    return known
  }
  const show = (terminal: T, shell: NamedShell, name: string) => {
    namesOf(terminal, shell).shown = name
    terminal.rename(name).catch(onError)
  }

  terminals.onAnyInstanceTitleChange((terminal) => {
    const shell = shellOf(terminal)
    const name = terminal.staticTitle
    // Programs set titles too; those are nobody's name for the shell.
    if (!shell || !name || terminal.titleSource !== TitleEventSource.Api) return
    const known = namesOf(terminal, shell)
    if (name === known.shown) return
    known.shown = name
    shells.rename(shell.shellId, name).catch((error: unknown) => {
      onError(error)
      if (known.shown === name) show(terminal, shell, known.heard)
    })
  })
  shells.onDidChange((all) => {
    const named = new Map(all.map(({ shellId, name }) => [shellId, name]))
    for (const terminal of terminals.instances) {
      const shell = shellOf(terminal)
      const name = shell && named.get(shell.shellId)
      if (!shell || !name) continue
      const known = namesOf(terminal, shell)
      if (name === known.heard) continue
      known.heard = name
      if (name !== known.shown) show(terminal, shell, name)
    }
  })
}
