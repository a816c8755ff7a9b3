import { randomUUID } from 'node:crypto'
import { isAbsolute, join } from 'node:path'
import type { NotificationName, NotificationParams, ShellSize } from '@boxyard/protocol'
import { ProtocolError } from '@boxyard/protocol'
import type { Connection, Connections } from '../area.ts'
import type { HandedShell, HandedShells } from './handedShell.ts'
import type { ShellPrograms } from './interactiveShell.ts'
import { openPty } from './openPty.ts'
import type { OutputPace } from './OutputPace.ts'
import { ShellSession } from './ShellSession.ts'
import type { ShellSessionContext } from './ShellSession.ts'
import type { ShellRecord, ShellStore } from './ShellStore.ts'
import { takePty } from './takePty.ts'
import type { Timers } from './Timers.ts'

const DEFAULT_SIZE: ShellSize = { cols: 128, rows: 40 }
/** More shells than this are refused, after those that ended were forgotten. */
const MAX_SHELLS = 200
/** Exits that are kept for SDK clients that are away. */
const MAX_MISSED_EXITS = 100

export interface ShellsDependencies {
  store: ShellStore
  connections: Connections
  timers: Timers
  pace: OutputPace
  programs: ShellPrograms
  environment: Readonly<Record<string, string>>
  /** Absolute path; where a shell without a folder of its own starts. */
  workspace: string
  /** True in a copy of a box: shells that people made belong to the box they were made in, and so does what they show. */
  isFork: boolean
  /** The dev server ended and was started again, and not the whole machine. */
  isAgain: boolean
  /** What the dev server before this one handed over, or null. */
  handed: HandedShells | null
  report: (error: unknown) => void
}

export interface CreateShell {
  command?: string | undefined
  cwd?: string | undefined
  size?: ShellSize | undefined
  type?: 'TERMINAL' | 'COMMAND' | undefined
  isSystemShell?: boolean | undefined
  name?: string | undefined
  /** Missing for shells of tasks and of the set-up. */
  creator?: Connection | undefined
}

/** What other areas hear of shells. */
export interface ShellObserver {
  /** Output, or a process began or ended. */
  activity?(): void
  /** A process began, by create or restart. */
  started?(session: ShellSession): void
  /** A process ended and all its output was delivered. */
  exited?(session: ShellSession, exitCode: number): void
  /** The shell is gone from the list. */
  removed?(session: ShellSession): void
}

/** All shells of the box, those of earlier runs included. */
export class Shells {
  readonly #dependencies: ShellsDependencies
  readonly #context: ShellSessionContext
  readonly #sessions = new Map<string, ShellSession>()
  readonly #observers = new Set<ShellObserver>()
  readonly #interrupted = new Set<string>()
  readonly #takenOver = new Set<string>()
  #missedExits: { session: ShellSession; exitCode: number }[] = []
  #isDisposed = false

  private constructor(dependencies: ShellsDependencies) {
    this.#dependencies = dependencies
    this.#context = {
      timers: dependencies.timers,
      pace: dependencies.pace,
      openPty,
      takePty,
      exitCodePath: (shellId) => dependencies.store.exitCodePath(shellId),
      programs: dependencies.programs,
      environment: dependencies.environment,
      onActivity: () => this.#observers.forEach((observer) => observer.activity?.()),
      onExit: (session, exitCode) => this.#exited(session, exitCode),
    }
  }

  /**
   * Reads the shells of earlier runs: terminals start anew below their old output, commands keep theirs and do not run. What was handed over
   * runs on.
   */
  static async load(dependencies: ShellsDependencies): Promise<Shells> {
    const { store, handed } = dependencies
    const shells = new Shells(dependencies)
    const running = new Map(handed?.running.map((shell) => [shell.record.shellId, shell]))
    // Of what was made on a full disk nothing is kept there.
    const records = new Map([...running.values()].map(({ record }) => [record.shellId, record]))
    for (const record of await store.load()) if (!records.has(record.shellId)) records.set(record.shellId, record)
    for (const record of [...records.values()].toSorted((a, b) => a.createdAt - b.createdAt)) {
      const shell = running.get(record.shellId)
      await (shell ? shells.#takeOver(shell) : shells.#restore(record))
    }
    for (const { record, missed, exitCode } of handed?.missedExits ?? []) {
      const session = shells.find(record.shellId) ?? shells.#sessionOf(record)
      session.missed = missed
      shells.#missedExits.push({ session, exitCode })
    }
    return shells
  }

  list(): ShellSession[] {
    return [...this.#sessions.values()]
  }

  /** Whether a command ran when the dev server before this one ended. */
  wasInterrupted(shellId: string): boolean {
    return this.#interrupted.has(shellId)
  }

  /** Whether the dev server before this one handed it over. */
  wasTakenOver(shellId: string): boolean {
    return this.#takenOver.has(shellId)
  }

  find(shellId: string): ShellSession | undefined {
    return this.#sessions.get(shellId)
  }

  get(shellId: string): ShellSession {
    const session = this.#sessions.get(shellId)
    if (!session) throw new ProtocolError('SHELL_NOT_FOUND')
    return session
  }

  observe(observer: ShellObserver): () => void {
    this.#observers.add(observer)
    return () => this.#observers.delete(observer)
  }

  /** Starts a shell. Resolves when it would be found again after a kill of this process, unless the disk is full. */
  async create(options: CreateShell): Promise<ShellSession> {
    const { store, workspace } = this.#dependencies
    await this.#makeRoom()
    const command = options.command === '' ? undefined : options.command
    const type = options.type ?? (command === undefined ? 'TERMINAL' : 'COMMAND')
    if (type === 'COMMAND' && command === undefined) {
      throw new ProtocolError('SHELL_NOT_ACCESSIBLE', 'A command shell needs a command')
    }
    const cwd = options.cwd === undefined || options.cwd === '' ? workspace : options.cwd
    if (command?.includes('\0') || cwd.includes('\0')) {
      throw new ProtocolError('SHELL_NOT_ACCESSIBLE', 'A command or folder must not contain NUL')
    }
    const record: ShellRecord = {
      shellId: randomUUID(),
      shellType: type,
      name: options.name ?? command ?? this.#defaultName(),
      ...(command === undefined ? {} : { command }),
      cwd: isAbsolute(cwd) ? cwd : join(workspace, cwd),
      size: options.size ?? DEFAULT_SIZE,
      ownerUsername: options.creator?.client.username ?? '',
      ownerAppId: options.creator?.client.appId ?? '',
      isSystemShell: options.isSystemShell ?? false,
      status: 'RUNNING',
      createdAt: Date.now(),
    }
    const session = this.#sessionOf(record)
    await this.#saveNew(record)
    try {
      session.start()
    } catch (error) {
      await store.remove(record.shellId)
      throw error
    }
    this.#sessions.set(record.shellId, session)
    if (options.creator) {
      session.subscribe(options.creator)
      session.holdFor(options.creator)
    }
    this.#announce('shell/create', session.describe(), session, { except: options.creator })
    this.#observers.forEach((observer) => observer.started?.(session))
    return session
  }

  /** Starts the shell's process again under the same id, with an empty screen. */
  async restart(session: ShellSession): Promise<void> {
    await session.restart()
    // In the turn of the start: those who watch clear their screens before the first output.
    this.#announce('shell/restart', { shellId: session.id }, session)
    this.#observers.forEach((observer) => observer.started?.(session))
    await this.#save(session)
  }

  /** Ends the process but keeps the shell and its output. */
  async stop(session: ShellSession): Promise<void> {
    await session.kill()
    await this.#save(session)
  }

  /** Ends the process and forgets the shell. `author` is shown to those who watched. */
  async terminate(session: ShellSession, author: string): Promise<void> {
    this.#sessions.delete(session.id)
    await session.kill()
    session.record.status = 'KILLED'
    await this.#forget(session)
    this.#announce('shell/terminate', { shellId: session.id, author }, session)
  }

  async rename(session: ShellSession, name: string): Promise<void> {
    session.record.name = name
    await this.#save(session)
    this.#announce('shell/rename', { shell: session.describe() }, session)
  }

  /**
   * Gives an SDK client that joined its person's shells back, with what was written and what ended while it was away: the public
   * SDK does not open its shells again after a reconnect, and waits for their exits.
   */
  welcome(connection: Connection): void {
    for (const session of this.list()) {
      if (!session.isOfSdk(connection)) continue
      session.catchUp(connection)
      session.subscribe(connection)
    }
    const mine = this.#missedExits.filter(({ session }) => session.isOfSdk(connection))
    this.#missedExits = this.#missedExits.filter((missed) => !mine.includes(missed))
    for (const { session, exitCode } of mine) {
      session.catchUp(connection)
      connection.notify('shell/exit', { shellId: session.id, shellType: session.record.shellType, exitCode })
    }
  }

  /** Lets every process be, for another dev server to go on with. Resolves when their output is on disk. */
  async keep(): Promise<void> {
    await Promise.all(this.list().map((session) => session.keep()))
  }

  /** After keep(), and in the last turn of this process: what the other dev server needs. Descriptors are those of this process. */
  handOver(): HandedShells {
    return {
      running: this.list().flatMap((session) => session.handOver() ?? []),
      missedExits: this.#missedExits.map(({ session: { record, missed }, exitCode }) => ({ record, missed, exitCode })),
    }
  }

  /** Ends every process. What is kept says that the shells were running, so that the next run starts the terminals again. */
  async dispose(): Promise<void> {
    this.#isDisposed = true
    await Promise.all(
      this.list().map(async (session) => {
        await session.kill()
        await session.flush()
      }),
    )
  }

  /** Writes the scrollback that waits, before a stop or a fork. */
  async flush(): Promise<void> {
    await Promise.all(this.list().map((session) => session.flush()))
  }

  #defaultName(): string {
    return this.#dependencies.programs.interactive.split('/').at(-1)!
  }

  #sessionOf(record: ShellRecord): ShellSession {
    return new ShellSession(record, this.#dependencies.store.scrollback(record.shellId), this.#context)
  }

  async #takeOver(shell: HandedShell): Promise<void> {
    const { record } = shell
    const session = this.#sessionOf(record)
    await session.restore()
    // Before it goes on: an end that comes at once is one of a shell that is in the list.
    this.#sessions.set(record.shellId, session)
    this.#takenOver.add(record.shellId)
    session.takeOver(shell)
  }

  async #restore(record: ShellRecord): Promise<void> {
    const { store, workspace, isFork, isAgain, report } = this.#dependencies
    const session = this.#sessionOf(record)
    if (isOneCommand(record) || (isFork && record.ownerUsername !== '')) {
      await this.#forgetFiles(session)
      return
    }
    await session.restore()
    if (record.shellType === 'TERMINAL') {
      delete record.command
      try {
        session.startAgain(isAgain)
      } catch (error) {
        report(error)
        record.cwd = workspace
        session.startAgain(isAgain)
      }
      await store.save(record)
    } else if (record.status === 'RUNNING' || record.status === 'RESTARTING') {
      record.status = 'KILLED'
      this.#interrupted.add(record.shellId)
      await store.save(record)
    }
    this.#sessions.set(record.shellId, session)
  }

  #exited(session: ShellSession, exitCode: number): void {
    // A shell that is being terminated has left the list; its watchers hear of the termination alone.
    if (this.#isDisposed || !this.#sessions.has(session.id)) return
    const { shellType } = session.record
    this.#announce('shell/exit', { shellId: session.id, shellType, exitCode }, session)
    this.#keepMissedExit(session, exitCode)
    if (shellType === 'TERMINAL') {
      this.#sessions.delete(session.id)
      this.#forget(session).catch(this.#dependencies.report)
    } else {
      this.#save(session).catch(this.#dependencies.report)
    }
    this.#observers.forEach((observer) => observer.exited?.(session, exitCode))
  }

  #keepMissedExit(session: ShellSession, exitCode: number): void {
    if (session.record.ownerAppId !== 'sdk') return
    if ([...this.#dependencies.connections.all()].some((connection) => session.isOfSdk(connection))) return
    this.#missedExits.push({ session, exitCode })
    if (this.#missedExits.length > MAX_MISSED_EXITS) this.#missedExits.shift()
  }

  async #save(session: ShellSession): Promise<void> {
    if (this.#sessions.has(session.id)) await this.#dependencies.store.save(session.record)
  }

  async #forget(session: ShellSession): Promise<void> {
    await this.#forgetFiles(session)
    this.#observers.forEach((observer) => observer.removed?.(session))
  }

  async #forgetFiles(session: ShellSession): Promise<void> {
    await this.#dependencies.store.remove(session.id)
    await session.clear()
  }

  /** On a full disk a person needs a shell more than ever, to make room. */
  async #saveNew(record: ShellRecord): Promise<void> {
    const { store, report } = this.#dependencies
    try {
      await store.save(record)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error
      report(error)
    }
  }

  async #makeRoom(): Promise<void> {
    if (this.#sessions.size < MAX_SHELLS) return
    const ended = this.list().find((session) => !session.isRunning)
    if (!ended)
      throw new ProtocolError('RATE_LIMIT', `There are ${MAX_SHELLS} shells already. Close one and try again.`)
    await this.terminate(ended, '')
  }

  /** To those who watch this shell and those who asked to hear of shells. */
  #announce<N extends NotificationName>(
    name: N,
    params: NotificationParams<N>,
    session: ShellSession,
    options: { except?: Connection | undefined } = {},
  ): void {
    this.#dependencies.connections.broadcast(name, params, {
      ...(options.except ? { except: options.except } : {}),
      only: (connection) => session.subscribers.has(connection) || connection.subscriptions.shell?.status === true,
    })
  }
}

/** A terminal that was made to run one command: running it twice because the machine restarted could do harm. */
function isOneCommand(record: ShellRecord): boolean {
  if (record.shellType !== 'TERMINAL' || record.command === undefined) return false
  try {
    const name: unknown = JSON.parse(record.name)
    return typeof name === 'object' && name !== null && 'type' in name && name.type === 'command'
  } catch {
    return false
  }
}
