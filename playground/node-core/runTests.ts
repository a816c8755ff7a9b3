import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Worker as Thread } from 'node:worker_threads'
import { Processes } from '../../packages/browser-backend/src/backend/processes.ts'
import type { FileChange } from '../../packages/browser-backend/src/common/fromProcess.ts'
import type { ToProcessesPage } from '../../packages/browser-backend/src/common/processMessages.ts'
import { repository, writeCoreTable } from './coreTable.ts'
import type { ModuleResults, Results } from './coreTable.ts'
import { modules, projectOf, sortTests } from './nodeTests.ts'

// npx tsx playground/node-core/runTests.ts SOURCES [MODULE,MODULE]
//
// Runs Node's own core tests in the processes of a sandbox and writes the table of docs/guides/browser-programs.md. Each process is what it is
// in a browser, the built script of `packages/browser-backend`, but in a thread of Node in place of a worker of a page: that takes minutes
// where a browser takes an hour. `node-core.e2e.test.ts` does the same in a browser.

const PROJECT = '/nodebox'
const scripts = mkdtempSync(join(tmpdir(), 'node-core-scripts-'))
const decoder = new TextDecoder()

/** How Node itself ends them. */
async function runInNode(files: Readonly<Record<string, string>>): Promise<Results> {
  const folder = mkdtempSync(join(tmpdir(), 'node-core-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  await once(spawn(process.execPath, ['run.cjs'], { cwd: folder, stdio: 'ignore' }), 'close')
  const results = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as Results
  rmSync(folder, { recursive: true })
  return results
}

/** The files of a sandbox in memory, as its back end keeps them. */
class Files {
  readonly texts = new Map<string, string | Uint8Array>()
  readonly folders = new Set<string>()

  constructor(files: Readonly<Record<string, string>>) {
    for (const [path, text] of Object.entries(files)) {
      this.texts.set(`/${path}`, text)
      for (let at = dirname(`/${path}`); at !== '/'; at = dirname(at)) this.folders.add(at)
    }
  }

  apply(change: FileChange): void {
    switch (change.kind) {
      case 'write':
        this.texts.set(inside(change.path), change.content)
        break
      case 'mkdir':
        this.folders.add(inside(change.path))
        break
      case 'remove': {
        const gone = inside(change.path)
        for (const path of this.texts.keys()) if (`${path}/`.startsWith(`${gone}/`)) this.texts.delete(path)
        this.folders.delete(gone)
        break
      }
      case 'rename': {
        const content = this.texts.get(inside(change.from))
        this.texts.delete(inside(change.from))
        if (content !== undefined) this.texts.set(inside(change.to), content)
      }
    }
  }
}

function inside(path: string): string {
  if (!path.startsWith(`${PROJECT}/`)) throw new Error('this is outside of the project')
  return path.slice(PROJECT.length)
}

function runHere(given: Readonly<Record<string, string>>): Promise<Results> {
  const files = new Files(given)
  const { port1, port2 } = new MessageChannel()
  const threads = new Map<number, Thread>()
  port2.addEventListener('message', ({ data }: MessageEvent<ToProcessesPage>) => {
    if (data.type === 'end') {
      void threads.get(data.pid)?.terminate()
      threads.delete(data.pid)
      return
    }
    const { pid, program, port } = data
    const thread = new Thread(new URL('../../packages/browser-backend/src/testing/workerOfNode.mjs', import.meta.url), {
      workerData: { scripts, script: program === 'node' ? 'process.js' : 'shell.js' },
      // What compiles this file is no part of a process, which takes away from a thread what that needs.
      execArgv: [],
      stdout: true,
      stderr: true,
    })
    threads.set(pid, thread)
    thread.on('error', (error) => port2.postMessage({ type: 'failed', pid, message: String(error) }))
    thread.postMessage(port, [port as never])
  })
  port2.start()
  const processes = new Processes({
    openPage: async () => port1,
    openGate: async () => new MessageChannel().port1,
    files: async () => ({ files: files.texts, folders: [...files.folders] }),
    apply: async (change) => {
      files.apply(change)
      return new Map()
    },
    sources: async () => null,
    changeDependency: async () => '',
    isTaken: () => false,
    onPorts: () => undefined,
  })
  return new Promise((resolve, reject) => {
    let said = ''
    processes.start({
      program: 'node',
      argv: ['run.cjs'],
      cwd: PROJECT,
      terminal: null,
      onOut: (data) => (said += typeof data === 'string' ? data : decoder.decode(data)),
      onExit: () => {
        port1.close()
        port2.close()
        const results = files.texts.get('/results.json')
        if (results === undefined) return reject(new Error(`The tests have written no results: ${said.slice(-2000)}`))
        return resolve(JSON.parse(typeof results === 'string' ? results : decoder.decode(results)) as Results)
      },
    })
  })
}

const [sources, wanted] = process.argv.slice(2)
if (sources === undefined) throw new Error('Which folder has the sources of Node?')
const tests = sortTests(sources)
const builder = new URL('../../packages/browser-backend/build.mjs', import.meta.url).href
const { buildPreviewScripts } = (await import(builder)) as { buildPreviewScripts(folder: string): Promise<void> }
await buildPreviewScripts(scripts)
mkdirSync(join(repository, 'test-results'), { recursive: true })
for (const module of wanted?.split(',') ?? Object.keys(modules)) {
  const all = tests.applying[module]
  if (!all) throw new Error(`${module} is none of ${Object.keys(modules).join(', ')}`)
  const inNode = await runInNode(projectOf(sources, all))
  const meaningful = all.filter((name) => inNode[name] === 'passed')
  const here = await runHere(projectOf(sources, meaningful))
  writeFileSync(join(repository, `test-results/node-core-${module}.json`), JSON.stringify(here, null, 1))
  const results: ModuleResults = { inNode, here, skipped: tests.skipped[module]! }
  writeCoreTable({ [module]: results })
  console.log(`${module}: ${Object.values(here).filter((one) => one === 'passed').length} of ${meaningful.length}`)
}
rmSync(scripts, { recursive: true })
process.exit()
