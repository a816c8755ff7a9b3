import type { Duplex } from 'node:stream'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { deferred } from '../deferred.ts'
import type { Deferred } from '../deferred.ts'
import { BoxError } from '../errors.ts'

const messageSchema = z.union([
  z.object({ QMP: z.unknown() }),
  z.object({ return: z.unknown(), id: z.number() }),
  z.object({ error: z.object({ class: z.string(), desc: z.string() }), id: z.number().optional() }),
  z.object({ event: z.string(), data: z.record(z.string(), z.unknown()).optional() }),
])

/** QEMU's control protocol: lines of JSON, answers by id, events between them. */
export class QmpClient {
  readonly #stream: Duplex
  readonly #calls = new Map<number, Deferred<unknown>>()
  readonly #listeners = new Set<(event: string, data: Record<string, unknown>) => void>()
  #next = 1
  #ended = false

  constructor(stream: Duplex) {
    this.#stream = stream
    stream.on('error', () => this.#end())
    stream.once('close', () => this.#end())
    createInterface({ input: stream })
      .on('line', (line) => this.#take(line))
      .on('error', () => this.#end())
      .once('close', () => this.#end())
  }

  /** Must be the first call. */
  async open(): Promise<void> {
    await this.execute('qmp_capabilities')
  }

  /** Fails with SANDBOX_FAILED when QEMU refuses or has ended. */
  async execute(command: string, args: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    if (this.#ended) throw ended(command)
    const id = this.#next
    this.#next += 1
    const answer = deferred<unknown>()
    this.#calls.set(id, answer)
    this.#stream.write(`${JSON.stringify({ execute: command, arguments: args, id })}\n`)
    return answer.promise
  }

  /** Returns a function that stops listening. */
  onEvent(listener: (event: string, data: Record<string, unknown>) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #take(line: string): void {
    // A guest that took QEMU over speaks here too: nothing of it is trusted to have a shape.
    const parsed = messageSchema.safeParse(parseJson(line))
    if (!parsed.success || 'QMP' in parsed.data) return
    const message = parsed.data
    if ('event' in message) {
      for (const listener of this.#listeners) listener(message.event, message.data ?? {})
      return
    }
    if (message.id === undefined) return
    const call = this.#calls.get(message.id)
    this.#calls.delete(message.id)
    if ('error' in message) call?.reject(new BoxError('SANDBOX_FAILED', `QEMU: ${message.error.desc}`))
    else call?.resolve(message.return)
  }

  #end(): void {
    this.#ended = true
    for (const call of this.#calls.values()) call.reject(ended('a call'))
    this.#calls.clear()
  }
}

function ended(command: string): BoxError {
  return new BoxError('SANDBOX_FAILED', `QEMU ended before it answered ${command}`)
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // What is not JSON is no message.
    return null
  }
}
