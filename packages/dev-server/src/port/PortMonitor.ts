import type { Timers } from '../shell/Timers.ts'
import type { ListeningSocket } from './parseListeningSockets.ts'

const FAST_MS = 200
const SLOW_MS = 2000
/** How long after the last activity of a process the kernel is asked often. */
const ALERT_MS = 10_000

export interface PortMonitorDependencies {
  read: () => Promise<ListeningSocket[]>
  timers: Timers
  /** Ports of the dev server itself. */
  excluded: Pick<ReadonlySet<number>, 'has'>
  report: (error: unknown) => void
}

/** Knows which ports are open: asks often while processes are active, seldom when they are quiet. */
export class PortMonitor {
  readonly #dependencies: PortMonitorDependencies
  readonly #listeners = new Set<(sockets: readonly ListeningSocket[]) => void | Promise<void>>()
  #sockets: readonly ListeningSocket[] = []
  #alertUntil = 0
  #cancel: (() => void) | undefined
  #isSlow = false
  #running: Promise<void> | undefined
  #isDisposed = false

  constructor(dependencies: PortMonitorDependencies) {
    this.#dependencies = dependencies
  }

  /** What listens, by port, one socket a port. */
  get sockets(): readonly ListeningSocket[] {
    return this.#sockets
  }

  get ports(): number[] {
    return this.#sockets.map((socket) => socket.port)
  }

  /** Called with the whole list whenever a port opened or closed. */
  onChange(listener: (sockets: readonly ListeningSocket[]) => void | Promise<void>): void {
    this.#listeners.add(listener)
  }

  /** A process did something, so a port may open soon. */
  activity(): void {
    this.#alertUntil = this.#dependencies.timers.now() + ALERT_MS
    if (this.#isSlow && this.#cancel) this.#schedule()
  }

  /** Asks the kernel now, and on and on from there. Resolves when the listeners know. */
  async refresh(): Promise<void> {
    // A reading that has begun may be older than what the caller wants to know.
    await this.#running
    this.#running ??= this.#read()
      .catch(this.#dependencies.report)
      .finally(() => {
        this.#running = undefined
        this.#schedule()
      })
    await this.#running
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true
    this.#cancel?.()
    await this.#running
  }

  #schedule(): void {
    this.#cancel?.()
    if (this.#isDisposed) return
    const { timers } = this.#dependencies
    this.#isSlow = timers.now() >= this.#alertUntil
    this.#cancel = timers.after(this.#isSlow ? SLOW_MS : FAST_MS, () => {
      this.#cancel = undefined
      void this.refresh()
    })
  }

  async #read(): Promise<void> {
    const { read, excluded } = this.#dependencies
    const byPort = new Map<number, ListeningSocket>()
    for (const socket of await read()) {
      if (!excluded.has(socket.port) && !byPort.has(socket.port)) byPort.set(socket.port, socket)
    }
    const sockets = [...byPort.values()].toSorted((a, b) => a.port - b.port)
    if (sameSockets(sockets, this.#sockets)) return
    this.#sockets = sockets
    for (const listener of this.#listeners) await listener(sockets)
  }
}

function sameSockets(a: readonly ListeningSocket[], b: readonly ListeningSocket[]): boolean {
  return a.length === b.length && a.every(({ port, inode }, at) => port === b[at]?.port && inode === b[at].inode)
}
