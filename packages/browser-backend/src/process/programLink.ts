import type { FromProcess } from '../common/fromProcess.ts'
import type { ProcessStart, SpawnRequest, ToProcess } from '../common/processMessages.ts'
import { apart, inContext } from './asyncContext.ts'
import { codedError } from './nodeError.ts'

export interface ChildEvents {
  onStarted(pid: number): void
  onOut(fd: 1 | 2, data: string | Uint8Array): void
  onMessage?(value: unknown): void
  onDisconnect?(): void
  onExit(code: number | null, signal: string | null): void
}

export interface ChildLink {
  write(data: string | Uint8Array | null): void
  signal(signal: string): void
  tell(value: unknown): void
  disconnect(): void
}

export interface Answer {
  value?: unknown
  line?: MessagePort
}

type Question = Extract<FromProcess, { id: number }>
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never
/** What is not about a child and no answer. */
export type OwnMessage = Exclude<ToProcess, ProcessStart | { child: number } | { type: 'answer' }>

/** The end of a process at the line between it and the back end. */
export class ProgramLink {
  readonly #port: MessagePort
  readonly #children = new Map<number, ChildEvents>()
  readonly #asked = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>()
  /** For children that need a number at once. */
  #pids: number[] = []
  readonly #over = new Set<number>()
  readonly #pidOf = new Map<number, number>()
  readonly #inFront = new Map<number, ChildLink>()
  #last = 0
  onMessage: (message: OwnMessage) => void = () => undefined

  constructor(port: MessagePort) {
    this.#port = port
  }

  /** Resolves with what the process is to do. */
  begin(): Promise<ProcessStart> {
    return new Promise((resolve) => {
      this.#port.onmessage = ({ data }: MessageEvent<ToProcess>) => {
        if (data.type === 'start') {
          this.#pids = [...data.pids]
          resolve(data)
        } else apart(() => this.#receive(data))
      }
    })
  }

  send(message: FromProcess): void {
    this.#port.postMessage(message)
  }

  ask(question: WithoutId<Question>): Promise<Answer> {
    const id = ++this.#last
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject })
      this.send({ ...question, id } as Question)
    })
  }

  /** The number that the next child may have; none when many were just started. */
  takePid(): number | undefined {
    return this.#pids.shift()
  }

  /** Whether it was a child of this process, and is none any more. */
  isOver(pid: number): boolean {
    return this.#over.has(pid)
  }

  /** Who has all streams of this process, and what comes in for it. */
  get front(): ChildLink | undefined {
    return [...this.#inFront.values()].at(-1)
  }

  spawn(request: SpawnRequest, events: ChildEvents): ChildLink {
    const child = ++this.#last
    this.#children.set(child, {
      onStarted: inContext(events.onStarted),
      onOut: inContext(events.onOut),
      ...(events.onMessage ? { onMessage: inContext(events.onMessage) } : {}),
      ...(events.onDisconnect ? { onDisconnect: inContext(events.onDisconnect) } : {}),
      onExit: inContext(events.onExit),
    })
    this.send({ type: 'spawn', child, ...request })
    const link: ChildLink = {
      write: (data) => this.send({ type: 'child-stdin', child, data }),
      signal: (signal) => this.send({ type: 'child-signal', child, signal }),
      tell: (value) => this.send({ type: 'child-message', child, value }),
      disconnect: () => this.send({ type: 'child-disconnect', child }),
    }
    if (request.inherits) this.#inFront.set(child, link)
    return link
  }

  #receive(message: Exclude<ToProcess, ProcessStart>): void {
    switch (message.type) {
      case 'answer': {
        const asked = this.#asked.get(message.id)
        this.#asked.delete(message.id)
        const { error } = message
        if (error) asked?.reject(codedError(error.code, error.message))
        else asked?.resolve({ value: message.value, ...(message.line ? { line: message.line } : {}) })
        return
      }
      case 'child-started':
        this.#pidOf.set(message.child, message.pid)
        if (message.spare !== null) this.#pids.push(message.spare)
        return this.#children.get(message.child)?.onStarted(message.pid)
      case 'child-out':
        return this.#children.get(message.child)?.onOut(message.fd, message.data)
      case 'child-message':
        return this.#children.get(message.child)?.onMessage?.(message.value)
      case 'child-disconnect':
        return this.#children.get(message.child)?.onDisconnect?.()
      case 'child-exit': {
        this.#over.add(this.#pidOf.get(message.child) ?? 0)
        this.#pidOf.delete(message.child)
        this.#inFront.delete(message.child)
        const events = this.#children.get(message.child)
        this.#children.delete(message.child)
        return events?.onExit(message.code, message.signal)
      }
      default:
        return this.onMessage(message)
    }
  }
}
