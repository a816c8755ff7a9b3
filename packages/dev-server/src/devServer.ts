import { createServer, type IncomingMessage, type Server } from 'node:http'
import { access, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { MAX_FRAME_BYTES, ProtocolError } from '@boxyard/protocol'
import { WebSocketServer } from 'ws'
import type { Adoption } from './adoption.ts'
import type { Area, Connection } from './area.ts'
import { createBoxTokenVerifier, TokenRefused, type VerifyBoxToken } from './boxToken.ts'
import { capabilitiesOf } from './capabilities.ts'
import type { AccessChange } from './client/accessChange.ts'
import { Admission } from './client/admission.ts'
import { createClientArea, type LeaveReason } from './client/clientArea.ts'
import { ReconnectTokens } from './client/reconnectToken.ts'
import type { Configuration } from './configuration.ts'
import { ConnectionRegistry, type ClientConnection } from './connection.ts'
import { Dispatcher } from './dispatcher.ts'
import { startFiles, type Files } from './files.ts'
import { EGRESS_RELAY_PORT, startEgressRelay } from './http/egressRelay.ts'
import { createConnectListener, createRequestListener, refuse } from './http/internalHttp.ts'
import { announceToKeeper, openKeeperPipe, startSuccessor, takeHandover } from './handover.ts'
import type { Log } from './log.ts'
import { startProcessAreas, type ProcessAreas } from './processAreas.ts'
import { Readiness } from './readiness.ts'
import { Session, type SessionHost } from './session.ts'
import type { Shells } from './shell/Shells.ts'
import { adoptedAs, adoptStateFolder, openStateFolder } from './stateFolder.ts'
import type { DevServerStatus } from './status.ts'
import { ReceivedServer } from './vsCode/ReceivedServer.ts'
import { VsCodeServer } from './vsCode/VsCodeServer.ts'

export interface DevServer {
  /** Resolves when joins are answered; rejects when an area could not start. */
  readonly whenReady: Promise<void>
  /** Writes everything that is not yet on disk. */
  flush(): Promise<void>
  /** Flushes, says goodbye to the clients and stops everything. */
  stop(): Promise<void>
}

/** Starts a dev server. Resolves when its socket is open; the areas may still be starting. */
export async function startDevServer(configuration: Configuration, log: Log): Promise<DevServer> {
  const readiness = new Readiness()
  const connections = new ConnectionRegistry()
  const dispatcher = new Dispatcher(log)
  const areas: Area[] = []
  const sessions = new Set<Session>()
  /** Those who leave because the platform took a right from them. */
  const unauthorized = new WeakSet<Connection>()
  /** Who has joined this dev server: they know already that it is another one. */
  const seen = new Set<string>()
  let tellAgain: ProcessAreas['tellAgain'] = () => undefined
  let stopping: Promise<void> | undefined
  const status: DevServerStatus = emptyStatus()
  const flushers: (() => Promise<void>)[] = []
  const flush = async (): Promise<void> => {
    await Promise.all(flushers.map((flushArea) => flushArea()))
  }

  Object.assign(configuration, await adoptedAs(configuration))
  const handed = takeHandover(configuration)
  const verify = await createBoxTokenVerifier(configuration)
  let identity = await openStateFolder(configuration.state, configuration)
  const tokens = new ReconnectTokens(identity.reconnectKey, Date.now)
  const admission = new Admission({
    connections,
    readiness,
    tokens,
    workspace: configuration.workspace,
    capabilities: () => capabilitiesOf(dispatcher.served),
  })
  const host: SessionHost = {
    dispatcher,
    log,
    admit: (session, params) => admission.admit(session, params),
    joined(connection, isBack) {
      connections.get(connection.client.clientId)?.close()
      connections.add(connection)
      for (const area of areas) area.joined?.(connection)
      if (configuration.isAgain && isBack && !seen.has(connection.client.clientId)) tellAgain(connection)
      seen.add(connection.client.clientId)
    },
    ended(session) {
      sessions.delete(session)
      const { connection } = session
      if (!connection || connections.get(connection.client.clientId) !== connection) return
      connections.remove(connection)
      for (const area of areas) area.left?.(connection)
    },
  }

  let shells: Shells | undefined
  let programEnvironment: Readonly<Record<string, string>> = {}
  /** Sends everybody away and closes everything. Shells that are kept run on. */
  const close = async (): Promise<void> => {
    await starting
    server.close()
    await flush()
    for (const connection of connections.all()) goodbye(connection)
    for (const session of sessions) session.close()
  }
  const disposeAreas = async (): Promise<void> => {
    for (const area of areas.toReversed()) await area.dispose()
  }
  /**
   * Makes way for another dev server, which goes on with the shells: everybody is sent away, everything is on disk and nothing but the shells
   * runs. Answers what starts the other one and ends this process. From the first step on there is no way back but another start.
   */
  const makeWay = async (program: string): Promise<() => void> => {
    await readiness.whenReady
    await access(program).catch(() => {
      throw new ProtocolError('BOX_NOT_AVAILABLE', `There is no program ${program}`)
    })
    if (stopping !== undefined || !shells) throw new ProtocolError('BOX_NOT_AVAILABLE', 'The dev server is stopping')
    const pipe = await openKeeperPipe(configuration)
    const all = shells
    log.info('The dev server makes way for another one', { program })
    stopping = close().then(async () => {
      await all.keep()
      await disposeAreas()
      // The port is free at once; whoever is connected keeps that until this process ends.
      relay?.stop().catch((error: unknown) => log.error('The egress relay did not stop', error))
    })
    await stopping
    return () => startSuccessor(configuration, program, pipe, process.env, () => all.handOver())
  }
  let textAt: Files['textAt'] = () => Promise.resolve(null)
  const reasonOf = (connection: Connection): LeaveReason => {
    if (stopping !== undefined) return 'PitcherShutdown'
    return unauthorized.has(connection) ? 'AuthorizationChanged' : 'Disconnect'
  }
  /**
   * Who may do more goes on where they are. Who may do less is told and leaves: watches, shells and files that were opened with the former
   * rights end with the socket, and the next one comes with a token of what they have now.
   */
  const changeAccess = ({ user, access }: AccessChange): void => {
    for (const session of sessions) {
      if (session.claims.sub !== user) continue
      if (access === 'none' || (access === 'read' && session.access === 'write')) {
        if (session.connection) unauthorized.add(session.connection)
        session.changeAccess('read')
        session.close()
      } else if (access === 'write' && session.access === 'read' && session.claims.sid !== undefined) {
        // A token without a session was made for a program, which asked for no more than this.
        session.changeAccess('write')
      }
    }
  }
  let isAsleep = false
  let woke: ProcessAreas['woke'] = () => Promise.resolve()
  /** Nobody speaks to a box that sleeps: the first one to do so has woken it. */
  const wake = (): void => {
    if (!isAsleep) return
    isAsleep = false
    woke().catch((error: unknown) => log.error('What starts after a sleep could not start', error))
  }
  const hibernate = async (): Promise<void> => {
    await flush()
    isAsleep = true
    for (const connection of connections.all()) connection.notify('system/hibernate', {})
    for (const session of sessions) session.close()
  }
  let adopted: (boots: number) => Promise<void> = () => Promise.resolve()
  /**
   * This dev server is the copy of another one that goes on elsewhere: nobody's token, number or address of there is good here. Shells and
   * tasks run on, since that is what such a copy is for.
   */
  const adopt = async (adoption: Adoption): Promise<void> => {
    await readiness.whenReady
    for (const session of sessions) session.close()
    Object.assign(configuration, { ...adoption, boot: 'FORK' } satisfies Partial<Configuration>)
    identity = await adoptStateFolder(configuration.state, adoption, identity)
    tokens.changeKey(identity.reconnectKey)
    await adopted(identity.boots)
    isAsleep = false
  }
  const vsCodeServer = await VsCodeServer.open({
    state: join(configuration.state, 'vscode-server'),
    home: configuration.home,
    workspace: configuration.workspace,
    environment: () => programEnvironment,
  })
  const server = createServer(
    createRequestListener({
      readiness,
      status,
      flush,
      hibernate,
      changeAccess,
      adopt,
      makeWay,
      textAt: (path) => textAt(path),
      vsCodeServer,
      receivedServer: new ReceivedServer(join(configuration.home, '.vscode-server', 'received')),
      log,
    }),
  )
  server.prependListener('request', wake)
  server.on('connect', createConnectListener())
  acceptSockets(server, verify, host, sessions)
  await listenOn(server, configuration.socket)
  const relay = await relayEgress(configuration, log)

  const add = (area: Area): void => {
    dispatcher.serve(area.handlers)
    areas.push(area)
  }
  const startAreas = async (): Promise<void> => {
    add(createClientArea(connections, reasonOf))
    const files = await startFiles({ configuration, boots: identity.boots, connections, readiness, log })
    flushers.push(files.flush)
    textAt = files.textAt
    add(files.fsArea)
    add(files.fileArea)
    const processes = await startProcessAreas(configuration, identity, connections, files, handed, vsCodeServer, log)
    shells = processes.shells
    programEnvironment = processes.environment
    processes.areas.forEach(add)
    flushers.push(processes.flush)
    woke = processes.woke
    tellAgain = processes.tellAgain
    adopted = async (boots) => {
      processes.adopted()
      await files.adopted(boots)
    }
    Object.assign(status, processes.status)
  }
  const starting = startAreas().then(
    () => readiness.ready(),
    (error: unknown) => {
      log.error('The dev server could not start', error)
      readiness.failed(error instanceof Error ? error : new Error(String(error)))
    },
  )

  announceToKeeper(configuration)

  const stop = async (): Promise<void> => {
    await close()
    await disposeAreas()
    await relay?.stop()
    server.closeAllConnections()
  }
  return {
    whenReady: readiness.whenReady,
    flush,
    stop: () => (stopping ??= stop()),
  }
}

/** Without the relay programs in the box have no network, but people still reach their files and can read why. */
async function relayEgress(
  { egressSocket }: Configuration,
  log: Log,
): Promise<Awaited<ReturnType<typeof startEgressRelay>> | undefined> {
  if (egressSocket === undefined) return undefined
  return startEgressRelay(egressSocket, EGRESS_RELAY_PORT, log).catch((error: unknown) => {
    log.error('The egress relay could not start: programs in this box have no network', error)
    return undefined
  })
}

function goodbye(connection: ClientConnection): void {
  const { clientId } = connection.client
  connection.notify('client/disconnected', { clientId, reason: 'PitcherShutdown' })
}

function emptyStatus(): DevServerStatus {
  return { setup: () => null, tasks: () => [], ports: () => [], runTask: () => Promise.resolve() }
}

function acceptSockets(server: Server, verify: VerifyBoxToken, host: SessionHost, sessions: Set<Session>): void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const query = new URL(request.url ?? '/', 'http://box').searchParams
    verify(query.get('token')).then(
      (claims) =>
        sockets.handleUpgrade(request, socket, head, (webSocket) => {
          sessions.add(new Session(webSocket, claims, query.get('reconnectToken'), host))
        }),
      (error: unknown) => {
        if (!(error instanceof TokenRefused)) host.log.error('A token could not be checked', error)
        else if (error.status === 403) return refuse(socket, '403 Forbidden', error.message)
        return refuse(socket, '401 Unauthorized', 'The token is not valid')
      },
    )
  })
}

/** Opens the socket. A socket file of an earlier dev server is in the way and is removed. */
async function listenOn(server: Server, path: string): Promise<void> {
  await rm(path, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
