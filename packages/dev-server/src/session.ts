import { ProtocolError, type AccessLevel, type BoxTokenClaims, type JoinResult, type Params } from '@boxyard/protocol'
import type { WebSocket } from 'ws'
import type { ClientConnection } from './connection.ts'
import { UnanswerableFrame, type Caller, type Dispatcher } from './dispatcher.ts'
import { FrameWriter } from './frameWriter.ts'
import type { Log } from './log.ts'

/** More unanswered requests than this and the socket is not read until some are answered. */
const MAX_IN_FLIGHT = 256

/** Close codes of the WebSocket standard. */
const GOING_AWAY = 1001
const UNSUPPORTED_DATA = 1007

/** What a session asks of the dev server. */
export interface SessionHost {
  readonly dispatcher: Dispatcher
  readonly log: Log
  /** Admits the client of this session; resolves when the dev server is ready. `isBack`: it has been here before. */
  admit(
    session: Session,
    params: Params<'client/join'>,
  ): Promise<{ connection: ClientConnection; isBack: boolean; result: JoinResult }>
  /** The answer of the join was sent. */
  joined(connection: ClientConnection, isBack: boolean): void
  ended(session: Session): void
}

/** One socket, from its upgrade to its end. */
export class Session implements Caller {
  readonly claims: BoxTokenClaims
  readonly reconnectToken: string | null
  readonly writer: FrameWriter
  connection: ClientConnection | undefined
  #access: AccessLevel
  readonly #socket: WebSocket
  readonly #host: SessionHost
  #joining = false
  #isBack = false
  #inFlight = 0
  #ended = false

  constructor(socket: WebSocket, claims: BoxTokenClaims, reconnectToken: string | null, host: SessionHost) {
    this.claims = claims
    this.#access = claims.access
    this.reconnectToken = reconnectToken
    this.writer = new FrameWriter(socket)
    this.#socket = socket
    this.#host = host
    socket.binaryType = 'nodebuffer'
    socket.on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary))
    socket.on('error', (error) => host.log.info('A socket failed', { reason: error.message }))
    socket.on('close', () => this.#end())
  }

  /** What whoever holds this socket may do; the token says it first, the platform later. */
  get access(): AccessLevel {
    return this.#access
  }

  changeAccess(access: AccessLevel): void {
    this.#access = access
    this.connection?.changeAccess(access)
  }

  get ended(): boolean {
    return this.#ended
  }

  async join(params: Params<'client/join'>): Promise<JoinResult> {
    if (this.connection || this.#joining) throw new ProtocolError('NO_ACCESS', 'A socket joins once')
    this.#joining = true
    const { connection, isBack, result } = await this.#host.admit(this, params)
    this.connection = connection
    this.#isBack = isBack
    return result
  }

  respond(frame: Uint8Array, opensGap: boolean): void {
    this.writer.respond(frame, opensGap)
  }

  joined(): void {
    if (this.connection && !this.#ended) this.#host.joined(this.connection, this.#isBack)
  }

  /** Ends the socket because of the server. The end is reported at once, so that a successor can take over the identity. */
  close(): void {
    this.writer.hurry()
    this.#socket.close(GOING_AWAY)
    this.#end()
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (this.#ended) return
    if (!isBinary) {
      this.writer.beat()
      return
    }
    this.#inFlight += 1
    if (this.#inFlight >= MAX_IN_FLIGHT) this.#socket.pause()
    this.#host.dispatcher
      .handle(data, this)
      .catch((error: unknown) => {
        if (!(error instanceof UnanswerableFrame)) throw error
        this.#host.log.info('A socket sent an unusable frame', { reason: error.message })
        this.#socket.close(UNSUPPORTED_DATA, error.message)
      })
      .finally(() => {
        this.#inFlight -= 1
        if (this.#inFlight < MAX_IN_FLIGHT && this.#socket.isPaused) this.#socket.resume()
      })
      .catch((error: unknown) => this.#host.log.error('A request was not answered', error))
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    this.writer.end()
    this.#host.ended(this)
  }
}
