import type { ShellsArea, TasksArea } from '@boxyard/dev-server-client'
import type { Shell } from '@boxyard/protocol'
import type { ITerminalInstance } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/terminal/browser/terminal'
import type {
  ITerminalGroupService,
  ITerminalService,
} from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/terminal/browser/terminal.service'
import type { TerminalBackend } from './terminalBackend.ts'

export interface TerminalOpenerOptions {
  backend: TerminalBackend
  terminals: ITerminalService
  groups: ITerminalGroupService
  shells: ShellsArea
  tasks: TasksArea
  /** The person whose own terminals are taken up again. */
  username(): string | undefined
}

/** Shows the shells that the box has already: those of its tasks, and this person's own of an earlier visit. */
export class TerminalOpener {
  readonly #options: TerminalOpenerOptions
  readonly #open = new Map<string, ITerminalInstance>()
  /** Shells whose terminal was shown once: a terminal that was closed by hand does not come back by itself. */
  readonly #offered = new Set<string>()

  constructor(options: TerminalOpenerOptions) {
    this.#options = options
  }

  /** Puts the present shells into the panel, without opening it, and those of tasks that start later. */
  async start(onError: (error: unknown) => void): Promise<void> {
    const { shells, tasks, username } = this.#options
    await Promise.all([shells.ready, tasks.ready])
    const own = shells.all.filter((shell) => isOwnTerminal(shell, username()))
    for (const { shellId, name } of own) await this.#create(shellId, name, true)
    const offer = async () => {
      for (const { name, shell } of tasks.all) {
        if (shell?.status !== 'RUNNING' || this.#offered.has(shell.shellId)) continue
        await this.#create(shell.shellId, name, false)
      }
    }
    await offer()
    tasks.onDidChange(() => void offer().catch(onError))
  }

  /** Brings a shell to the front, opening it first where needed. */
  async show(shellId: string, name: string): Promise<void> {
    const { terminals, groups } = this.#options
    const instance = this.#open.get(shellId) ?? (await this.#create(shellId, name, false))
    terminals.setActiveInstance(instance)
    await groups.showPanel(true)
  }

  async #create(shellId: string, name: string, owned: boolean): Promise<ITerminalInstance> {
    this.#offered.add(shellId)
    const instance = await this.#options.terminals.createTerminal({
      config: {
        name,
        customPtyImplementation: (_id, cols, rows) => this.#options.backend.attach(shellId, { cols, rows }, owned),
      },
    })
    this.#open.set(shellId, instance)
    instance.onDisposed(() => this.#open.delete(shellId))
    return instance
  }
}

function isOwnTerminal(shell: Shell, username: string | undefined): boolean {
  return (
    shell.shellType === 'TERMINAL' &&
    shell.status === 'RUNNING' &&
    !shell.isSystemShell &&
    shell.ownerUsername === username
  )
}
