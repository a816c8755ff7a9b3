import { rmSync, statSync } from 'node:fs'
import type { OpenShell, Shell, ShellSize } from '@boxyard/protocol'
import { ProtocolError } from '@boxyard/protocol'
import type { Connection } from '../area.ts'
import { endSession } from './endSession.ts'
import { leaveExitCode, readExitCode } from './exitCodeFile.ts'
import type { HandedShell } from './handedShell.ts'
import type { ShellPrograms } from './interactiveShell.ts'
import type { openPty, Pty, PtyOptions } from './openPty.ts'
import { cutBefore, OutputJoiner } from './OutputJoiner.ts'
import type { OutputPace } from './OutputPace.ts'
import { Scrollback } from './Scrollback.ts'
import type { ScrollbackFile } from './ScrollbackFile.ts'
import { settleLineEnds } from './settleLineEnds.ts'
import type { ShellRecord } from './ShellStore.ts'
import type { takePty } from './takePty.ts'
import type { Timers } from './Timers.ts'

/** A pty is paused while a reader has more than this to receive. Small, so that little is in the way of an answer to Ctrl-C. */
const HIGH_WATER_BYTES = 256 * 1024
/** A reader that takes longer than this to catch up no longer holds the process and the other readers up. */
const STALL_MS = 2000
/** Resets a terminal, so that what follows is all it shows. */
const RESET = '\u001Bc'
/** Output of a new shell that is held for its creator stops growing here. */
const HELD_LENGTH = 256 * 1024
const HOLD_MS = 150
/** What is kept for an SDK client that is away; the rest is in the scrollback. */
const MISSED_LENGTH = 256 * 1024
/** A paused pty is not read to its end, so its process is watched for instead: its last output must still be read. */
const LIFE_CHECK_MS = 50

/**
 * Bash stays the leader until the command has ended, where it would else become its last program. Many programs close their output before
 * they end; done by a leader, that hangs the terminal up, and the leader is killed for it in the middle of its success.
 */
const RUN_COMMAND = 'eval "shift\n$1"; exit'

/**
 * Ends modes that a full-screen program may have left on, then says why the screen begins anew. Its screen is left only where it is shown:
 * leaving it puts the cursor to where it was saved, and from the ordinary screen that is over what stands there.
 */
function restartedLine(shown: string, isAgain: boolean): string {
  const isFullScreen = shown.lastIndexOf('\u001B[?1049h') > shown.lastIndexOf('\u001B[?1049l')
  const what = isAgain ? 'The dev server had ended and was started again.' : 'The machine was restarted.'
  return (
    (isFullScreen ? '\u001B[?1049l' : '') +
    '\u001B[?1000l\u001B[?1002l\u001B[?1003l\u001B[?1006l\u001B[?2004l\u001B[?25h\u001B[0m' +
    `\r\n\u001B[2m${what} This is a new shell.\u001B[0m\r\n`
  )
}

export interface ShellSessionContext {
  timers: Timers
  pace: OutputPace
  openPty: typeof openPty
  takePty: typeof takePty
  /** Where a command leaves its exit code for a dev server whose child it is not. */
  exitCodePath(shellId: string): string
  programs: ShellPrograms
  environment: Readonly<Record<string, string>>
  /** Something came out of the pty, or a process began or ended. */
  onActivity(): void
  /** The process ended and everything it wrote was delivered. Not called while a restart or dispose() is going on. */
  onExit(session: ShellSession, exitCode: number): void
}

/** One shell: its process, what it wrote, and who watches. */
export class ShellSession {
  readonly record: ShellRecord
  readonly #context: ShellSessionContext
  readonly #file: ScrollbackFile
  readonly #scrollback = new Scrollback()
  readonly #joiner: OutputJoiner
  readonly #subscribers = new Set<Connection>()
  /** Readers that stalled. They get the scrollback when they have caught up, and nothing before. */
  readonly #lagging = new Set<Connection>()
  #pty: Pty | undefined
  #ended: Promise<void> = Promise.resolve()
  /** Somebody has too much to receive. */
  #paused = false
  /** Somebody else types. */
  #givesWay = false
  #isDraining = false
  #isLifeChecked = false
  #holder: Connection | undefined
  #cancelHold: (() => void) | undefined
  #pendingExit: number | undefined
  #isKilled = false
  /** Another dev server goes on with the process. */
  #isKept = false
  /** Takes what is read in the last turn of a handing over. */
  #divert: ((text: string) => void) | undefined
  /** What an SDK client that is away has missed. */
  missed = ''

  constructor(record: ShellRecord, file: ScrollbackFile, context: ShellSessionContext) {
    this.record = record
    this.#file = file
    this.#context = context
    this.#joiner = new OutputJoiner(context.timers, (text) => this.#deliver(text))
  }

  get id(): string {
    return this.record.shellId
  }

  /** The leader of the session, or undefined while nothing runs. */
  get pid(): number | undefined {
    return this.#pty?.pid
  }

  get isRunning(): boolean {
    return this.#pty !== undefined
  }

  get subscribers(): ReadonlySet<Connection> {
    return this.#subscribers
  }

  /** What it wrote, up to now. */
  get scrollback(): string {
    return settleLineEnds(this.#scrollback.text())
  }

  /** Starts the process. Throws SHELL_NOT_ACCESSIBLE when the folder cannot be used. */
  start(): void {
    const { record } = this
    const { programs, environment } = this.#context
    assertFolder(record.cwd)
    const [program, args] =
      record.command === undefined
        ? [programs.interactive, [] as string[]]
        : [programs.bash, ['-c', `${leaveExitCode(this.#exitCodePath)}; ${RUN_COMMAND}`, 'bash', record.command]]
    if (this.#isKept) throw new ProtocolError('SHELL_CLOSED', 'The dev server makes way for another one')
    rmSync(this.#exitCodePath, { force: true })
    this.#pty = this.#context.openPty({
      program,
      arguments: args,
      cwd: record.cwd,
      size: record.size,
      environment,
      timers: this.#context.timers,
      ...this.#events(),
    })
    this.#paused = false
    this.#givesWay = false
    this.#isKilled = false
    record.status = 'RUNNING'
    delete record.exitCode
    this.#context.onActivity()
  }

  /** Shows what an earlier run of the box wrote. */
  async restore(): Promise<void> {
    this.#scrollback.append(await this.#file.read())
  }

  /** After restore(): goes on with a process that another dev server started. */
  takeOver({ pid, descriptor, partial, input, tail, missed, exitCode }: HandedShell): void {
    this.missed = missed
    this.#deliver(tail)
    this.#pty = this.#context.takePty({
      descriptor,
      pid,
      partial,
      input,
      readExitCode: () => exitCode ?? readExitCode(this.#exitCodePath),
      timers: this.#context.timers,
      ...this.#events(),
    })
  }

  /** Lets the process be, whatever is asked from now on: another dev server goes on with it. Resolves when its output is on disk. */
  async keep(): Promise<void> {
    // What is being ended has an end that everybody is told of.
    if (this.#isKilled) await this.#ended
    this.#release()
    this.#isKept = true
    this.#pty?.keep()
    await this.flush()
  }

  /** After keep(), and in the last turn of this process. Undefined where nothing runs. */
  handOver(): HandedShell | undefined {
    if (!this.#pty) return undefined
    let tail = ''
    this.#divert = (text) => (tail += text)
    const handed = this.#pty.handOver()
    return { record: this.record, pid: this.#pty.pid, tail, missed: this.missed, ...handed }
  }

  /** After restore(): a fresh process below the old output. */
  startAgain(isAgain: boolean): void {
    this.#deliver(restartedLine(this.scrollback, isAgain))
    this.start()
  }

  /**
   * Holds output and exit until `creator` sends its next frame for this shell, or 150 ms: a client attaches its listeners only
   * after it has handled the answer to `shell/create`.
   */
  holdFor(creator: Connection): void {
    this.#holder = creator
    this.#joiner.hold()
    this.#cancelHold = this.#context.timers.after(HOLD_MS, () => this.#release())
  }

  /** `connection` spoke about this shell. */
  heardFrom(connection: Connection): void {
    if (this.#holder !== connection || !this.#cancelHold) return
    this.#cancelHold()
    this.#cancelHold = this.#context.timers.after(0, () => this.#release())
  }

  subscribe(connection: Connection): void {
    // What waits belongs to those who were here before; the newcomer gets it with the scrollback.
    this.#joiner.flush()
    this.#subscribers.add(connection)
  }

  /** Whether `connection` belongs to the person who made this shell with the SDK, which never opens a shell again. */
  isOfSdk(connection: Connection): boolean {
    const { ownerAppId, ownerUsername } = this.record
    const { appId, username } = connection.client
    return ownerAppId === 'sdk' && appId === 'sdk' && username === ownerUsername
  }

  /** Tells an SDK client what it missed while it was away. */
  catchUp(connection: Connection): void {
    this.#joiner.flush()
    if (this.missed !== '') connection.notify('shell/out', { shellId: this.id, out: this.missed })
    this.missed = ''
  }

  unsubscribe(connection: Connection): void {
    this.#subscribers.delete(connection)
    if (this.#holder === connection) this.#release()
  }

  write(input: string): void {
    this.#running().write(input)
    this.#context.pace.typed(this.id)
  }

  resize(size: ShellSize): void {
    const { record } = this
    if (size.cols === record.size.cols && size.rows === record.size.rows) return
    record.size = { cols: size.cols, rows: size.rows }
    this.#pty?.resize(size)
  }

  /** Ends the process and everything it started. Resolves after its exit was handled. */
  async kill(): Promise<void> {
    const pid = this.pid
    if (this.#isKept) return
    this.#isKilled = pid !== undefined
    this.#release()
    if (pid === undefined) return
    this.#givesWay = false
    this.#resume()
    await endSession(pid, this.#context.timers)
    await this.#ended
  }

  /** Kills the process, forgets its output and starts it again, without an exit for the watchers. */
  async restart(): Promise<void> {
    this.record.status = 'RESTARTING'
    await this.kill()
    await this.clear()
    try {
      this.start()
    } catch (error) {
      this.record.status = 'ERROR'
      throw error
    }
  }

  /** Forgets the output. */
  async clear(): Promise<void> {
    this.#joiner.clear()
    this.#scrollback.clear()
    await this.#file.clear()
  }

  /** Writes the scrollback that waits. */
  flush(): Promise<void> {
    this.#joiner.flush()
    return this.#file.flush()
  }

  describe(): Shell {
    const { record } = this
    const base = {
      shellId: record.shellId,
      name: record.name,
      status: record.status,
      ...(record.exitCode === undefined ? {} : { exitCode: record.exitCode }),
    }
    return record.shellType === 'COMMAND'
      ? { ...base, shellType: 'COMMAND', startCommand: record.command ?? '' }
      : { ...base, shellType: 'TERMINAL', ownerUsername: record.ownerUsername, isSystemShell: record.isSystemShell }
  }

  describeOpen(): OpenShell {
    const text = this.scrollback
    return { ...this.describe(), buffer: text === '' ? [] : [text] }
  }

  get #exitCodePath(): string {
    return this.#context.exitCodePath(this.id)
  }

  #events(): Pick<PtyOptions, 'onData' | 'onExit'> {
    let ended = (): void => undefined
    this.#ended = new Promise((resolve) => (ended = resolve))
    return {
      onData: (text) => {
        if (this.#divert) return this.#divert(text)
        this.#joiner.push(text)
        this.#context.onActivity()
        if (this.#joiner.length > HELD_LENGTH) this.#throttle()
        this.#giveWay(text.length)
      },
      onExit: (exitCode) => {
        this.#pty = undefined
        rmSync(this.#exitCodePath, { force: true })
        this.#context.onActivity()
        this.#pendingExit = exitCode
        if (!this.#holder) this.#finish()
        ended()
      },
    }
  }

  #running(): Pty {
    if (!this.#pty) throw new ProtocolError('SHELL_CLOSED')
    return this.#pty
  }

  #release(): void {
    this.#cancelHold?.()
    this.#cancelHold = undefined
    this.#holder = undefined
    this.#joiner.release()
    this.#resumeWhenRead()
    if (this.#pendingExit !== undefined) this.#finish()
  }

  #finish(): void {
    this.#joiner.flush()
    const exitCode = this.#pendingExit ?? 0
    this.#pendingExit = undefined
    if (this.record.status === 'RESTARTING') return
    this.record.exitCode = exitCode
    this.record.status = this.#isKilled ? 'KILLED' : exitCode === 0 ? 'FINISHED' : 'ERROR'
    this.#context.onExit(this, exitCode)
  }

  #deliver(text: string): void {
    this.#scrollback.append(text)
    this.#file.append(text)
    this.#keepMissed(text)
    for (const connection of this.#subscribers) {
      if (!this.#lagging.has(connection)) connection.notify('shell/out', { shellId: this.id, out: text })
    }
    this.#throttle()
  }

  #keepMissed(text: string): void {
    if (this.record.ownerAppId !== 'sdk' || [...this.#subscribers].some((connection) => this.isOfSdk(connection)))
      return
    const missed = this.missed + text
    this.missed = missed.slice(cutBefore(missed, Math.max(0, missed.length - MISSED_LENGTH)))
  }

  #slowReaders(): Connection[] {
    return [...this.#subscribers].filter(
      (connection) => connection.bufferedBytes > HIGH_WATER_BYTES && !this.#lagging.has(connection),
    )
  }

  #throttle(): void {
    if (!this.#pty || this.#paused || this.#isKilled) return
    if (this.#joiner.length <= HELD_LENGTH && this.#slowReaders().length === 0) return
    this.#paused = true
    this.#pty.pause()
    this.#watchLife()
    this.#resumeWhenRead()
  }

  #resumeWhenRead(): void {
    if (!this.#paused || this.#holder || this.#isDraining) return
    this.#isDraining = true
    const slow = this.#slowReaders()
    let cancelStall: (() => void) | undefined
    const stalled = new Promise<void>((resolve) => {
      cancelStall = this.#context.timers.after(STALL_MS, () => {
        for (const connection of slow) this.#letLag(connection)
        resolve()
      })
    })
    void Promise.race([stalled, Promise.all(slow.map((connection) => connection.drained()))]).then(() => {
      cancelStall?.()
      this.#isDraining = false
      this.#resume()
    })
  }

  /** Goes on without a reader until it has caught up; then shows it the end of the output anew. */
  #letLag(connection: Connection): void {
    if (connection.bufferedBytes <= HIGH_WATER_BYTES || !this.#subscribers.has(connection)) return
    this.#lagging.add(connection)
    void connection.drained().then(() => {
      this.#lagging.delete(connection)
      if (!this.#subscribers.has(connection)) return
      this.#joiner.flush()
      connection.notify('shell/out', { shellId: this.id, out: RESET + this.scrollback })
    })
  }

  #resume(): void {
    this.#paused = false
    this.#flow()
  }

  /** Lets whoever types go first. */
  #giveWay(length: number): void {
    if (!this.#pty || this.#givesWay || this.#isKilled) return
    this.#givesWay = this.#context.pace.take(this.id, length, () => {
      this.#givesWay = false
      this.#flow()
    })
    if (this.#givesWay) this.#pty.pause()
  }

  #flow(): void {
    if (!this.#paused && !this.#givesWay && !this.#isKept) this.#pty?.resume()
  }

  #watchLife(): void {
    if (this.#isLifeChecked) return
    this.#isLifeChecked = true
    this.#context.timers.after(LIFE_CHECK_MS, () => {
      this.#isLifeChecked = false
      if (!this.#pty || !this.#paused) return
      if (isAlive(this.#pty.pid)) this.#watchLife()
      else this.#resume()
    })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function assertFolder(path: string): void {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ProtocolError('SHELL_NOT_ACCESSIBLE', `The folder ${path} does not exist`)
  }
}
