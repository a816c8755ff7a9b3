import { expect, it, vi } from 'vitest'
import type { PendingServerStart } from './vsCodeServerPlace.ts'

vi.mock('../files/boxUri.ts', () => ({ nameFilesForServer: vi.fn() }))

const { nameFilesForServer } = await import('../files/boxUri.ts')
const { connectVsCodeServer, START_LIMIT_MS } = await import('./connectVsCodeServer.ts')

const connection = { joined: {}, onDidJoin: () => ({ dispose() {} }) } as never
const wanted = (start: () => Promise<never>) => ({ isWanted: () => true, setWanted: () => undefined, start })

it('WB854: a server that does not start leaves the editor in the browser, with the reason', async () => {
  const refused = wanted(() => Promise.resolve({ result: 'error', error: 'Waiting for port timed out' } as never))
  expect(await connectVsCodeServer(refused, connection)).toEqual({
    server: undefined,
    failure:
      "Failed to initialize VS Code Server: Waiting for port timed out. We've opened VS Code in web-only in the meantime.",
  })
  const unreachable = wanted(() => Promise.reject(new Error('Could not find product.json in VSCode server.')))
  expect((await connectVsCodeServer(unreachable, connection)).failure).toBe(
    "Failed to initialize VS Code Server: Could not find product.json in VSCode server. We've opened VS Code in web-only in the meantime.",
  )
  const skipped = wanted(() => Promise.resolve({ result: 'cancelled' } as never))
  expect((await connectVsCodeServer(skipped, connection)).failure).toBe(
    "Skipped VS Code Server initialization, we've opened VS Code in web-only, so only server extensions work.",
  )
  expect(nameFilesForServer).not.toHaveBeenCalled()
})

it('WB850: nothing is started for who does not want it', async () => {
  const start = vi.fn()
  const place = { isWanted: () => false, setWanted: () => undefined, start }
  expect(await connectVsCodeServer(place, connection)).toEqual({ server: undefined, failure: undefined })
  expect(start).not.toHaveBeenCalled()
})

/** A server that starts when the test says so, a person who may skip it, and a clock. */
function pending() {
  let finish: (start: unknown) => void = () => undefined
  const starts: (PendingServerStart | null)[] = []
  const timers = new Map<object, { run: () => void; milliseconds: number }>()
  const opening = connectVsCodeServer(
    wanted(() => new Promise<never>((resolve) => (finish = resolve as typeof finish))),
    connection,
    {
      onStart: (start) => void starts.push(start),
      timers: {
        setTimeout: ((run: () => void, milliseconds: number) => {
          const timer = {}
          timers.set(timer, { run, milliseconds })
          return timer
        }) as unknown as typeof setTimeout,
        clearTimeout: ((timer: object) => void timers.delete(timer)) as unknown as typeof clearTimeout,
      },
    },
  )
  return { opening, starts, timers, finish: (start: unknown) => finish(start) }
}

it('WB920: a start that the editor waits for is told of until it is over, and can be skipped', async () => {
  const skipped = pending()
  expect(skipped.starts).toEqual([{ skip: expect.any(Function) }])
  skipped.starts[0]!.skip()
  expect(await skipped.opening).toEqual({
    server: undefined,
    failure: "Skipped VS Code Server initialization, we've opened VS Code in web-only, so only server extensions work.",
  })
  expect(skipped.starts.at(-1)).toBeNull()
  expect(nameFilesForServer).not.toHaveBeenCalled()

  const started = pending()
  const running = { result: 'running', port: 50_000, token: 't', commit: 'c' }
  started.finish(running)
  expect(await started.opening).toEqual({ server: running, failure: undefined })
  expect(started.starts).toEqual([{ skip: expect.any(Function) }, null])
  expect(started.timers.size).toBe(0)
  expect(nameFilesForServer).toHaveBeenCalledTimes(1)
})

it('WB920: the editor waits for a start of 90 s at most', async () => {
  const late = pending()
  const [timer] = late.timers.values()
  expect(timer?.milliseconds).toBe(START_LIMIT_MS)
  timer!.run()
  expect((await late.opening).failure).toBe(
    "Failed to initialize VS Code Server: Timed out after 90000ms. We've opened VS Code in web-only in the meantime.",
  )
  expect(late.starts.at(-1)).toBeNull()
})
