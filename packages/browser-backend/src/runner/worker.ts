import type { FromRunner } from '../common/messages.ts'
import { ModuleGraph } from './moduleGraph.ts'
import { packLoader } from './packLoader.ts'
import { serveAssets } from './serveAssets.ts'
import { watchConsole } from './watchConsole.ts'
import { WorkerHost } from './workerHost.ts'
import type { WorkerBegin } from './workerHost.ts'

// A worker of the project: whoever started it sends its modules first. What is said to it before those have run is said again then, as a
// browser keeps messages until the script of a worker has run.

const { origin } = location
const early: MessageEvent[] = []
const keep = (event: MessageEvent) => {
  event.stopImmediatePropagation()
  early.push(event)
}

async function run({ entry, modules, pack, env, assets, console: shown }: WorkerBegin): Promise<void> {
  const send = (message: FromRunner) => shown.postMessage(message)
  watchConsole(console, send)
  serveAssets(globalThis, assets)
  const graph = new ModuleGraph({
    base: `${origin}/`,
    loadPacked: packLoader(pack, `${origin}/__boxyard/packs/`, null).load,
    setStyle: () => undefined,
    env,
    refresh: {
      of: () => ({ register: () => undefined, signature: () => (type: unknown) => type }),
      isBoundary: () => false,
      perform: () => undefined,
    },
    // The page does when something of a worker changes.
    reload: () => undefined,
    report: reportError,
  })
  new WorkerHost(globalThis, send).use({ graph, pack, env, assets })
  graph.add(modules)
  await graph.run(entry).catch(reportError)
}

self.addEventListener(
  'message',
  (event: MessageEvent<WorkerBegin>) => {
    event.stopImmediatePropagation()
    self.addEventListener('message', keep)
    void run(event.data).then(() => {
      self.removeEventListener('message', keep)
      for (const { data, ports } of early) self.dispatchEvent(new MessageEvent('message', { data, ports: [...ports] }))
    })
  },
  { once: true },
)
