import { Emitter } from '@boxyard/dev-server-client'
import { expect, it, vi } from 'vitest'

const refresh = vi.fn<() => Promise<void>>()
const IExplorerService = Symbol('explorer')
const getService = vi.fn(async (_service: unknown) => ({ refresh }))

vi.mock('@codingame/monaco-vscode-api', () => ({ getService, IExplorerService }))

const { readFoldersAgain } = await import('./readFoldersAgain.ts')

it('WB3, WB1031: when changes may have been missed the folders are read again, and nothing else of the workbench is asked for', async () => {
  const joins = new Emitter<void>()
  const watches = new Emitter<void>()
  const onError = vi.fn()
  readFoldersAgain([joins.event, watches.event], onError)
  expect(getService).not.toHaveBeenCalled()
  refresh.mockResolvedValueOnce()
  joins.fire()
  await vi.waitUntil(() => refresh.mock.calls.length === 1)
  const failure = new Error('refused')
  refresh.mockRejectedValueOnce(failure)
  watches.fire()
  await vi.waitUntil(() => onError.mock.calls.length === 1)
  expect(onError.mock.calls).toEqual([[failure]])
  expect(refresh.mock.calls).toEqual([[], []])
  expect(getService.mock.calls).toEqual([[IExplorerService], [IExplorerService]])
})
