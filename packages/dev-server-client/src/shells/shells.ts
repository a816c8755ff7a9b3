import type { OpenShell, Shell, ShellSize } from '@boxyard/protocol'
import type { ShellsArea } from '../api.ts'
import { AreaSync, isConnectionFailure, untilAnswered } from '../areaSync.ts'
import type { AreaContext } from '../areaSync.ts'
import { Emitter } from '../event.ts'
import { OpenedShell } from './openedShell.ts'

/** The size of a terminal that is created without one. */
const DEFAULT_SIZE: ShellSize = { cols: 125, rows: 20 }

/** Terminals and commands. Every opened session is opened again after a reconnect. */
export class Shells implements ShellsArea {
  readonly #context: AreaContext
  readonly #sync: AreaSync
  readonly #changeEmitter = new Emitter<readonly Shell[]>()
  readonly #sessions = new Set<OpenedShell>()
  #byId = new Map<string, Shell>()

  readonly onDidChange = this.#changeEmitter.event

  constructor(context: AreaContext) {
    this.#context = context
    const { connection } = context
    this.#sync = new AreaSync(context, 'shell', () => {
      for (const session of this.#sessions) this.#openAgain(session)
      return connection.request('shell/list', {}, { onResult: ({ shells }) => this.#replace(shells) })
    })
    connection.onNotification('shell/create', (shell) => this.#put(shell))
    connection.onNotification('shell/rename', ({ shell }) => this.#put(shell))
    connection.onNotification('shell/out', ({ shellId, out }) => {
      for (const session of this.#sessionsOf(shellId)) session.receive(out)
    })
    connection.onNotification('shell/exit', ({ shellId, shellType, exitCode }) => {
      const shell = this.#byId.get(shellId)
      const status = exitCode === 0 ? 'FINISHED' : 'ERROR'
      if (shellType === 'TERMINAL') this.#delete(shellId)
      else if (shell) this.#put({ ...shell, status, exitCode })
      // Where the dev server does not know it, it says a number that no program ends with.
      const known = exitCode < 0 ? undefined : exitCode
      for (const session of this.#sessionsOf(shellId)) session.end(status, known)
    })
    connection.onNotification('shell/restart', ({ shellId }) => {
      const shell = this.#byId.get(shellId)
      if (shell) this.#put({ ...shell, status: 'RUNNING', exitCode: undefined })
      for (const session of this.#sessionsOf(shellId)) session.restarted()
    })
    connection.onNotification('shell/terminate', ({ shellId }) => {
      this.#delete(shellId)
      for (const session of this.#sessionsOf(shellId)) session.end('KILLED', undefined)
    })
  }

  get ready(): Promise<void> {
    return this.#sync.ready
  }

  get all(): readonly Shell[] {
    return [...this.#byId.values()]
  }

  create({ size = DEFAULT_SIZE, ...options }: Parameters<ShellsArea['create']>[0]): Promise<OpenedShell> {
    return this.#openWith(size, (onResult) =>
      this.#context.connection.request(
        'shell/create',
        { ...options, size },
        {
          onResult: (opened) => {
            onResult(opened)
            this.#release(opened.shellId, size)
          },
        },
      ),
    )
  }

  open(shellId: string, size: ShellSize): Promise<OpenedShell> {
    // Opening twice is opening once, so a lost connection only delays it.
    return untilAnswered(this.#context.connection, () =>
      this.#openWith(size, (onResult) =>
        this.#context.connection.request('shell/open', { shellId, size }, { onResult }),
      ),
    )
  }

  async restart(shellId: string): Promise<void> {
    await this.#context.connection.request('shell/restart', { shellId })
  }

  async terminate(shellId: string): Promise<void> {
    await this.#context.connection.request('shell/terminate', { shellId })
  }

  async rename(shellId: string, name: string): Promise<void> {
    await this.#context.connection.request('shell/rename', { shellId, name })
  }

  async #openWith(
    size: ShellSize,
    request: (onResult: (opened: OpenShell) => void) => Promise<OpenShell>,
  ): Promise<OpenedShell> {
    let session: OpenedShell | undefined
    await request((opened) => {
      const { buffer, ...shell } = opened
      // Output may stand right behind the answer, so the session exists before the caller has it.
      session = new OpenedShell(this.#context, shell, size, (ended) => this.#close(ended))
      session.receive(buffer.join(''))
      this.#sessions.add(session)
      this.#put(shell)
    })
    return session!
  }

  /** The dev server holds the output of a new shell until its creator speaks about it: here it takes output already. */
  #release(shellId: string, size: ShellSize): void {
    const { connection, reportFailure } = this.#context
    if (connection.state.kind !== 'CONNECTED') return
    connection.request('shell/resize', { shellId, size }).catch((error: Error) => {
      // A command may have ended before it is asked.
      if (!isConnectionFailure(error) && this.#sessionsOf(shellId).some(({ isOver }) => !isOver))
        reportFailure({ area: 'shell', error })
    })
  }

  #openAgain(session: OpenedShell): void {
    if (session.isOver) return
    const { shellId } = session.shell
    this.#context.connection
      .request(
        'shell/open',
        { shellId, size: session.size },
        { onResult: ({ buffer, ...shell }) => session.reset(shell, buffer.join('')) },
      )
      .catch((error: unknown) => {
        if (!isConnectionFailure(error)) session.end('KILLED', undefined)
      })
  }

  #close(session: OpenedShell): void {
    this.#sessions.delete(session)
    const { connection, reportFailure } = this.#context
    const { shellId } = session.shell
    const isStillOpen = this.#sessionsOf(shellId).length > 0
    // What a lost connection had open is closed with it.
    if (isStillOpen || session.isOver || connection.state.kind !== 'CONNECTED') return
    connection.request('shell/close', { shellId }).catch((error: Error) => {
      if (!isConnectionFailure(error)) reportFailure({ area: 'shell', error })
    })
  }

  #sessionsOf(shellId: string): OpenedShell[] {
    return [...this.#sessions].filter((session) => session.shell.shellId === shellId)
  }

  #replace(shells: readonly Shell[]): void {
    this.#byId = new Map(shells.map((shell) => [shell.shellId, shell]))
    this.#changeEmitter.fire(this.all)
  }

  #put(shell: Shell): void {
    this.#byId.set(shell.shellId, shell)
    for (const session of this.#sessionsOf(shell.shellId)) session.update(shell)
    this.#changeEmitter.fire(this.all)
  }

  #delete(shellId: string): void {
    if (this.#byId.delete(shellId)) this.#changeEmitter.fire(this.all)
  }
}
