import { afterEach, expect, test, vi } from 'vitest'
import type { ToEngine } from './engineWorker.ts'
import { startSandboxBackend } from './startSandboxBackend.ts'

/** By the name of the worker, in the order they were said. */
const said = new Map<string, { type: string }[]>()

class SilentWorker {
  readonly #name: string

  constructor(_address: URL, { name }: { name: string }) {
    this.#name = name
    said.set(name, [])
  }

  postMessage(message: { type: string }): void {
    said.get(this.#name)!.push(message)
  }

  terminate(): void {
    said.delete(this.#name)
  }
}

afterEach(() => vi.unstubAllGlobals())

function start(module: string | null = null) {
  vi.stubGlobal('Worker', SilentWorker)
  vi.stubGlobal('location', new URL('http://app.boxyard.test/sandbox/one'))
  const window = new EventTarget()
  vi.stubGlobal('window', window)
  const backend = startSandboxBackend({
    sandboxId: 'one',
    access: 'write',
    person: null,
    previewOrigin: (id, port) => `http://${id}-${port}.preview.boxyard.test`,
    fork: null,
    module,
    early: null,
    onOpenFile: () => undefined,
    onShown: () => undefined,
    onConverted: () => undefined,
    onAway: () => undefined,
  })
  return { backend, window }
}

test('BB950: a text whose save begins goes to what compiles it, and not through what stores it', () => {
  const { backend } = start()
  const before = said.get('files')!.length

  backend.show('/src/App.tsx', 'now')

  const last: ToEngine = { type: 'files', changes: new Map([['/src/App.tsx', 'now']]) }
  expect(said.get('compile')!.at(-1)).toEqual(last)
  expect(said.get('files')).toHaveLength(before)
  backend.dispose()
  expect(said.size).toBe(0)
})

test('BB1038: the file that pages run is told to what compiles it, for those that are there and those to come', () => {
  const { backend } = start('src/One.tsx')
  backend.run('src/Two.tsx')
  expect(said.get('compile')!.at(-1)).toEqual({ type: 'module', module: 'src/Two.tsx' } satisfies ToEngine)
  backend.dispose()
})
