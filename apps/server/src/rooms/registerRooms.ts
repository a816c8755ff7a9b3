import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { roomPersonId, toRoomSchema } from '@boxyard/api'
import type { FromRoom } from '@boxyard/api'
import { ANONYMOUS_USERNAME } from '@boxyard/protocol'
import { WebSocketServer } from 'ws'
import type { RawData, WebSocket } from 'ws'
import { z } from 'zod'
import type { RequestSession } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import { ACCESS_CHANGED, subjectOf } from '../events/platformEvent.ts'
import type { EventHandler } from '../events/platformEvent.ts'
import type { App } from '../http/app.ts'
import { refuseUpgrade } from '../http/gateway.ts'
import { accessSandbox, devServerAccess } from '../sandboxes/index.ts'
import { FILES_CHANGED, filesChangedSchema } from '../sandboxes/filesChanged.ts'
import { readChange } from '../sandboxes/sandboxFiles.ts'
import { presentDirectory, presentModule } from '../sandboxes/presentFiles.ts'
import { DOCUMENT_CHANGED, DocumentStore } from './documentStore.ts'
import { SandboxRoom } from './sandboxRoom.ts'
import type { Visitor } from './sandboxRoom.ts'

const PATH = /^\/api\/v1\/sandboxes\/([a-z0-9][a-z0-9-]{0,99})\/room\/?$/
/** What only one page knows, so that it is the same one when it comes back. */
const SECRET = /^[0-9a-f-]{36}$/
/** A text of five million characters in one operation, with what JSON adds. */
const LARGEST_FRAME = 32 * 1024 * 1024
/** Who does not take what is sent to them any more comes back and is told everything again. */
const MOST_UNSENT = 64 * 1024 * 1024
/** Pages say something at least every fifteen seconds. */
const SILENCE_MS = 60_000
const TRY_AGAIN = 1013
const UNSUPPORTED = 1007
const DONE = 1000

const documentChangedSchema = z.object({ sandboxId: z.string(), document: z.string(), origin: z.string() })

/** The rooms of sandboxes without a machine, at /api/v1/sandboxes/{id}/room (WebSocket). The answer takes the events of the platform. */
export function registerRooms(app: App, context: ServerContext): EventHandler {
  const { database, gateway, log, sessionSockets } = context
  const origin = randomUUID()
  const rooms = new Map<string, SandboxRoom>()
  const server = new WebSocketServer({ noServer: true, maxPayload: LARGEST_FRAME, perMessageDeflate: false })
  const heard = new WeakSet<WebSocket>()
  const round = setInterval(() => {
    for (const socket of server.clients) {
      if (!heard.delete(socket)) socket.terminate()
    }
  }, SILENCE_MS)

  function roomOf(sandboxId: string): SandboxRoom {
    const known = rooms.get(sandboxId)
    if (known) return known
    const onFailure = (error: unknown) =>
      log.warn({ err: error, sandbox: sandboxId }, 'a room failed; its pages come back')
    const room = new SandboxRoom(new DocumentStore(database, sandboxId, origin), onFailure)
    rooms.set(sandboxId, room)
    return room
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, url: URL): Promise<void> {
    const id = PATH.exec(url.pathname)![1]!
    const session = await app.authenticate.connection(request)
    const access = await accessSandbox(database, id, session?.user ?? null)
    if (!access) return refuseUpgrade(socket, 404)
    const secret = url.searchParams.get('page')
    const personId = secret !== null && SECRET.test(secret) ? await roomPersonId(secret) : randomUUID()
    server.handleUpgrade(request, socket, head, (accepted) => {
      if (access.sandbox.isV2) {
        accepted.on('error', (error) => log.info({ err: error }, 'the socket of a room failed'))
        accepted.send(JSON.stringify({ type: 'converted' } satisfies FromRoom), () => accepted.close(DONE))
        return
      }
      sessionSockets.hold(session?.sessionId, socket)
      const level = session ? devServerAccess(access) : 'read'
      serve(accepted, { sandboxId: access.sandbox.id, personId, session, access: level }).catch((error: unknown) => {
        log.warn({ err: error, sandbox: id }, 'nobody could be let into a room')
        accepted.close(TRY_AGAIN)
      })
    })
  }

  async function serve(
    socket: WebSocket,
    {
      sandboxId,
      personId,
      session,
      access,
    }: { sandboxId: string; personId: string; session: RequestSession | null; access: Visitor['access'] },
  ): Promise<void> {
    const room = roomOf(sandboxId)
    const user = session?.user
    const visitor: Visitor = {
      person: {
        id: personId,
        username: user?.username ?? ANONYMOUS_USERNAME,
        name: user ? (user.name ?? user.username) : 'Anonymous',
        avatarUrl: user?.avatarUrl ?? null,
        color: room.freeColor(user !== undefined),
      },
      userId: user?.id ?? null,
      access,
      send(message) {
        if (socket.bufferedAmount > MOST_UNSENT) socket.terminate()
        else socket.send(JSON.stringify(message))
      },
      dismiss: () => socket.close(TRY_AGAIN, 'Come back'),
    }
    heard.add(socket)
    socket.on('message', (data) => {
      heard.add(socket)
      const text = textOf(data)
      if (text === '') return socket.send('')
      const message = toRoomSchema.safeParse(parseJson(text))
      if (!message.success) return socket.close(UNSUPPORTED, 'This is not a message of a room')
      void room.receive(message.data, visitor)
    })
    socket.on('error', (error) => log.info({ err: error }, 'the socket of a room failed'))
    socket.on('close', () => {
      room.leave(visitor)
      if (room.isEmpty && rooms.get(sandboxId) === room) rooms.delete(sandboxId)
    })
    await room.join(visitor)
  }

  /** Whoever may do something else now comes back, and is let in as that or not at all. */
  function review(subject: string): void {
    for (const [sandboxId, room] of rooms) {
      const wholeRoom = subject === subjectOf.sandbox(sandboxId) || subject.startsWith(subjectOf.team(''))
      for (const visitor of room.visitors) {
        if (wholeRoom || (visitor.userId !== null && subject === subjectOf.user(visitor.userId))) visitor.dismiss()
      }
    }
  }

  gateway.serveUpgrades(
    (path) => PATH.test(path),
    (request, socket, head, url) => {
      upgrade(request, socket, head, url).catch((error: unknown) => {
        log.warn({ err: error }, 'a room could not be opened')
        refuseUpgrade(socket, 503)
      })
    },
  )
  app.addHook('preClose', async () => {
    clearInterval(round)
    for (const socket of server.clients) socket.close(TRY_AGAIN, 'The server stops')
  })

  return async ({ type, subject, data }) => {
    if (type === ACCESS_CHANGED) return review(subject)
    if (type === DOCUMENT_CHANGED) {
      const changed = documentChangedSchema.parse(data)
      if (changed.origin !== origin) await rooms.get(changed.sandboxId)?.refresh(changed.document)
      return
    }
    if (type !== FILES_CHANGED) return
    const { sandboxId, by, ...change } = filesChangedSchema.parse(data)
    const room = rooms.get(sandboxId)
    if (!room) return
    const { modules, directories } = await readChange(database, sandboxId, change)
    await room.filesChanged(
      {
        modules: modules.map(presentModule),
        directories: directories.map(presentDirectory),
        removedModules: change.removedModules,
        removedDirectories: change.removedDirectories,
      },
      by,
    )
  }
}

const textOf = (data: RawData): string =>
  Array.isArray(data) ? Buffer.concat(data).toString() : Buffer.from(data as ArrayBuffer).toString()

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
