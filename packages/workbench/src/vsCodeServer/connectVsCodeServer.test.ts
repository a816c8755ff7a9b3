import { expect, it, vi } from 'vitest'

vi.mock('../files/boxUri.ts', () => ({ nameFilesForServer: vi.fn() }))

const { nameFilesForServer } = await import('../files/boxUri.ts')
const { connectVsCodeServer } = await import('./connectVsCodeServer.ts')

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
