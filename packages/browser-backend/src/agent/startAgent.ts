import { limits } from '../common/agentMessages.ts'
import type { ConsoleLevel, FromAgent, FromAgentEnvelope, ToAgent } from '../common/agentMessages.ts'
import { ConsoleFlood, TOO_MUCH } from '../common/consoleFlood.ts'
import { consoleValue, consoleValues } from './consoleValue.ts'
import { originalPlace } from './originalPlace.ts'
import { framesOf, placesOf, problemOfLayer } from './pageProblem.ts'

/** What is kept until the pane listens. */
const MOST_WAITING = 200

export interface AgentOptions {
  page: Window & typeof globalThis
  appOrigin: string
  /** Whether to tell what goes wrong; pages that show it themselves do not. */
  tellsProblems: boolean
}

/** The part of a page that talks to the pane that shows it: where it is, what its console says and what went wrong. */
export function startAgent({ page, appOrigin, tellsProblems }: AgentOptions): void {
  const { parent } = page
  let waiting: FromAgent[] | null = []
  const post = (message: FromAgent) =>
    parent.postMessage({ boxyard: 'preview', message } satisfies FromAgentEnvelope, appOrigin)
  const send = (message: FromAgent) => {
    if (waiting === null) post(message)
    else if (waiting.length < MOST_WAITING) waiting.push(message)
  }
  page.addEventListener('message', ({ data, origin, source }) => {
    if (origin !== appOrigin || source !== parent || !isFromEditor(data)) return
    switch (data.command) {
      case 'greet':
        for (const message of waiting ?? []) post(message)
        waiting = null
        return
      case 'back':
        return page.navigation?.canGoBack ? settle(page.navigation.back()) : undefined
      case 'forward':
        return page.navigation?.canGoForward ? settle(page.navigation.forward()) : undefined
      case 'reload':
        return page.location.reload()
    }
  })
  post({ type: 'hello' })
  followAddress(page, send)
  followConsole(page.console, send)
  if (tellsProblems) followProblems(page, send)
}

function isFromEditor(data: unknown): data is ToAgent {
  return typeof data === 'object' && data !== null && (data as Partial<ToAgent>).boxyard === 'editor'
}

/** A navigation that is overtaken by another one is no failure of this page. */
function settle(result: { committed?: Promise<unknown>; finished?: Promise<unknown> }): void {
  result.committed?.catch(() => undefined)
  result.finished?.catch(() => undefined)
}

function followAddress(page: AgentOptions['page'], send: (message: FromAgent) => void): void {
  const tell = () => {
    const { pathname, search, hash } = page.location
    const path = `${pathname}${search}${hash}`.slice(0, limits.path)
    const { canGoBack = false, canGoForward = false } = page.navigation ?? {}
    send({ type: 'address', path, canGoBack, canGoForward })
  }
  if (page.navigation) page.navigation.addEventListener('currententrychange', tell)
  else for (const name of ['popstate', 'hashchange']) page.addEventListener(name, tell)
  page.addEventListener('pageshow', tell)
  tell()
}

const methods: Readonly<Record<string, ConsoleLevel>> = {
  debug: 'debug',
  log: 'log',
  info: 'info',
  warn: 'warn',
  error: 'error',
  dir: 'log',
  table: 'log',
  trace: 'log',
}

function followConsole(target: Console, send: (message: FromAgent) => void): void {
  const own = target as unknown as Record<string, (...values: unknown[]) => void>
  const flood = new ConsoleFlood()
  const say = (level: ConsoleLevel, values: () => unknown[]) => {
    const next = flood.next()
    if (next === 'said') send({ type: 'console', level, values: consoleValues(values()) })
    if (next === 'told') send({ type: 'console', level: 'warn', values: consoleValues([TOO_MUCH]) })
  }
  for (const [method, level] of Object.entries(methods)) {
    const original = own[method]!.bind(target)
    own[method] = (...values) => {
      original(...values)
      say(level, () => readable(values))
    }
  }
  const { assert, clear } = own
  own['assert'] = (isTrue, ...values) => {
    assert!.call(target, isTrue, ...values)
    if (!isTrue) say('error', () => ['Assertion failed', ...values])
  }
  own['clear'] = () => {
    clear!.call(target)
    send({ type: 'clear' })
  }
}

/** The text with its `%s`, `%d`, `%o` filled in; what only styles it is left out. */
function readable(values: unknown[]): unknown[] {
  const [format, ...rest] = values
  if (typeof format !== 'string' || !/%[sdifoOc%]/.test(format) || rest.length === 0) return values
  let next = 0
  const filled = format.replace(/%([sdifoOc%])/g, (whole, kind: string) => {
    if (kind === '%') return '%'
    if (next >= rest.length) return whole
    const value = rest[next]
    next += 1
    if (kind === 'c') return ''
    if (typeof value === 'object' && value !== null) {
      const shown = consoleValue(value)
      return shown.kind === 'object' ? shown.name : shown.text
    }
    return String(value)
  })
  return [filled, ...rest.slice(next)]
}

function followProblems(page: AgentOptions['page'], send: (message: FromAgent) => void): void {
  const tell = async (error: unknown, message: string) => {
    const stack = error instanceof Error ? (error.stack ?? '') : ''
    const said = error instanceof Error ? `${error.name}: ${error.message}` : message
    const { origin } = page.location
    const frames = await framesOf(placesOf(stack), origin, originalPlace)
    const detail = stack.slice(0, limits.text) || null
    send({ type: 'problem', problem: { message: said.slice(0, limits.text), detail, frames } })
  }
  page.addEventListener('error', ({ error, message }) => {
    if (message) void tell(error, message)
  })
  page.addEventListener('unhandledrejection', ({ reason }) => {
    const shown = consoleValue(reason)
    void tell(reason, `Unhandled rejection: ${shown.kind === 'object' ? shown.name : shown.text}`)
  })
  followErrorLayer(page, send)
}

/** Vite shows what it could not compile in an element of its own; there is no other word of it in the page. */
function followErrorLayer(page: AgentOptions['page'], send: (message: FromAgent) => void): void {
  const isLayer = (node: Node): node is Element => node.nodeName.toLowerCase() === 'vite-error-overlay'
  const said = (layer: Element, selector: string) => layer.shadowRoot?.querySelector(selector)?.textContent ?? ''
  const look = new page.MutationObserver((changes) => {
    for (const { addedNodes, removedNodes } of changes) {
      if ([...removedNodes].some(isLayer)) send({ type: 'solved' })
      for (const node of addedNodes) {
        if (!isLayer(node)) continue
        const file = said(node, '.file') || said(node, '.stack')
        const problem = problemOfLayer(said(node, '.message-body'), file, said(node, '.frame'))
        send({ type: 'problem', problem })
      }
    }
  })
  const watch = () => page.document.body && look.observe(page.document.body, { childList: true })
  if (page.document.body) watch()
  else page.document.addEventListener('DOMContentLoaded', watch)
}
