import { limits } from '../common/agentMessages.ts'
import type { ConsoleLevel, FromAgent, FromAgentEnvelope, PageProblem, ToAgent } from '../common/agentMessages.ts'
import { Allowance } from '../common/allowance.ts'
import { ConsoleFlood } from '../common/consoleFlood.ts'
import { consoleValue, consoleValues } from './consoleValue.ts'
import { originalPlace } from './originalPlace.ts'
import { problemOfEvent, problemOfLayer } from './pageProblem.ts'

/** What is kept until the pane listens. The newest lines of the console are kept beside it. */
const MOST_WAITING = 500

const lastCounts: ReadonlySet<FromAgent['type']> = new Set(['address', 'clear', 'solved'])

export interface AgentOptions {
  page: Window & typeof globalThis
  appOrigin: string
  /** Whether to tell what goes wrong; pages that show it themselves do not. */
  tellsProblems: boolean
}

/** What a page that shows its own problems tells of them. */
export interface Agent {
  tellProblem(problem: PageProblem): void
  /** What was wrong is over. */
  tellSolved(): void
}

/** The part of a page that talks to the pane that shows it: where it is, what its console says and what went wrong. */
export function startAgent({ page, appOrigin, tellsProblems }: AgentOptions): Agent {
  const { parent } = page
  let waiting: FromAgent[] | null = []
  const post = (message: FromAgent) =>
    parent.postMessage({ boxyard: 'preview', message } satisfies FromAgentEnvelope, appOrigin)
  const hasRoom = () => waiting === null || waiting.length < MOST_WAITING
  const send = (message: FromAgent): void => {
    if (waiting === null) return post(message)
    // Of these the last one says all.
    if (lastCounts.has(message.type)) waiting = waiting.filter(({ type }) => type !== message.type)
    waiting.push(message)
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
  const flood = new ConsoleFlood<FromAgent>({
    say: send,
    leaveOut: (lines) => send({ type: 'left out', lines }),
    hasRoom,
  })
  followConsole(page.console, flood, send)
  const problems = new Allowance(50, 10)
  const tellProblem = (problem: PageProblem) => {
    if (hasRoom() && problems.take()) return send({ type: 'problem', problem })
    return flood.take('error', () => ({ type: 'console', level: 'error', values: consoleValues([problem.message]) }))
  }
  const tellSolved = () => send({ type: 'solved' })
  if (tellsProblems) followProblems(page, { tellProblem, tellSolved })
  return { tellProblem, tellSolved }
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

function followConsole(target: Console, flood: ConsoleFlood<FromAgent>, send: (message: FromAgent) => void): void {
  const own = target as unknown as Record<string, (...values: unknown[]) => void>
  const say = (level: ConsoleLevel, values: () => unknown[]) =>
    flood.take(level, (isBrief) => ({ type: 'console', level, values: consoleValues(values(), isBrief) }))
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
    flood.forget()
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

function followProblems(page: AgentOptions['page'], agent: Agent): void {
  const tell = async (happened: Parameters<typeof problemOfEvent>[0]) =>
    agent.tellProblem(await problemOfEvent(happened, page.location.origin, originalPlace))
  page.addEventListener('error', ({ error, message, filename, lineno, colno }) => {
    if (!message) return
    const at = filename ? { name: '', address: filename, line: lineno, column: colno } : undefined
    void tell({ error, message, at })
  })
  page.addEventListener('unhandledrejection', ({ reason }) => {
    const shown = consoleValue(reason)
    const message = `Unhandled rejection: ${shown.kind === 'object' ? shown.name : shown.text}`
    void tell({ error: reason, message })
  })
  followErrorLayer(page, agent)
}

/** Vite shows what it could not compile in an element of its own; there is no other word of it in the page. */
function followErrorLayer(page: AgentOptions['page'], { tellProblem, tellSolved }: Agent): void {
  const isLayer = (node: Node): node is Element => node.nodeName.toLowerCase() === 'vite-error-overlay'
  const said = (layer: Element, selector: string) => layer.shadowRoot?.querySelector(selector)?.textContent ?? ''
  const look = new page.MutationObserver((changes) => {
    for (const { addedNodes, removedNodes } of changes) {
      if ([...removedNodes].some(isLayer)) tellSolved()
      for (const node of addedNodes) {
        if (!isLayer(node)) continue
        const file = said(node, '.file') || said(node, '.stack')
        tellProblem(problemOfLayer(said(node, '.message-body'), file, said(node, '.frame')))
      }
    }
  })
  const watch = () => page.document.body && look.observe(page.document.body, { childList: true })
  if (page.document.body) watch()
  else page.document.addEventListener('DOMContentLoaded', watch)
}
