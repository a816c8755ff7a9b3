import { expect, it, vi } from 'vitest'
import type { ToRunner } from '../common/messages.ts'
import { PreviewPages } from './previewPages.ts'

/** One end of a port, with what comes out of the other. */
class TestPort extends EventTarget {
  readonly said: ToRunner[] = []
  isClosed = false
  onmessage: ((event: { data: unknown }) => void) | null = null

  postMessage(message: ToRunner): void {
    this.said.push(message)
  }
  close(): void {
    this.isClosed = true
  }
  /** The page at the other end. */
  page = {
    says: (data: unknown) => this.onmessage?.({ data }),
    goes: () => this.dispatchEvent(new Event('close')),
  }
}

function begin() {
  const engine = {
    start: vi.fn(async () => undefined),
    stop: vi.fn(),
    run: vi.fn(async () => undefined),
    receive: vi.fn(),
    hasFile: () => true,
  }
  const compilers = { use: vi.fn(), leave: vi.fn(), receive: vi.fn() }
  const told = { onConsole: vi.fn(), onProblem: vi.fn(), onNotice: vi.fn(), onOpen: vi.fn(), onRendered: vi.fn() }
  const pages = new PreviewPages({ engine, compilers, ...told })
  const add = (window: number, address = '/') => {
    const port = new TestPort()
    pages.add({ port: port as unknown as MessagePort, address, module: null, window })
    return port
  }
  return { engine, compilers, told, pages, add }
}

it('BB983: of a page that has gone nothing is kept, whether or not the project was there', () => {
  const { engine, compilers, pages, add } = begin()
  const early = add(1)
  early.page.goes()
  expect(pages.count).toBe(0)
  pages.begin()
  early.page.says({ type: 'start' })
  expect(engine.start).not.toHaveBeenCalled()
  const port = add(1)
  port.page.says({ type: 'start' })
  expect([pages.count, engine.start.mock.calls.length]).toEqual([1, 1])
  port.page.goes()
  expect(pages.count).toBe(0)
  expect(engine.stop).toHaveBeenCalledOnce()
  expect(compilers.leave).toHaveBeenCalledExactlyOnceWith(port)
})

it('BB983: the next page of a window takes the place of the one before, where no browser tells that it has gone', () => {
  const { engine, compilers, told, pages, add } = begin()
  const [early, first] = [add(1, '/early'), add(1, '/first')]
  const other = add(2, '/other')
  expect([early.isClosed, pages.count]).toEqual([true, 2])
  pages.begin()
  for (const port of [early, first, other]) port.page.says({ type: 'start' })
  expect(engine.start.mock.calls.map(([, address]: unknown[]) => address)).toEqual(['/first', '/other'])
  for (let time = 0; time < 50; time += 1) add(1).page.says({ type: 'start' })
  expect(pages.count).toBe(2)
  expect(engine.stop).toHaveBeenCalledTimes(50)
  expect(compilers.leave).toHaveBeenCalledTimes(50)
  expect(first.isClosed).toBe(true)
  // Its end is told late.
  first.page.goes()
  expect(pages.count).toBe(2)
  other.page.says({ type: 'rendered' })
  expect(told.onRendered).toHaveBeenCalledOnce()
})

it('BB980: what a page says is handed on, and what it may not say is not, which is told', () => {
  const { engine, told, pages, add } = begin()
  pages.begin()
  const { page } = add(1)
  page.says({ type: 'console', level: 'log', text: 'hello' })
  page.says({ type: 'open', file: '/a.ts', line: 1, column: 2 })
  page.says({ type: 'address', path: '/b' })
  page.says({ type: 'address', path: '//elsewhere.example' })
  page.says({ type: 'console', level: 'log', text: 1 })
  expect(told.onConsole).toHaveBeenCalledExactlyOnceWith('log', 'hello')
  expect(told.onOpen).toHaveBeenCalledExactlyOnceWith('/a.ts', 1, 2)
  expect(engine.receive).toHaveBeenCalledOnce()
  expect(told.onNotice).toHaveBeenCalledOnce()
})

it('BB955: pages that show something are told to open again without a server, each once', () => {
  const { pages, add } = begin()
  pages.begin()
  const [shown, waiting] = [add(1), add(2)]
  shown.page.says({ type: 'rendered' })
  expect(shown.said).toEqual([])
  pages.keep()
  expect([shown.said, waiting.said]).toEqual([[{ type: 'keep' }], []])
  for (const { page } of [shown, waiting, waiting]) page.says({ type: 'rendered' })
  expect([shown.said, waiting.said]).toEqual([[{ type: 'keep' }], [{ type: 'keep' }]])
})

it('BB1038: pages run the file that is wanted last, those that are there and those that begin later', () => {
  const { engine, pages, add } = begin()
  const early = add(1)
  pages.run('one.ts')
  pages.begin()
  early.page.says({ type: 'start' })
  const later = add(2)
  pages.run('two.ts')
  later.page.says({ type: 'start' })
  expect(engine.run.mock.calls).toEqual([['one.ts'], ['two.ts']])
  expect(engine.start).toHaveBeenNthCalledWith(1, expect.anything(), '/', 'one.ts')
  expect(engine.start).toHaveBeenNthCalledWith(2, expect.anything(), '/', 'two.ts')
})
