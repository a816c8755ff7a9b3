import { Emitter } from '@boxyard/dev-server-client'
import type { Connection } from '@boxyard/dev-server-client'
import type { IWorkbenchConstructionOptions } from '@codingame/monaco-vscode-api/vscode/vs/workbench/browser/web.api'

type WebSocketFactory = NonNullable<IWorkbenchConstructionOptions['webSocketFactory']>
type BoxSocket = ReturnType<WebSocketFactory['create']>
type Place = Pick<Connection, 'instance' | 'state' | 'onDidChangeState'>

/**
 * Sockets to the VS Code server of the box, each by the address and the token that the connection to the dev server has at that time. While the box
 * sleeps there are none, so that nothing wakes it; once the dev server is connected again they are made.
 */
export function boxSockets(connection: Place, port: number): WebSocketFactory {
  return { create: (url) => open(connection, port, new URL(url).searchParams) }
}

function open(connection: Place, port: number, query: URLSearchParams): BoxSocket {
  const data = new Emitter<ArrayBuffer>()
  const opened = new Emitter<void>()
  const closed = new Emitter<void>()
  const failed = new Emitter<unknown>()
  let socket: WebSocket | undefined
  let isOver = false
  const end = () => {
    if (isOver) return
    isOver = true
    following.dispose()
    socket?.close()
    closed.fire()
  }
  const connect = () => {
    const { instance } = connection
    if (socket || isOver || !instance || connection.state.kind !== 'CONNECTED') return
    query.set('token', instance.token)
    socket = new WebSocket(`${instance.url}/vscode/${port}?${query}`)
    socket.binaryType = 'arraybuffer'
    socket.addEventListener('open', () => opened.fire())
    socket.addEventListener('message', (event: MessageEvent<ArrayBuffer>) => data.fire(event.data))
    socket.addEventListener('error', (event) => failed.fire(event))
    socket.addEventListener('close', end)
  }
  const following = connection.onDidChangeState(({ kind }) => {
    if (kind === 'HIBERNATED' && socket) end()
    else connect()
  })
  connect()
  return {
    onData: data.event,
    onOpen: opened.event,
    onClose: closed.event,
    onError: failed.event,
    send: (content) => {
      if (!isOver) socket?.send(content)
    },
    close: end,
  }
}
