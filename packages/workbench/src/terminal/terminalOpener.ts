import { isConnectionFailure, type ShellsArea, type TasksArea } from '@boxyard/dev-server-client'
import type { Shell } from '@boxyard/protocol'
import type { ITerminalInstance } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/terminal/browser/terminal'
import type {
  ITerminalGroupService,
  ITerminalService,
} from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/terminal/browser/terminal.service'
import type { ShellRights } from './shellRights.ts'
import type { TerminalBackend } from './terminalBackend.ts'

export interface TerminalOpenerOptions {
  backend: TerminalBackend
  terminals: ITerminalService
  groups: ITerminalGroupService
  shells: ShellsArea
  tasks: TasksArea
  rights: ShellRights
  /** The person whose own terminals are taken up again. */
  username(): string | undefined
}

/** Shows the shells that the box has already: those of its tasks, and this person's own of an earlier visit. */
export class TerminalOpener {
  readonly #options: TerminalOpenerOptions
  readonly #open = new Map<string, ITerminalInstance>()
  /** Shells whose terminal was shown once: a terminal that was closed by hand does not come back by itself. */
  readonly #offered = new Set<string>()

  /** The terminal of each task, by the task's name. */
  readonly #ofTask = new Map<string, ITerminalInstance>()

  constructor(options: TerminalOpenerOptions) {
    this.#options = options
  }

  /** Puts the present shells into the panel, without opening it, and those of tasks that start later. */
  async start(onError: (error: unknown) => void): Promise<void> {
    const { rights, shells, tasks, terminals, username } = this.#options
    await Promise.all([shells.ready, tasks.ready])
    const instances: ITerminalInstance[] = []
    try {
      // Whoever opens the panel means a shell of his own, not the output of a task, where typing would stop it.
      const own = rights.create
        ? await this.#ownShells()
        : shells.all.filter((shell) => isOwnTerminal(shell, username()))
      for (const { shellId, name } of own) instances.push(await this.#create(shellId, name, true))
    } catch (error) {
      // A box that makes no shell for this person still runs its tasks.
      onError(error)
    }
    tasks.onDidChange(() => void this.#offerTasks().catch(onError))
    await this.#offerTasks()
    if (instances[0]) terminals.setActiveInstance(instances[0])
  }

  /** The shells that this person left running; one is made where there is none. */
  async #ownShells(): Promise<Shell[]> {
    const { shells, username } = this.#options
    for (;;) {
      const own = shells.all.filter((shell) => isOwnTerminal(shell, username()))
      if (own.length > 0) return own
      try {
        return [await this.#createShell()]
      } catch (error) {
        if (!isConnectionFailure(error)) throw error
        // The box may have made it: the list that comes with the next connection tells.
        await new Promise<void>((resolve) => {
          const listening = shells.onDidChange(() => {
            listening.dispose()
            resolve()
          })
        })
      }
    }
  }

  async #offerTasks(): Promise<void> {
    for (const { name, shell } of this.#options.tasks.all) {
      if (shell?.status !== 'RUNNING' || this.#offered.has(shell.shellId)) continue
      // A task that runs again takes the place of the output of its last run.
      this.#ofTask.get(name)?.dispose()
      this.#ofTask.set(name, await this.#create(shell.shellId, name, false))
    }
  }

  async #createShell(): Promise<Shell> {
    const session = await this.#options.shells.create({ type: 'TERMINAL' })
    session.dispose()
    return session.shell
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
