import {
  decode,
  dropNil,
  encode,
  methods,
  ProtocolError,
  REJECTED,
  requestSchema,
  RESOLVED,
  type ErrorResponse,
  type JoinResult,
  type MethodName,
  type Params,
  type PermissionFlag,
  type Permissions,
  type Request,
  type ResultResponse,
} from '@boxyard/protocol'
import type { z } from 'zod'
import type { Connection, Handlers } from './area.ts'
import type { Log } from './log.ts'

/** What the dispatcher needs to know of the socket a frame came from. */
export interface Caller {
  /** Undefined until the socket has joined. */
  readonly connection: Connection | undefined
  join(params: Params<'client/join'>): Promise<JoinResult>
  respond(frame: Uint8Array, opensGap: boolean): void
  /** Called after the answer of a successful join was sent. */
  joined(): void
}

/** Thrown for a frame that can't be answered because it has no usable id. */
export class UnanswerableFrame extends Error {}

/**
 * Clients recognise these answers on the raw frame, or wait for nothing behind them, so the notifications behind them need no
 * distance: text sync and the echo of a terminal stay fast.
 */
const answeredWithoutGap: ReadonlySet<string> = new Set([
  'file/documentOperation',
  'file/documentAck',
  'file/documentSelection',
  'shell/in',
  'shell/resize',
])

type AnyHandler = (params: unknown, connection: Connection, reply: (result: unknown) => void) => unknown

/** Turns frames into calls of handlers and their outcomes into frames. */
export class Dispatcher {
  readonly #log: Log
  #handlers = new Map<string, AnyHandler>()

  constructor(log: Log) {
    this.#log = log
  }

  serve(handlers: Partial<Handlers>): void {
    for (const [name, handler] of Object.entries(handlers)) {
      if (this.#handlers.has(name)) throw new Error(`Two areas answer ${name}`)
      this.#handlers.set(name, handler as AnyHandler)
    }
  }

  get served(): ReadonlySet<string> {
    return new Set(this.#handlers.keys())
  }

  /** Answers one frame; the handler is called before this returns. Rejects with UnanswerableFrame for one without a usable id. */
  async handle(frame: Uint8Array, caller: Caller): Promise<void> {
    const request = readRequest(frame)
    const { id, method } = request
    let answered = false
    const send = (answer: ResultResponse | ErrorResponse): void => {
      if (answered) return
      const bytes = encode(answer)
      answered = true
      caller.respond(bytes, !answeredWithoutGap.has(method))
    }
    const reply = (result: unknown): void => send({ id, method, status: RESOLVED, result: result ?? null })
    try {
      reply(await this.#call(request, caller, reply))
    } catch (error) {
      send({ id, method, status: REJECTED, error: this.#describe(error, method) })
      return
    }
    if (method === 'client/join') caller.joined()
  }

  #call(request: Request, caller: Caller, reply: (result: unknown) => void): unknown {
    if (!Object.hasOwn(methods, request.method)) throw new ProtocolError('FEATURE_UNAVAILABLE')
    const name = request.method as MethodName
    if (name === 'client/join') return caller.join(validate(methods[name].params, request))
    const connection = caller.connection
    if (!connection) throw new ProtocolError('NO_ACCESS', 'Join before any other request')
    const { params, permission } = methods[name]
    if (permission && !allows(connection.permissions, permission)) throw new ProtocolError('NO_ACCESS')
    const handler = this.#handlers.get(name)
    if (!handler) throw new ProtocolError('FEATURE_UNAVAILABLE')
    return handler(validate(params, request), connection, reply)
  }

  #describe(error: unknown, method: string): ErrorResponse['error'] {
    if (error instanceof ProtocolError) {
      const { code, message, data } = error
      return data === undefined ? { code, message } : { code, message, data }
    }
    this.#log.error('A request failed', error, { method })
    const { code, message } = new ProtocolError('CRITICAL_ERROR')
    return { code, message }
  }
}

function readRequest(frame: Uint8Array): Request {
  let message: unknown
  try {
    message = dropNil(decode(frame))
  } catch (cause) {
    throw new UnanswerableFrame('The frame is not one msgpack value', { cause })
  }
  const request = requestSchema.safeParse(message)
  if (!request.success) throw new UnanswerableFrame('The frame is not a request', { cause: request.error })
  return request.data
}

function allows(permissions: Permissions, flag: PermissionFlag): boolean {
  const [group = '', key = ''] = flag.split('.')
  const flags: Readonly<Record<string, Readonly<Record<string, boolean>>>> = permissions
  return flags[group]?.[key] === true
}

const pathKeys: ReadonlySet<PropertyKey> = new Set(['path', 'from', 'to', 'cwd', 'projectPath', 'filename', 'name'])
const idKeys: ReadonlySet<PropertyKey> = new Set(['id', 'parentId', 'watchId', 'searchId', 'shellId', 'taskId'])

function validate<S extends z.ZodType>(schema: S, { method, params }: Request): z.output<S> {
  // A validator in code of its own pays for what comes with every key; for the rest making it takes longer than it saves.
  const parsed = schema.safeParse(params, { jitless: !answeredWithoutGap.has(method) })
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const key = issue?.path.at(-1)
  const message = issue ? `${issue.path.map(String).join('.') || 'params'}: ${issue.message}` : undefined
  if (key !== undefined && pathKeys.has(key)) throw new ProtocolError('INVALID_PATH', message)
  if (key !== undefined && idKeys.has(key)) throw new ProtocolError('INVALID_ID', message)
  throw new ProtocolError('INVALID_PARAMS', message)
}
