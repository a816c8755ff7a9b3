import type { FromEngine, ToEngine } from '../engineWorker.ts'

const OWN = '/__boxyard'

/** A preview with a tab of its own has no editor to get the project from: its engine reads and compiles it, as it is saved. */
export function startAlone(address: string, isPrepared: boolean): MessagePort {
  const engine = new Worker(`${OWN}/engine.js`, { type: 'module', name: 'compile' })
  const tell = (message: ToEngine, transfer: Transferable[] = []) => engine.postMessage(message, transfer)
  tell({ type: 'begin', wasm: `${OWN}/oxc.wasm`, isHandedOver: false, api: OWN, isPrepared })
  engine.onmessage = ({ data }: MessageEvent<FromEngine>) => {
    if (data.type === 'status' && data.status.kind === 'problem') console.error(data.status.problem.message)
  }
  const { port1, port2 } = new MessageChannel()
  tell({ type: 'page', port: port1, address, module: null, window: 0 }, [port1])
  tell({ type: 'read', address: `${OWN}/sandbox` })
  return port2
}
