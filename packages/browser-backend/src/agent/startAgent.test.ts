import { expect, it, vi } from 'vitest'
import type { FromAgent, FromAgentEnvelope, PageProblem } from '../common/agentMessages.ts'
import { startAgent } from './startAgent.ts'

const appOrigin = 'http://app.test'

/** A page with as much of a browser as the agent touches. */
function open(tellsProblems = true) {
  const told: FromAgent[] = []
  const parent = { postMessage: ({ message }: FromAgentEnvelope) => told.push(message) }
  const events = new EventTarget()
  const say = () => undefined
  const console = Object.fromEntries(
    ['debug', 'log', 'info', 'warn', 'error', 'dir', 'table', 'trace', 'assert', 'clear'].map((name) => [name, say]),
  ) as unknown as Console
  const page = Object.assign(events, {
    parent,
    console,
    location: new URL('http://box-3000.preview.test/'),
    document: { body: null, addEventListener: () => undefined },
    MutationObserver: Object,
  }) as unknown as Parameters<typeof startAgent>[0]['page']
  const agent = startAgent({ page, appOrigin, tellsProblems })
  const greet = () =>
    events.dispatchEvent(
      Object.assign(new Event('message'), {
        data: { boxyard: 'editor', command: 'greet' },
        origin: appOrigin,
        source: parent,
      }),
    )
  const happen = (name: string, what: object) => events.dispatchEvent(Object.assign(new Event(name), what))
  return { told, console, agent, greet, happen }
}

it('BB1134: a script that can’t be read is told with the place that the browser names', async () => {
  const { told, greet, happen } = open()
  greet()
  const error = new SyntaxError("Unexpected token ';'")
  error.stack = String(error)
  happen('error', { error, message: `Uncaught ${String(error)}`, filename: '', lineno: 0, colno: 0 })
  const at = { filename: 'http://box-3000.preview.test/?token=secret', lineno: 12, colno: 7 }
  happen('error', { error, message: `Uncaught ${String(error)}`, ...at })
  await vi.waitFor(() => expect(told.filter(({ type }) => type === 'problem')).toHaveLength(2))
  const problems = told.flatMap((message) => (message.type === 'problem' ? [message.problem] : []))
  expect(problems).toContainEqual({
    message: "SyntaxError: Unexpected token ';'",
    detail: "SyntaxError: Unexpected token ';'\n    at /:12:7",
    frames: [{ name: '', file: null, line: 12, column: 7 }],
    cause: 'running',
    isShown: false,
  })
  expect(problems).toContainEqual(expect.objectContaining({ detail: error.stack, frames: [] }))
})

it('BB1133: of a flood the first and the newest lines are told, and how many of each level were between them', () => {
  vi.useFakeTimers()
  try {
    const { told, console, greet } = open()
    greet()
    const before = told.length
    for (let line = 0; line < 1_500; line += 1) console.warn(`warning ${line}`)
    for (let line = 0; line < 10; line += 1) console.error(`error ${line}`)
    expect(told.length - before).toBe(400)
    vi.runAllTimers()
    const after = told.slice(before + 400)
    expect(after[0]).toEqual({ type: 'left out', lines: { debug: 0, log: 0, info: 0, warn: 1_030, error: 0 } })
    expect(after).toHaveLength(81)
    expect(after[1]).toMatchObject({ level: 'warn', values: [{ text: 'warning 1430' }] })
    expect(after.at(-1)).toMatchObject({ level: 'error', values: [{ text: 'error 9' }] })
  } finally {
    vi.useRealTimers()
  }
})

it('BB1133: what is said before the pane listens is kept with its newest lines, and has an end', () => {
  vi.useFakeTimers()
  try {
    const { told, console, agent, greet } = open(false)
    const problem: PageProblem = { message: 'no', detail: null, frames: [], cause: 'running', isShown: true }
    for (let line = 0; line < 20_000; line += 1) {
      console.log(`line ${line}`)
      agent.tellProblem(problem)
      agent.tellSolved()
      if (line % 100 === 0) vi.advanceTimersByTime(1_000)
    }
    expect(told).toEqual([{ type: 'hello' }])
    greet()
    expect(told.length).toBeLessThan(1_000)
    vi.advanceTimersByTime(1_000)
    expect(told.length).toBeLessThan(1_000)
    expect(told.filter(({ type }) => type === 'console').at(-2)).toMatchObject({ values: [{ text: 'line 19999' }] })
  } finally {
    vi.useRealTimers()
  }
})

it('BB1133: a console that is cleared is told nothing of before', () => {
  vi.useFakeTimers()
  try {
    const { told, console, greet } = open()
    greet()
    for (let line = 0; line < 1_500; line += 1) console.log(line)
    console.clear()
    vi.runAllTimers()
    expect(told.at(-1)).toEqual({ type: 'clear' })
    console.log('after')
    vi.runAllTimers()
    expect(told.at(-1)).toMatchObject({ type: 'console', values: [{ text: 'after' }] })
  } finally {
    vi.useRealTimers()
  }
})
