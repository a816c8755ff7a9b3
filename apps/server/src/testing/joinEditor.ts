import { classify, decode, encode, type MethodName } from '@boxyard/protocol'
import { WebSocket } from 'ws'

/** A joined client of a dev server behind the edge, as far as tests of the edge need one. */
export interface JoinedEditor {
  readonly clientId: string
  /** Path and query of its socket. */
  readonly path: string
  readonly closed: Promise<void>
  call(method: MethodName, params?: unknown): Promise<unknown>
  /** The parameters of the first notification of this name that passes `only`, already here or to come. */
  told(name: string, only?: (params: Record<string, unknown>) => boolean): Promise<unknown>
  close(): void
}

export async function joinEditor(
  server: { origin: string; port: number },
  boxId: string,
  token: string,
): Promise<JoinedEditor> {
  const path = `/box/${boxId}/?token=${token}`
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, {
    headers: { host: new URL(server.origin).host },
  })
  const received: { method: string; params: unknown }[] = []
  const answers = new Map<number, (answer: { result?: unknown; error?: { message: string } }) => void>()
  let look = (): void => undefined
  socket.on('message', (data, isBinary) => {
    if (!isBinary) return
    const { kind, message } = classify(decode(data as Buffer))
    if (kind === 'notification') received.push(message)
    else answers.get(message.id)?.(message)
    look()
  })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => socket.once('open', () => resolve()).once('error', reject))
  let next = 0
  const call = (method: MethodName, params: unknown = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      next += 1
      answers.set(next, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result)))
      socket.send(encode({ id: next, method, params }))
    })
  const subscriptions = { client: { status: true } }
  const joined = await call('client/join', { clientInfo: { protocolVersion: '0', appId: 'test' }, subscriptions })
  return {
    clientId: (joined as { client: { clientId: string } }).client.clientId,
    path,
    closed,
    call,
    told: (name, only = () => true) =>
      new Promise((resolve) => {
        look = () => {
          const found = received.find(
            ({ method, params }) => method === name && only(params as Record<string, unknown>),
          )
          if (found) resolve(found.params)
        }
        look()
      }),
    close: () => socket.terminate(),
  }
}
