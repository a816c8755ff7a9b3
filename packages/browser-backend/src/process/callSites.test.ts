import { expect, it } from 'vitest'
import { makeCaptureStackTrace, tellsCallSites } from './callSites.ts'
import type { Loose } from './loose.ts'

const FIREFOX = [
  'stackOf@https://a.test/p.js:1:1',
  'captureStackTrace@https://a.test/p.js:2:2',
  'depd@file:///nodebox/node_modules/depd/index.js:110:7',
  '@file:///nodebox/server.js:3:4',
  '',
].join('\n')

it('BB964: who has called is told as V8 does it, from a stack as Firefox writes it', () => {
  const Kind: Loose = { prepareStackTrace: (_target: unknown, sites: unknown) => sites, stackTraceLimit: 10 }
  const capture = makeCaptureStackTrace(Kind, () => FIREFOX)
  const target: Loose = {}
  capture(target)
  const [first, second] = target.stack
  expect([first.getFunctionName(), first.getFileName(), first.getLineNumber(), first.getColumnNumber()]).toEqual([
    'depd',
    'file:///nodebox/node_modules/depd/index.js',
    110,
    7,
  ])
  expect([second.getFunctionName(), String(second), target.stack.length]).toEqual([
    null,
    'file:///nodebox/server.js:3:4',
    2,
  ])
  capture(target, function depd() {})
  expect(target.stack.map(String)).toEqual(['file:///nodebox/server.js:3:4'])
  Kind.prepareStackTrace = undefined
  capture(Object.assign(target, { name: 'TypeError', message: 'bad' }))
  expect(target.stack.split('\n').slice(0, 2)).toEqual([
    'TypeError: bad',
    '    at depd (file:///nodebox/node_modules/depd/index.js:110:7)',
  ])
})

it('BB964: a browser that tells it by itself is left as it is', () => {
  // The tests run in V8.
  expect(tellsCallSites(Error)).toBe(true)
  expect(tellsCallSites({ captureStackTrace: (target: Loose) => (target.stack = 'a@b:1:1') })).toBe(false)
  expect(tellsCallSites({})).toBe(false)
})
