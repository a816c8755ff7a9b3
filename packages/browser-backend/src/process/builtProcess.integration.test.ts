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
async function run(text: string): Promise<string> {
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
    argv: ['-e', text],
    env: {},
    cwd: '/nodebox',
    files: new Map(),
    folders: [],
    sources: null,
    terminal: null,
    talks: false,
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
