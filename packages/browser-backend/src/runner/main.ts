import { startAgent } from '../agent/startAgent.ts'
import { compileMdx } from './compileMdx.ts'
import type { MdxCompiler } from './compileMdx.ts'
import { CompilerWorker } from './compilerWorker.ts'
import { CONNECT } from '../common/messages.ts'
import type { CompiledForeignFile, FromRunner, Hello, ToRunner } from '../common/messages.ts'
import { problemOfError } from './describe.ts'
import { keepPage } from './keepPage.ts'
import { ModuleGraph } from './moduleGraph.ts'
import { Overlay } from './overlay.ts'
import { packLoader } from './packLoader.ts'
import { showPage, updateStyles } from './page.ts'
import type { Assets } from './page.ts'
import { startAlone } from './alone.ts'
import { startRefresh } from './refresh.ts'
import { serveAssets } from './serveAssets.ts'
import { watchConsole } from './watchConsole.ts'
import { WorkerHost } from './workerHost.ts'
import { runCompiler } from './runCompiler.ts'
import type { CompileRequest } from './runCompiler.ts'

/** Where the server hands out packs, on this origin. */
const PACKS = new URL('/__boxyard/packs/', location.origin).href
/** The script that runs a framework's compiler, on this origin. */
const COMPILERS = '/__boxyard/compilers.js'

const script = document.currentScript as HTMLScriptElement
const appOrigin = script.dataset['appOrigin'] ?? ''

/** The page of a preview: asks whoever shows it for a port to its engine, and then runs what comes from there. */
function begin(port: MessagePort): void {
  const assets: Assets = new Map()
  const send = (message: FromRunner) => port.postMessage(message)
  const overlay = new Overlay(document, (file, line, column) => send({ type: 'open', file, line, column }))
  const refresh = startRefresh(window)
  const report = (error: unknown) => {
    const problem = problemOfError(error, location.origin)
    overlay.show(problem)
    send({ type: 'problem', problem })
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

  const run = async (message: Extract<ToRunner, { type: 'run' }>) => {
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
    for (const entry of message.entries) await graph.run(entry).catch(report)
    document.dispatchEvent(new Event('DOMContentLoaded', { bubbles: true }))
    window.dispatchEvent(new Event('load'))
    send({ type: 'rendered' })
  }
  const update = async (message: Extract<ToRunner, { type: 'update' }>) => {
    overlay.hide()
    // A worker has no part that could be put in the place of another one.
    if (message.modules.some(({ id }) => workers.isUsing(id))) return location.reload()
    for (const [path, content] of message.assets) assets.set(path, content)
    updateStyles(assets, new Map(message.assets), document)
    await graph?.update(message.modules)
    send({ type: 'rendered' })
  }

  let work: Promise<void> = Promise.resolve()
  port.onmessage = ({ data }: MessageEvent<ToRunner>) => {
    switch (data.type) {
      case 'run':
        work = work.then(() => run(data)).catch(report)
        return
      case 'update':
        work = work.then(() => update(data)).catch(report)
        return
      case 'reload':
        location.reload()
        return
      case 'problem':
        overlay.show(data.problem)
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
  send({ type: 'start' })
}

function mdx(compiler: unknown, { path, text, jsxImportSource }: CompileRequest): Promise<CompiledForeignFile> {
  return compileMdx(compiler as MdxCompiler, path, text, jsxImportSource)
}

function watchAddress(send: (message: FromRunner) => void): void {
  const tell = () => send({ type: 'address', path: location.pathname + location.search + location.hash })
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

window.addEventListener('message', ({ data, origin, source, ports }) => {
  const [port] = ports
  if (origin !== appOrigin || source !== window.parent || data !== CONNECT || !port) return
  begin(port)
})
const hello: Hello = { type: 'boxyard:preview-hello', path: location.pathname + location.search + location.hash }
if (window.parent === window) begin(startAlone(hello.path))
else {
  startAgent({ page: window, appOrigin, tellsProblems: false })
  window.parent.postMessage(hello, appOrigin)
}
