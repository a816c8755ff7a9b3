import { describe, expect, it } from 'vitest'
import { limits } from '../common/agentMessages.ts'
import { isWithin } from '../common/isWithin.ts'
import { consoleValue, consoleValues } from './consoleValue.ts'
import { fileOfScript, framesOf, placesOf, problemOfLayer } from './pageProblem.ts'

describe('a value of the console', () => {
  it('is told with its members, down to where it ends', () => {
    class Person {
      readonly name = 'Ada'
    }
    expect(consoleValue(new Person())).toEqual({
      kind: 'object',
      name: 'Person',
      members: [['name', { kind: 'text', text: 'Ada' }]],
      more: 0,
    })
    const list = consoleValue(Array.from({ length: 60 }, (_, index) => index))
    expect(list).toMatchObject({ name: 'Array(60)', more: 10 })
    expect(consoleValue(new Map([['a', 1]]))).toMatchObject({ name: 'Map(1)', more: 0 })
    expect([null, undefined, 1n, Symbol('s')].map((each) => consoleValue(each))).toEqual(
      ['null', 'undefined', '1n', 'Symbol(s)'].map((text) => ({ kind: 'plain', text })),
    )
  })

  it('runs nothing of the page, and ends in circles and depths', () => {
    let reads = 0
    const trap = {
      get bait() {
        reads += 1
        return 1
      },
    }
    expect(consoleValue(trap)).toMatchObject({ members: [['bait', { kind: 'plain', text: '(computed)' }]] })
    expect(reads).toBe(0)
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    expect(JSON.stringify(consoleValue(circle))).toContain('[circular]')
    let deep: object = {}
    for (let depth = 0; depth < 100; depth += 1) deep = { deep }
    expect(JSON.stringify(consoleValue(deep)).length).toBeLessThan(1_000)
    const wide = Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => 1)))
    expect(JSON.stringify(consoleValue(wide)).length).toBeLessThan(30_000)
    const long = consoleValues(Array.from({ length: 50 }, () => ['x'.repeat(50_000), 'y'.repeat(50_000)]))
    expect(isWithin(long, limits.message)).toBe(true)
    expect(JSON.stringify(long).length).toBeGreaterThan(limits.line)
    expect(consoleValue('x'.repeat(50_000))).toMatchObject({
      text: expect.stringMatching(new RegExp(`^x{${limits.text - 1}}…$`)),
    })
  })
})

describe('a problem of the page', () => {
  const origin = 'http://box-5173.preview.test'
  const stack = `Error: boom
    at App (${origin}/src/App.tsx?t=123:12:9)
    at ${origin}/node_modules/.vite/deps/react.js:3:4
handle@${origin}/src/main.tsx:5:6`

  it('has the places of its stack as files of the project', async () => {
    const frames = await framesOf(placesOf(stack), origin, async ({ address }) =>
      address.includes('App') ? { address: `${origin}/src/App.tsx`, line: 4, column: 2 } : null,
    )
    expect(frames).toEqual([
      { name: 'App', file: '/src/App.tsx', line: 4, column: 2 },
      { name: '', file: null, line: 3, column: 4 },
      { name: 'handle', file: '/src/main.tsx', line: 5, column: 6 },
    ])
  })

  it('does not take packages, other servers or ways out of the project for files of it', () => {
    expect(fileOfScript('webpack-internal:///(app-pages-browser)/./app/page.tsx', origin)).toBe('/app/page.tsx')
    expect(fileOfScript(`${origin}/@fs/project/workspace/src/a.ts`, origin)).toBe('/src/a.ts')
    expect(fileOfScript(`${origin}/@vite/client`, origin)).toBeNull()
    expect(fileOfScript('https://cdn.example/a.js', origin)).toBeNull()
    expect(fileOfScript(`${origin}/%zz.ts`, origin)).toBeNull()
  })

  it('is read from what a dev server shows over the page', () => {
    expect(problemOfLayer(' Unexpected token \n', '/project/workspace/src/App.tsx:3:5', '3 | <h1>').frames).toEqual([
      { name: '', file: '/src/App.tsx', line: 3, column: 5 },
    ])
    expect(problemOfLayer('It failed', '', '')).toMatchObject({ message: 'It failed', detail: null, frames: [] })
  })
})
