import { dirname } from 'node:path'
import { Worker as Thread } from 'node:worker_threads'
import { Processes } from '../../packages/browser-backend/src/backend/processes.ts'
import type { FileChange } from '../../packages/browser-backend/src/common/fromProcess.ts'
import type { ToProcessesPage } from '../../packages/browser-backend/src/common/processMessages.ts'
import type { Results } from './coreTable.ts'

const PROJECT = '/nodebox'
const decoder = new TextDecoder()

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

/**
 * Runs a project of tests (`projectOf`) in the processes of a sandbox. Each process is what it is in a browser, the built script of
 * `packages/browser-backend`, but in a thread of Node in place of a worker of a page. `scripts`: where they are built.
 */
export function runInThreads(
  given: Readonly<Record<string, string>>,
  scripts: string,
  onOut: (text: string) => void = () => undefined,
): Promise<Results> {
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
      onOut: (data) => {
        const text = typeof data === 'string' ? data : decoder.decode(data)
        said += text
        onOut(text)
      },
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
