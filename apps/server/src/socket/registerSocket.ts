import { findTokenHolder } from '../accounts/index.ts'
import type { User } from '../accounts/users.ts'
import type { ServerContext } from '../context.ts'
import type { GraphqlExecutor } from '../graphql/executor.ts'
import type { GraphqlContext } from '../graphql/graphqlContext.ts'
import { EventFeed } from '../events/eventFeed.ts'
import type { EventHandler } from '../events/platformEvent.ts'
import { LiveSubscriptions } from '../events/liveSubscriptions.ts'
import type { App } from '../http/app.ts'
import { controlChannels } from './controlChannel.ts'
import { NotificationChannels } from './notificationChannels.ts'
import { isSocketPath, PhoenixSocket } from './phoenixSocket.ts'

export interface SocketParts {
  /** Who else takes the events of the platform. */
  handlers: readonly EventHandler[]
  executor: GraphqlExecutor
  createContext: (user: User | null) => GraphqlContext
}

/** The real-time socket at /socket/websocket, fed by the events of all server processes. */
export function registerSocket(
  app: App,
  context: ServerContext,
  { executor, createContext, handlers }: SocketParts,
): void {
  const { database, connection, gateway, log, sessionSockets, tokens } = context
  const subscriptions = new LiveSubscriptions({ database, createContext })
  const notifications = new NotificationChannels(database)
  const socket = new PhoenixSocket({
    async verify(token) {
      const holder = await tokens.verifySessionToken(token)
      return holder && (await findTokenHolder(database, holder)) ? holder : null
    },
    hold: (sessionId, connected) => sessionSockets.hold(sessionId, connected),
    kinds: [controlChannels({ database, executor, subscriptions, createContext }), notifications.kind],
    onFailure: (error) => log.error({ err: error }, 'the real-time socket failed'),
  })
  const feed = new EventFeed({
    connection,
    handlers: [(event) => subscriptions.handle(event), (event) => notifications.handle(event), ...handlers],
    log,
  })
  gateway.serveUpgrades(isSocketPath, (request, connected, head, url) => socket.upgrade(request, connected, head, url))
  app.addHook('onReady', () => feed.start())
  app.addHook('preClose', async () => {
    socket.close()
    await feed.close()
  })
}
