import type { DevServerClient } from '@boxyard/dev-server-client'
import { classify } from '../api/RequestError.ts'
import type { StartedBox } from '../api/schemas.ts'
import type { BoxApi } from './boxApi.ts'
import { boxFailure } from './boxApi.ts'
import type { BoxEvent, BoxPorts } from './boxMachine.ts'
import { connectionEvent } from './connectionEvent.ts'
import { loadClient } from './loadEditorParts.ts'
import { isPageAhead, whenPageWanted } from './pageAhead.ts'
import { isPageFocused, onDidFocusPage } from './pageFocus.ts'

export interface BoxPortsOptions {
  api: BoxApi
  /** Given the client as soon as it exists, null when it is gone. */
  onClient: (client: DevServerClient | null) => void
  /** The machine was started anew since it was used last: programs in it run again, everything else is as it was. */
  onStartedAnew: () => void
  /** Connected: whether the machine runs an older dev server than it would if it was started now. */
  onVersion?: (isOld: boolean) => void
}

interface MadeClient {
  client: DevServerClient
  /** What the first connect goes by; each later one asks where the machine is now. */
  begin(box: StartedBox): void
}

/** The box machine's ways to the server and to the dev server in the box. */
export function boxPorts({ api, onClient, onStartedAnew, onVersion }: BoxPortsOptions): BoxPorts & {
  /** On a page that is made ahead: the client is there before there is a machine to connect to. The answer gives it up. */
  prepare(): () => void
} {
  const make = async (): Promise<MadeClient> => {
    const { DevServerClient, WorkspaceFrozenError } = await loadClient()
    let fresh: StartedBox | undefined
    let wasConnected = false
    let latest: string | undefined
    const client = new DevServerClient({
      appId: 'boxyard-web',
      isFocused: isPageFocused,
      onDidFocus: onDidFocusPage,
      async resolveInstance() {
        const present = fresh ?? (await startAgain(api, WorkspaceFrozenError))
        const isAnew = wasConnected ? present.bootupType !== 'RUNNING' : present.bootupType === 'RESUME'
        if (isAnew) onStartedAnew()
        fresh = undefined
        latest = present.latestPitcherVersion
        return {
          id: present.id,
          url: present.pitcherUrl,
          token: present.pitcherToken,
          workspacePath: present.workspacePath,
          bootType: present.bootupType,
        }
      },
    })
    client.connection.onDidChangeState(({ kind }) => {
      if (kind !== 'CONNECTED') return
      wasConnected = true
      onVersion?.(latest !== undefined && client.connection.isOlderThan(latest))
    })
    return {
      client,
      begin: (box) => {
        fresh = box
      },
    }
  }
  let prepared: Promise<MadeClient> | undefined

  return {
    prepare() {
      if (!isPageAhead()) return () => {}
      const making = make()
      prepared = making
      making.then(
        ({ client }) => prepared === making && onClient(client),
        (error: unknown) => console.warn('The editor is loaded again when it is needed', error),
      )
      return () => {
        if (prepared !== making) return
        prepared = undefined
        onClient(null)
        making.then(
          ({ client }) => client.dispose(),
          // It was told above.
          () => undefined,
        )
      }
    },

    // Nobody has asked for the machine of a page that is made ahead.
    start: (send) => whenWanted(() => watched(api, api.start, send)),
    restart: (send) => watched(api, api.restart, send),

    connect(box, send) {
      let isOver = false
      let client: DevServerClient | undefined
      const open = async () => {
        const making = prepared?.catch(make) ?? make()
        prepared = undefined
        const { client: opened, begin } = await making
        if (isOver) {
          opened.dispose()
          return
        }
        client = opened
        begin(box)
        opened.connection.onInitStatus((status) => send({ type: 'INIT_STATUS', status }))
        opened.connection.onDidChangeState((state) => {
          const event = connectionEvent(state)
          if (event) send(event)
        })
        onClient(opened)
        await opened.connect()
      }
      open().catch((error: unknown) => {
        // The states of the connection have told it already, unless there never was one.
        if (!client && !isOver) {
          send({
            type: 'DISCONNECTED',
            reason: `The editor could not be loaded: ${boxFailure(error).message}`,
            wasClean: false,
          })
        }
      })
      return {
        reconnect() {
          // How it ends is told by the states of the connection.
          client?.connection.reconnect().catch((error: unknown) => console.warn('The reconnect ended', error))
        },
        dispose() {
          isOver = true
          onClient(null)
          client?.dispose()
        },
      }
    },

    reload: () => window.location.reload(),
    isFocused: isPageFocused,
  }
}

/** Begins when the page is wanted. The answer ends it, also before it has begun. */
function whenWanted(begin: () => () => void): () => void {
  if (!isPageAhead()) return begin()
  let end: (() => void) | undefined
  let isOver = false
  void whenPageWanted().then(() => {
    if (!isOver) end = begin()
  })
  return () => {
    isOver = true
    end?.()
  }
}

/** Makes a start and reports its phases meanwhile. The answer gives up listening; the box starts nevertheless. */
function watched(
  api: BoxApi,
  start: (signal: AbortSignal) => Promise<StartedBox>,
  send: (event: BoxEvent) => void,
): () => void {
  const stopped = new AbortController()
  const stopWatching = api.watchStart((progress) => send({ type: 'START_PROGRESS', progress }))
  start(stopped.signal).then(
    (box) => send({ type: 'STARTED', box }),
    (error: unknown) => {
      if (!stopped.signal.aborted) send({ type: 'START_FAILED', failure: boxFailure(error) })
    },
  )
  return () => {
    stopWatching()
    stopped.abort()
  }
}

async function startAgain(
  api: BoxApi,
  WorkspaceFrozenError: new (options: ErrorOptions) => Error,
): Promise<StartedBox> {
  try {
    return await api.start()
  } catch (cause) {
    if (classify(cause) === 'WORKSPACE_FROZEN') throw new WorkspaceFrozenError({ cause })
    throw cause
  }
}
