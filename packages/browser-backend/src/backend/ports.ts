import { REFUSED } from '../common/httpLine.ts'
import type { FromGate, ToGate } from '../common/processMessages.ts'

/** How long a request waits for a server that is being started again. */
const WAITS_MS = 5000

export interface PortsOptions<Owner> {
  openGate(port: number): Promise<MessagePort>
  isTaken(port: number): boolean
  /** Other ports can be reached now. */
  onChange(): void
  /** Somebody wants to talk to what listens on a port. */
  onLine(owner: Owner, port: number, line: MessagePort): void
  timers: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>
}

/** The ports that processes listen on, and the gates through which previews reach them. */
export class Ports<Owner> {
  readonly #options: PortsOptions<Owner>
  readonly #owners = new Map<number, Owner>()
  readonly #gates = new Map<number, Promise<MessagePort>>()
  /** Ports whose gate stands: those that are shown. */
  readonly #reached = new Set<number>()
  readonly #waiting = new Map<number, Set<MessagePort>>()

  constructor(options: PortsOptions<Owner>) {
    this.#options = options
  }

  get open(): number[] {
    return [...this.#owners.keys()].filter((port) => this.#reached.has(port)).toSorted((a, b) => a - b)
  }

  ownerOf(port: number): Owner | undefined {
    return this.#owners.get(port)
  }

  portsOf(owner: Owner): number[] {
    return [...this.#owners].filter(([, holder]) => holder === owner).map(([port]) => port)
  }

  /** The server may go on at once; the port is shown when previews reach it. */
  async listen(owner: Owner, port: number, say: (words: string) => void): Promise<void> {
    if (this.#owners.has(port) || this.#options.isTaken(port))
      throw Object.assign(new Error('address already in use'), { code: 'EADDRINUSE' })
    this.#owners.set(port, owner)
    for (const line of this.#waiting.get(port) ?? []) this.#options.onLine(owner, port, line)
    this.#waiting.delete(port)
    const gate = this.#gates.get(port) ?? this.#openGate(port)
    this.#gates.set(port, gate)
    gate.then(
      () => {
        this.#reached.add(port)
        this.#options.onChange()
      },
      (error: unknown) => {
        this.#gates.delete(port)
        say(`Port ${port} can't be shown as a preview: ${error instanceof Error ? error.message : String(error)}`)
      },
    )
  }

  close(owner: Owner, port: number): void {
    if (this.#owners.get(port) !== owner) return
    this.#owners.delete(port)
    this.#gates.get(port)?.then(
      (gate) => gate.postMessage({ type: 'reset' } satisfies ToGate),
      () => undefined,
    )
    this.#options.onChange()
  }

  closeAll(owner: Owner): void {
    for (const [port, holder] of this.#owners) if (holder === owner) this.close(owner, port)
  }

  /** The gates are gone. */
  clear(): void {
    this.#owners.clear()
    this.#gates.clear()
    this.#reached.clear()
    this.#options.onChange()
  }

  async #openGate(port: number): Promise<MessagePort> {
    const gate = await this.#options.openGate(port)
    gate.onmessage = ({ data }: MessageEvent<Partial<FromGate> | null>) => {
      // Pages of the project are on the same origin as the gate, and may say anything in its name.
      const line = data?.line
      if (!(line instanceof MessagePort)) return undefined
      const owner = this.#owners.get(port)
      if (owner) return this.#options.onLine(owner, port, line)
      // A server that is started again comes back to its port.
      const waiting = this.#waiting.get(port) ?? new Set()
      this.#waiting.set(port, waiting.add(line))
      this.#options.timers.setTimeout(() => {
        if (waiting.delete(line)) line.postMessage(REFUSED)
      }, WAITS_MS)
      return undefined
    }
    return gate
  }
}
