import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker as Thread } from 'node:worker_threads'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FromProcess } from '../common/fromProcess.ts'
import type { ProcessStart } from '../common/processMessages.ts'

// The script that runs in browsers, as it is built, in a thread.

const scripts = mkdtempSync(join(tmpdir(), 'built-process-'))
beforeAll(async () => {
  const builder = new URL('../../build.mjs', import.meta.url).href
  const { buildPreviewScripts } = (await import(builder)) as { buildPreviewScripts(folder: string): Promise<void> }
  await buildPreviewScripts(scripts)
})
afterAll(() => rmSync(scripts, { recursive: true }))

/** What a program writes until it ends, and its status. */
const run = (text: string): Promise<string> => runWords(['-e', text])

async function runWords(argv: string[], files: Readonly<Record<string, string>> = {}): Promise<string> {
  const workerData = { scripts, script: 'process.js' }
  const thread = new Thread(new URL('../testing/workerOfNode.mjs', import.meta.url), { workerData })
  const { port1, port2 } = new MessageChannel()
  const decoder = new TextDecoder()
  let out = ''
  const ended = new Promise<number>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<FromProcess>) => {
      if (data.type === 'out') out += typeof data.data === 'string' ? data.data : decoder.decode(data.data)
      if (data.type === 'exit') resolve(data.code)
    }
  })
  const start: ProcessStart = {
    type: 'start',
    pid: 101,
    ppid: 1,
    argv,
    env: {},
    cwd: '/nodebox',
    files: new Map(Object.entries(files)),
    folders: [],
    sources: null,
    terminal: null,
    talks: false,
    pids: [],
  }
  port1.postMessage(start)
  thread.postMessage(port2, [port2 as never])
  const code = await ended
  port1.close()
  await thread.terminate()
  return `${out}${code}`
}

it('BB843: a program goes on until its streams have told that they are done', async () => {
  const said = await run(`
    const { Readable, Writable, pipeline } = require('stream')
    const slow = new Writable({ write: (chunk, encoding, done) => process.nextTick(done), final: (done) => setTimeout(done, 1) })
    slow.end('x', () => console.log('finished'))
    pipeline(Readable.from(['a', 'b']), new Writable({ write: (chunk, encoding, done) => setImmediate(done) }), () => console.log('piped'))
  `)
  expect(said.split('\n').toSorted()).toEqual(['0', 'finished', 'piped'])
})

it('BB1037: a storage has its value in a program as it is built', async () => {
  const said = await run(`
    const { AsyncLocalStorage } = require('async_hooks')
    const storage = new AsyncLocalStorage()
    const work = async (name) => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      await (async () => undefined)()
      await new Promise((resolve) => process.nextTick(resolve))
      console.log(name, storage.getStore())
    }
    for (const name of ['a', 'b']) storage.run(name, work, name)
  `)
  expect(said).toBe('a a\nb b\n0')
})

it('BB1161: node -p prints what the last expression is, with the modules of a program', async () => {
  expect(await runWords(['-p', 'const { EOL } = require("os"); [EOL, 6 * 7]'])).toBe("[ '\\n', 42 ]\n0")
  expect(await runWords(['-p', '"a text"'])).toBe('a text\n0')
})

it('BB1155: a program goes on until the Web Crypto API has answered', async () => {
  const said = await run(`
    crypto.subtle.digest('SHA-256', new Uint8Array(10_000_000)).then((digest) => console.log(digest.byteLength))
  `)
  expect(said).toBe('32\n0')
})

const TESTS = `
  const assert = require('node:assert')
  const { after, afterEach, before, beforeEach, describe, it, mock, test } = require('node:test')
  const order = []
  describe('a suite', () => {
    before(() => order.push('before'))
    beforeEach(() => order.push('each'))
    afterEach(() => order.push('behind'))
    it('first', () => order.push('first'))
    it('second', async () => { await new Promise((resolve) => setTimeout(resolve, 1)); order.push('second') })
    it.skip('left out', () => order.push('never'))
    it.todo('to do', () => { throw new Error('not yet') })
    after(() => console.log('#', order.join(' ')))
  })
  test('with others in it', async (t) => {
    await t.test('inner', (t) => t.diagnostic('a note'))
    const work = t.mock.fn((a, b) => a + b)
    assert.strictEqual(work(1, 2), 3)
    assert.deepStrictEqual(work.mock.calls[0].arguments, [1, 2])
    const object = { value: () => 'own' }
    t.mock.method(object, 'value', () => 'other')
    assert.strictEqual(object.value(), 'other')
    t.mock.restoreAll()
    assert.strictEqual(object.value(), 'own')
  })
`
const withoutTimes = (text: string) => text.replaceAll(/duration_ms:? [\d.e+-]+|\([\d.]+ms\)/g, 'TIME')

it('BB1153: tests of node:test run one after the other, and are told as Node tells them', async () => {
  const said = withoutTimes(await runWords(['a.test.js'], { '/a.test.js': TESTS }))
  expect(said).toContain('# before each first behind each second behind each behind\n')
  expect(said).toMatch(/^TAP version 13\n# Subtest: a suite\n {4}# Subtest: first\n {4}ok 1 - first\n/)
  expect(said).toContain('    ok 3 - left out # SKIP\n')
  expect(said).toContain('    not ok 4 - to do # TODO\n')
  expect(said).toContain('    1..1\nok 2 - with others in it\n')
  expect(said).toContain('    # a note\n')
  expect(said).toMatch(
    /1\.\.2\n# tests 6\n# suites 1\n# pass 4\n# fail 0\n# cancelled 0\n# skipped 1\n# todo 1\n# TIME\n0$/,
  )
})

it('BB1153: a test that fails, or never ends, makes the program fail', async () => {
  const files = {
    '/test/a.js': `require('node:test')('wrong', () => { throw new TypeError('mine') })`,
    '/b.test.mjs': `import { test } from 'node:test'\ntest('thrown later', async () => { setTimeout(() => { throw new Error('late') }, 1); await new Promise((resolve) => setTimeout(resolve, 50)) })`,
    '/c.test.js': `require('node:test')('never', () => new Promise(() => undefined))`,
    '/other.js': `console.log('no test')`,
  }
  const said = withoutTimes(await runWords(['--test', '--test-reporter=spec'], files))
  expect(said).not.toContain('no test')
  expect(said).toContain('✖ thrown later TIME\n')
  expect(said).toContain('✖ never TIME\n')
  expect(said).toContain('✖ wrong TIME\n  TypeError: mine\n')
  expect(said).toContain('Promise resolution is still pending but the event loop has already resolved')
  expect(said).toMatch(/ℹ tests 3\nℹ suites 0\nℹ pass 0\n[^]*\n1$/)
})
