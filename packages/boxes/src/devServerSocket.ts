import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { constants } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import type { Duplex } from 'node:stream'
import { z } from 'zod'
import { isMissing } from './durableFile.ts'
import { BoxError } from './errors.ts'
import { stillOpen } from './stillOpen.ts'

/** Nobody listens on the socket now; who does in a moment is another start of the dev server. */
export class DevServerAway extends BoxError {}

/** What a box answers beyond this is not kept. */
const MAX_ANSWER = 1024 * 1024

interface Answer {
  status: number
  text: string
}

const statusSchema = z.object({ program: z.string() })

/** Linux: a handle that names a file without opening it. */
const O_PATH = 0o10000000

/**
 * The dev server's socket, seen from the host. Everything in its folder belongs to the box, which may put a link there that leads
 * to another socket of the host: the file is therefore pinned first and must be a socket itself.
 */
export class DevServerSocket {
  readonly #path: string
  readonly #boxId: string

  constructor(boxId: string, path: string) {
    this.#boxId = boxId
    this.#path = path
  }

  async connect(): Promise<net.Socket> {
    const socket = await this.#open()
    // A dev server that is ending takes connections as long as its socket is there, and breaks them unanswered. Who is handed one of those
    // would wait for its end, which is over.
    if (socket.destroyed) throw new DevServerAway('BOX_NOT_RUNNING', `the dev server of ${this.#boxId} has just ended`)
    return socket
  }

  /** True when the dev server answers, whether or not its set-up is done. */
  async answers(): Promise<boolean> {
    const response = await this.#request('GET', '/status', 2_000)
    return response === 200
  }

  /** Asks for everything that is not yet on disk to be written. Returns whether the dev server confirmed. */
  async flush(deadlineMs: number): Promise<boolean> {
    const status = await this.#request('POST', '/flush', deadlineMs)
    return status !== null && status >= 200 && status < 300
  }

  /** The same, and sends every client away: the box is about to sleep. */
  async farewell(deadlineMs: number): Promise<boolean> {
    const status = await this.#request('POST', '/hibernate', deadlineMs)
    return status !== null && status >= 200 && status < 300
  }

  /** The program of the dev server that answers, or null when none does. */
  async program(): Promise<string | null> {
    const answer = await this.#ask('GET', '/status', 2_000)
    return answer?.status === 200 ? statusSchema.parse(JSON.parse(answer.text)).program : null
  }

  /** Asks the dev server to make way for another program. Answers null, or why it does not. */
  async update(program: string, deadlineMs: number): Promise<string | null> {
    const answer = await this.#ask('POST', '/update', deadlineMs, JSON.stringify({ program }))
    return answer?.status === 200 ? null : (answer?.text ?? 'it did not answer')
  }

  /** Tells a dev server that went on in a copy of its box which box it is now. Returns whether it confirmed. */
  async adopt(identity: { boxId: string; epoch: number }, deadlineMs: number): Promise<boolean> {
    const status = await this.#request('POST', '/adopt', deadlineMs, JSON.stringify(identity))
    return status !== null && status >= 200 && status < 300
  }

  /** A connection to 127.0.0.1:port in the box. */
  async dial(port: number): Promise<Duplex> {
    const socket = await this.connect()
    return new Promise((resolve, reject) => {
      const request = http.request({
        createConnection: () => stillOpen(socket),
        method: 'CONNECT',
        path: `127.0.0.1:${port}`,
        headers: { host: `127.0.0.1:${port}` },
      })
      request.once('connect', (response, stream, head) => {
        if (response.statusCode === 200) {
          if (head.length > 0) stream.unshift(head)
          resolve(stream)
          return
        }
        stream.destroy()
        reject(new BoxError('PORT_CLOSED', `${port} in ${this.#boxId} answered ${response.statusCode}`))
      })
      // A server that does not know CONNECT answers like to any other request.
      request.once('response', (response) => {
        response.destroy()
        reject(new BoxError('PORT_CLOSED', `${port} in ${this.#boxId} answered ${response.statusCode}`))
      })
      request.once('error', (error) => {
        reject(new BoxError('PORT_CLOSED', `${port} in ${this.#boxId}: ${error.message}`, { cause: error }))
      })
      request.end()
    })
  }

  /** The status of the answer, or null when there was none within the deadline. */
  async #request(method: string, path: string, deadlineMs: number, body = ''): Promise<number | null> {
    return (await this.#ask(method, path, deadlineMs, body))?.status ?? null
  }

  async #ask(method: string, path: string, deadlineMs: number, body = ''): Promise<Answer | null> {
    let socket: net.Socket
    try {
      socket = await this.connect()
    } catch (error) {
      if (error instanceof BoxError) return null
      throw error
    }
    return new Promise((resolve) => {
      const request = http.request({
        createConnection: () => stillOpen(socket),
        method,
        path,
        headers: { host: 'box', connection: 'close', 'content-length': Buffer.byteLength(body) },
        signal: AbortSignal.timeout(deadlineMs),
      })
      request.once('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += text.length < MAX_ANSWER ? chunk : ''))
        response.once('close', () => resolve({ status: response.statusCode ?? 0, text }))
      })
      request.once('error', () => resolve(null))
      request.end(body)
    })
  }

  async #open(): Promise<net.Socket> {
    const pinned = await this.#pin()
    try {
      // Through the handle the length of the path does not matter either; socket addresses hold only 107 bytes.
      return await connectTo(pinned === null ? this.#path : `/proc/self/fd/${pinned.fd}`)
    } catch (error) {
      throw new DevServerAway('BOX_NOT_RUNNING', `the dev server of ${this.#boxId} does not answer`, { cause: error })
    } finally {
      await pinned?.close()
    }
  }

  async #pin(): Promise<FileHandle | null> {
    if (process.platform !== 'linux') return null
    let handle: FileHandle
    try {
      handle = await open(this.#path, O_PATH | constants.O_NOFOLLOW)
    } catch (error) {
      if (isMissing(error)) throw new DevServerAway('BOX_NOT_RUNNING', `${this.#boxId} has no dev server socket`)
      throw error
    }
    if ((await handle.stat()).isSocket()) return handle
    await handle.close()
    throw new BoxError('BOX_NOT_RUNNING', `the socket of ${this.#boxId} is not a socket`)
  }
}

function connectTo(path: string): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ path })
    // Until whoever asked for it listens it may break, and that would be the end of this whole process. They see its close.
    socket.on('error', () => undefined)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
    socket.once('error', reject)
  })
}
