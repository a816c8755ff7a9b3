import { startAgent } from '../agent/startAgent.ts'
import type { Agent } from '../agent/startAgent.ts'
import { compileMdx } from './compileMdx.ts'
import type { MdxCompiler } from './compileMdx.ts'
import { addressOf } from './addressOf.ts'
import { CompilerWorker } from './compilerWorker.ts'
import { cutProblem } from '../common/cutProblem.ts'
import { CONNECT, PREPARED_SHOWN } from '../common/messages.ts'
import type { CompiledForeignFile, FromRunner, Hello, ToRunner } from '../common/messages.ts'
import { problemOfError } from './describe.ts'
import { EngineLine } from './engineLine.ts'
import { keepPage } from './keepPage.ts'
import { ModuleGraph } from './moduleGraph.ts'
import { ONE_MODULE } from '../common/oneModule.ts'
import { Overlay } from './overlay.ts'
import { packLoader } from './packLoader.ts'
import { pageProblem } from './pageProblem.ts'
import { showPage, updateStyles } from './page.ts'
import type { Assets } from './page.ts'
import { changesOf, takePreparedPage } from './preparedPage.ts'
import { startAlone } from './alone.ts'
import type { PreactOptions } from './preactRefresh.ts'
import { startRefresh } from './refresh.ts'
import { serveAssets } from './serveAssets.ts'
import { watchConsole } from './watchConsole.ts'
import { WorkerHost } from './workerHost.ts'
import { runCompiler } from './runCompiler.ts'
import type { CompileRequest } from './runCompiler.ts'

/** After this long nobody waits for a page to be drawn. */
const UNSEEN_MS = 300

type Run = Extract<ToRunner, { type: 'run' }>

/** Where the server hands out packs, on this origin. */
const PACKS = new URL('/__boxyard/packs/', location.origin).href
/** The script that runs a framework's compiler, on this origin. */
const COMPILERS = '/__boxyard/compilers.js'

const script = document.currentScript as HTMLScriptElement
const appOrigin = script.dataset['appOrigin'] ?? ''

/**
 * The page of a preview: runs what was prepared for it, asks whoever shows it for a port to its engine, and then runs what comes from there.
 * Resolves `shown` when what was prepared is on the page; null where nothing was.
 */
function begin(agent: Agent | null): { connect(port: MessagePort): void; shown: Promise<void> | null } {
  const assets: Assets = new Map()
  const line = new EngineLine()
  const send = (message: FromRunner) => line.send(message)
  const overlay = new Overlay(document, (file, line, column) => send({ type: 'open', file, line, column }))
  const refresh = startRefresh(window)
  const report = (error: unknown) => {
    const problem = cutProblem(problemOfError(error, location.origin))
    overlay.show(problem)
    send({ type: 'problem', problem })
    agent?.tellProblem(pageProblem(problem, 'running'))
  }
  const resume = () => {
    overlay.hide()
    agent?.tellSolved()
  }
  watchConsole(console, send)
  watchAddress(send)
  serveAssets(globalThis, assets)
  const workers = new WorkerHost(globalThis, send)
  window.addEventListener('error', ({ error, message }) => report(error ?? message))
  window.addEventListener('unhandledrejection', ({ reason }) => report(reason))

  const compilers = new CompilerWorker(COMPILERS, PACKS)
  let graph: ModuleGraph | null = null
  const styles = new Map<string, HTMLStyleElement>()
  const setStyle = (id: string, css: string | null) => {
    const known = styles.get(id)
    if (css === null) return known?.remove()
    const style = known ?? document.createElement('style')
    style.textContent = css
    if (known) return undefined
    styles.set(id, style)
    return document.head.append(style)
  }

  const run = async (message: Run) => {
    resume()
    for (const [path, content] of message.assets) assets.set(path, content)
    const loader = packLoader(message.pack, PACKS, document)
    graph = new ModuleGraph({
      base: location.href,
      loadPacked: loader.load,
      setStyle,
      env: message.env,
      refresh,
      reload: () => location.reload(),
      report,
    })
    graph.add(message.modules)
    workers.use({ graph, pack: message.pack, env: message.env, assets })
    loader.preload()
    await showPage(message.html, assets, document)
    if (message.pack && 'preact' in message.pack.imports) {
      const { options } = await loader.load('preact')
      refresh.usePreact(options as PreactOptions)
    }
    for (const entry of message.entries) await graph.run(entry).catch(report)
    document.dispatchEvent(new Event('DOMContentLoaded', { bubbles: true }))
    window.dispatchEvent(new Event('load'))
    send({ type: 'rendered' })
  }
  const update = async (message: Extract<ToRunner, { type: 'update' }>) => {
    resume()
    // A worker has no part that could be put in the place of another one.
    if (message.modules.some(({ id }) => workers.isUsing(id))) return location.reload()
    for (const [path, content] of message.assets) assets.set(path, content)
    updateStyles(assets, new Map(message.assets), document)
    await graph?.update(message.modules)
    send({ type: 'rendered' })
  }

  let work: Promise<void> = Promise.resolve()
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const prepared = takePreparedPage(document, window.name === ONE_MODULE, navigation)
  if (prepared)
    work = parsed(document)
      .then(() => run(prepared))
      .catch(report)
  const shown = prepared && work
  let isHidden = false
  /** Who compiles may know of later texts than the server has. */
  const takeOver = async (before: Run, wanted: Run): Promise<void> => {
    const changes = changesOf(before, wanted)
    if (!changes) return location.reload()
    if (isHidden || changes.modules.length > 0 || changes.assets.size > 0) return update({ type: 'update', ...changes })
    return send({ type: 'rendered' })
  }
  const receive = (data: ToRunner) => {
    switch (data.type) {
      case 'run':
        work = work.then(() => (prepared ? takeOver(prepared, data) : run(data))).catch(report)
        return
      case 'update':
        work = work.then(() => update(data)).catch(report)
        return
      case 'reload':
        location.reload()
        return
      case 'problem':
        isHidden = true
        overlay.show(data.problem)
        agent?.tellProblem(pageProblem(data.problem, 'compiling'))
        return
      case 'keep':
        keepPage(window)
        return
      case 'compile': {
        // A part of MDX asks the document what names of characters mean, and a worker has none.
        const made = data.kind === 'mdx' ? runCompiler(data, PACKS, mdx) : compilers.compile(data)
        made.then(send, report)
      }
    }
  }
  return { connect: (port) => line.connect(port, receive), shown }
}

/** What frameworks do with a page they do later than the scripts of the project: nobody else is to begin before. A page that can't be seen is not drawn. */
function drawn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, UNSEEN_MS)
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))
  })
}

/** The script runs before there is a body. */
async function parsed(page: Document): Promise<void> {
  if (page.readyState === 'loading')
    await new Promise((resolve) => page.addEventListener('DOMContentLoaded', resolve, { once: true }))
}

function mdx(compiler: unknown, { path, text, jsxImportSource }: CompileRequest): Promise<CompiledForeignFile> {
  return compileMdx(compiler as MdxCompiler, path, text, jsxImportSource)
}

function watchAddress(send: (message: FromRunner) => void): void {
  const tell = () => send({ type: 'address', path: addressOf(location) })
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name].bind(history)
    history[name] = (...given: Parameters<History['pushState']>) => {
      original(...given)
      tell()
    }
  }
  window.addEventListener('popstate', tell)
  window.addEventListener('hashchange', tell)
}

/** Nobody is there to be told of a page in a tab of its own. */
const agent = window.parent === window ? null : startAgent({ page: window, appOrigin, tellsProblems: false })
const { connect, shown } = begin(agent)
window.addEventListener('message', ({ data, origin, source, ports }) => {
  const [port] = ports
  if (origin !== appOrigin || source !== window.parent || data !== CONNECT || !port) return
  connect(port)
})
const hello: Hello = { type: 'boxyard:preview-hello', path: addressOf(location) }
if (agent === null) {
  void Promise.resolve(shown?.then(drawn)).then(() => connect(startAlone(hello.path, shown !== null)))
} else {
  window.parent.postMessage(hello, appOrigin)
  void shown?.then(drawn).then(() => window.parent.postMessage(PREPARED_SHOWN, appOrigin))
}
