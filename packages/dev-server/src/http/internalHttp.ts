import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { ProtocolError, protocolErrors } from '@boxyard/protocol'
import { z } from 'zod'
import { adoptionSchema, type Adoption } from '../adoption.ts'
import { updateSchema } from '../handover.ts'
import { accessChangeSchema, type AccessChange } from '../client/accessChange.ts'
import type { Log } from '../log.ts'
import type { Readiness } from '../readiness.ts'
import type { DevServerStatus } from '../status.ts'
import type { ReceivedServer } from '../vsCode/ReceivedServer.ts'
import type { VsCodeServer } from '../vsCode/VsCodeServer.ts'
import { VsCodeServerError } from '../vsCode/VsCodeServer.ts'
import { connectLoopback } from './loopback.ts'
import { splice } from './splice.ts'

const MAX_BODY = 1000

/** Of a VS Code server, as a folder is called. */
const serverNameSchema = z.string().regex(/^\w[\w.-]{0,99}$/)
const vsCodeServerSchema = z.object({ folder: z.string().startsWith('/') })

export interface InternalHttpOptions {
  readiness: Readiness
  status: DevServerStatus
  flush: () => Promise<void>
  /** The text of a file as it is now, unsaved edits included; null where there is none to show. */
  textAt: (path: string) => Promise<string | null>
  /** Flushes, tells every client that the box goes to sleep, and closes its socket. */
  hibernate: () => Promise<void>
  /** Somebody may do more or less than before. */
  changeAccess: (change: AccessChange) => void
  /** The box is the copy of another one from now on. */
  adopt: (adoption: Adoption) => Promise<void>
  /** Another dev server goes on with the shells of this one. Answers the last step, in which this process ends. */
  makeWay: (program: string) => Promise<() => void>
  vsCodeServer: Pick<VsCodeServer, 'start'>
  receivedServer: Pick<ReceivedServer, 'find' | 'receive'>
  log: Log
}

/** Answers the platform's own requests on the dev server's socket. */
export function createRequestListener(
  options: InternalHttpOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    answer(options, request, response).catch((error: unknown) => {
      if (error instanceof VsCodeServerError) return sendJson(response, 409, { error: error.message })
      if (error instanceof ProtocolError) {
        const status = error.code === protocolErrors.TASK_NOT_FOUND.code ? 404 : 409
        sendJson(response, status, { error: error.message })
        return
      }
      options.log.error('A request of the platform failed', error, { url: request.url })
      sendJson(response, 500, { error: 'The dev server failed to handle this request' })
    })
  }
}

async function answer(
  {
    readiness,
    status,
    flush,
    hibernate,
    changeAccess,
    adopt,
    makeWay,
    textAt,
    vsCodeServer,
    receivedServer,
  }: InternalHttpOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://box')
  const route = `${request.method} ${pathname}`
  if (route === 'POST /access') {
    const change = accessChangeSchema.safeParse(await readJson(request))
    if (change.success) changeAccess(change.data)
    sendJson(response, change.success ? 200 : 400, change.success ? {} : { error: 'user and access are expected' })
    return
  }
  if (route === 'POST /adopt') {
    const adoption = adoptionSchema.safeParse(await readJson(request))
    if (adoption.success) await adopt(adoption.data)
    sendJson(response, adoption.success ? 200 : 400, adoption.success ? {} : { error: 'boxId and epoch are expected' })
    return
  }
  if (route === 'POST /update') {
    const update = updateSchema.safeParse(await readJson(request))
    const goOn = update.success ? await makeWay(update.data.program) : undefined
    sendJson(response, goOn ? 200 : 400, goOn ? {} : { error: 'The path of a program is expected' })
    if (goOn && response.closed) goOn()
    else if (goOn) response.once('close', goOn)
    return
  }
  if (route === 'POST /vscode-server') {
    const asked = vsCodeServerSchema.safeParse(await readJson(request))
    // What it is started with is known then.
    await readiness.whenReady
    if (asked.success) sendJson(response, 200, await vsCodeServer.start(asked.data.folder))
    else sendJson(response, 400, { error: 'The folder of a server is expected' })
    return
  }
  if (pathname === '/vscode-server' && (request.method === 'GET' || request.method === 'PUT')) {
    const name = serverNameSchema.safeParse(searchParams.get('name'))
    if (!name.success) {
      request.resume()
      sendJson(response, 400, { error: 'The name of a server is expected' })
      return
    }
    const folder =
      request.method === 'PUT' ? await receivedServer.receive(name.data, request) : await receivedServer.find(name.data)
    if (folder === undefined) sendJson(response, 404, { error: 'There is no such server in the box' })
    else sendJson(response, 200, { folder })
    return
  }
  request.resume()
  if (route === 'GET /status') {
    sendJson(response, 200, {
      program: process.argv[1] ?? '',
      ready: readiness.isReady,
      setup: status.setup(),
      tasks: status.tasks(),
      ports: status.ports(),
    })
    return
  }
  if (route === 'POST /flush') {
    await flush()
    sendJson(response, 200, {})
    return
  }
  if (route === 'GET /text') {
    const text = await textAt(searchParams.get('path') ?? '')
    if (text === null) sendJson(response, 404, { error: 'There is no text at this path' })
    else sendJson(response, 200, { text })
    return
  }
  if (route === 'POST /hibernate') {
    await hibernate()
    sendJson(response, 200, {})
    return
  }
  const task = /^POST \/tasks\/([^/]+)\/run$/.exec(route)?.[1]
  if (task !== undefined) {
    await status.runTask(decodeURIComponent(task))
    sendJson(response, 200, {})
    return
  }
  sendJson(response, 404, { error: 'There is nothing here' })
}

/** The body of a request as JSON; undefined where it is none or longer than anybody's name. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > MAX_BODY) return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    // Whoever asked is told what is expected.
    return undefined
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** CONNECT opens a raw connection to a port on the loopback interface of the box, and to nothing else. */
export function createConnectListener(): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  return (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const port = Number(/^127\.0\.0\.1:(\d{1,5})$/.exec(request.url ?? '')?.[1])
    if (!(port >= 1 && port <= 65_535)) {
      refuse(socket, '403 Forbidden', 'Only 127.0.0.1 and a port can be reached')
      return
    }
    connectLoopback(port).then(
      (upstream) => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        if (head.length > 0) upstream.write(head)
        splice(socket, upstream)
      },
      () => refuse(socket, '502 Bad Gateway', `Nothing listens on port ${port}`),
    )
  }
}

/** Answers a request that asked for a raw connection, and ends it. */
export function refuse(socket: Duplex, status: string, message: string): void {
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(message)}\r\nConnection: close\r\n\r\n${message}`,
  )
}
