import { connectFrame } from '../common/connectFrame.ts'
import type { FromGate, ToGate } from '../common/processMessages.ts'
import { GATE_LINE, GATE_RESET, WANTS_LINE } from './gateMessages.ts'

// The page of a gate: on the host of a port, it hands the service worker of that host lines to the process that listens on the port.

const { serviceWorker } = navigator
const appOrigin = (document.currentScript as HTMLScriptElement).dataset['appOrigin'] ?? ''

function begin(port: MessagePort): void {
  serviceWorker.addEventListener('message', ({ data, source }) => {
    if (data !== WANTS_LINE || !(source instanceof ServiceWorker)) return
    const { port1, port2 } = new MessageChannel()
    port.postMessage({ type: 'line', line: port1 } satisfies FromGate, [port1])
    source.postMessage(GATE_LINE, [port2])
  })
  serviceWorker.startMessages()
  port.onmessage = ({ data }: MessageEvent<ToGate>) => {
    if (data.type !== 'reset') return
    serviceWorker.ready.then(
      ({ active }) => active?.postMessage(GATE_RESET),
      () => undefined,
    )
  }
}

/** Before the port is told to be open, its host answers for the server. */
async function prepare(): Promise<void> {
  await serviceWorker.register(`/__boxyard/serve.js?app=${encodeURIComponent(appOrigin)}`, { scope: '/' })
  await serviceWorker.ready
}

connectFrame(begin, prepare)
