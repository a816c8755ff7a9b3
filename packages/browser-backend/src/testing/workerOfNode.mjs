// A thread of Node that takes the script of a process as a worker of a browser would: what only Node has is not there.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'

const { scripts, script } = workerData
const real = process
const listeners = { error: [], unhandledrejection: [] }
real.on('uncaughtException', (error) => {
  for (const hear of listeners.error) hear({ error, message: String(error?.message ?? error), preventDefault() {} })
})
real.on('unhandledRejection', (reason) => {
  for (const hear of listeners.unhandledrejection) hear({ reason, preventDefault() {} })
})
const ask = globalThis.fetch
Object.assign(globalThis, {
  self: globalThis,
  WorkerGlobalScope: Object,
  addEventListener: (name, hear) => void listeners[name]?.push(hear),
  fetch(address, init) {
    const own = /^\/__boxyard\/(.+)/.exec(String(address))?.[1]
    if (own === undefined) return ask(address, init)
    const headers = { 'content-type': 'application/wasm' }
    return Promise.resolve(new Response(readFileSync(join(scripts, own)), { headers }))
  },
})
for (const name of ['process', 'global', 'Buffer', 'setImmediate', 'clearImmediate']) {
  // Some are only looked up: then the name is taken by what can be removed.
  globalThis[name] = undefined
  Reflect.deleteProperty(globalThis, name)
}
await import(join(scripts, script))
parentPort.once('message', (port) => globalThis.onmessage({ data: port }))
