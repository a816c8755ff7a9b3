import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { ProtocolError } from '@boxyard/protocol'
import {
  CancellationTokenSource,
  createMessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
  type Message,
  type MessageConnection,
} from 'vscode-jsonrpc/node.js'
import type { Timers } from '../shell/Timers.ts'

/** A request that a language server has not answered by then it never will. */
const REQUEST_MS = 10 * 60 * 1000
/** What a server that is asked to end may take. */
const GOODBYE_MS = 2000

export interface LanguageProcessOptions {
  command: string
  arguments: readonly string[]
  cwd: string
  environment: Readonly<Record<string, string>>
  timers: Timers
  onNotification: (method: string, params: unknown) => void
  onRequest: (method: string, params: unknown) => Promise<unknown>
  /** The process ended by itself. */
  onCrash: () => void
  report: (error: unknown) => void
}

/** The library lets a failed write of a request go unhandled. Here nothing depends on it: the end of the process ends what waits. */
class EnduringWriter extends StreamMessageWriter {
  override async write(message: Message): Promise<void> {
    await super.write(message).catch(() => undefined)
  }
}

/** One process of a language server. */
export class LanguageProcess {
  readonly #options: LanguageProcessOptions
  readonly #child: ChildProcessWithoutNullStreams
  readonly #connection: MessageConnection
  readonly #ended: Promise<void>
  #isEnding = false
  #hasEnded = false
  #said = ''

  constructor(options: LanguageProcessOptions) {
    this.#options = options
    const child = spawn(options.command, options.arguments, {
      cwd: options.cwd,
      env: { ...options.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.#child = child
    child.stdin.on('error', () => undefined)
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.#said = (this.#said + chunk).slice(-2000)
    })
    this.#connection = createMessageConnection(new StreamMessageReader(child.stdout), new EnduringWriter(child.stdin))
    this.#connection.onRequest((method, params) => options.onRequest(method, params))
    this.#connection.onNotification((method, params) => options.onNotification(method, params))
    this.#connection.onError(([error]) => options.report(error))
    this.#connection.listen()
    this.#ended = new Promise((resolve) => {
      const end = (reason: unknown): void => {
        if (this.#hasEnded) return
        this.#hasEnded = true
        // Rejects what waits for an answer.
        this.#connection.dispose()
        resolve()
        if (this.#isEnding) return
        options.report(new Error(`A language server ended: ${String(reason)}. ${this.#said}`))
        options.onCrash()
      }
      child.on('error', end)
      child.on('close', (code, signal) => end(signal ?? code))
    })
  }

  notify(method: string, params: unknown): void {
    if (this.#hasEnded) return
    this.#connection.sendNotification(method, params).catch(this.#options.report)
  }

  /** Errors of the server are protocol errors with its code. `abandoned` takes the request back. */
  async request(method: string, params: unknown, abandoned?: AbortSignal): Promise<unknown> {
    if (this.#hasEnded) throw ended(method)
    const source = new CancellationTokenSource()
    const cancel = (): void => source.cancel()
    abandoned?.addEventListener('abort', cancel)
    let isLate = false
    const stopTimer = this.#options.timers.after(REQUEST_MS, () => {
      isLate = true
      source.cancel()
    })
    try {
      const answer = this.#connection.sendRequest(method, params, source.token)
      // A server may not answer a request that was taken back.
      const late = new Promise<never>((_resolve, reject) => {
        source.token.onCancellationRequested(() => reject(isLate ? timedOut(method) : ended(method)))
      })
      return await Promise.race([answer, late])
    } catch (error) {
      if (this.#hasEnded) throw ended(method)
      if (error instanceof ResponseError) throw new ProtocolError(error.code, error.message, error.data)
      if (error instanceof ProtocolError) throw error
      throw ended(method)
    } finally {
      stopTimer()
      abandoned?.removeEventListener('abort', cancel)
    }
  }

  /** Asks it to end, and ends it. */
  async end(): Promise<void> {
    this.#isEnding = true
    const kill = this.#options.timers.after(GOODBYE_MS, () => this.#child.kill('SIGKILL'))
    if (!this.#hasEnded) {
      await Promise.race([this.#connection.sendRequest('shutdown').catch(() => undefined), this.#ended])
      if (!this.#hasEnded && this.#child.stdin.writable) {
        await this.#connection.sendNotification('exit').catch(() => undefined)
      }
      this.#child.stdin.end()
    }
    await this.#ended
    kill()
  }
}

function ended(method: string): ProtocolError {
  return new ProtocolError('CRITICAL_ERROR', `Failed to send request: the language server stopped during ${method}`)
}

function timedOut(method: string): ProtocolError {
  return new ProtocolError('CRITICAL_ERROR', `Failed to send request: ${method} was not answered within 10 minutes`)
}
