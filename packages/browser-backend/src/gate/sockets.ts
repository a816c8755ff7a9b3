import { GATE_RESET, WANTS_SOCKET } from './gateMessages.ts'
import { LineWebSocket } from './lineWebSocket.ts'

// In pages of a server of the project: no service worker is asked about WebSockets, so those to the page's own host are made here.

const { serviceWorker } = navigator
const open = new Set<LineWebSocket>()

/** A line of its own to the server; null when no editor has it open. */
async function openLine(): Promise<MessagePort | null> {
  const { active } = await serviceWorker.ready
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = ({ ports }) => resolve(ports[0] ?? null)
    active!.postMessage(WANTS_SOCKET, [port2])
  })
}

function start(): void {
  document.currentScript?.remove()
  const Plain = window.WebSocket
  // What is one of ours is a WebSocket to whoever asks.
  Object.setPrototypeOf(LineWebSocket.prototype, Plain.prototype)
  window.WebSocket = new Proxy(Plain, {
    construct(target, [address, protocols = []]: [string | URL, string | string[] | undefined], made) {
      const url = URL.canParse(String(address), location.href) ? new URL(String(address), location.href) : null
      if (url?.host !== location.host) return Reflect.construct(target, [address, protocols], made) as WebSocket
      url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
      url.hash = ''
      const socket = new LineWebSocket(url, [protocols].flat(), openLine)
      open.add(socket)
      socket.addEventListener('close', () => open.delete(socket))
      return socket
    },
  })
}

serviceWorker.addEventListener('message', ({ data }) => {
  if (data === GATE_RESET) for (const socket of open) socket.lose()
})
serviceWorker.startMessages()
start()
