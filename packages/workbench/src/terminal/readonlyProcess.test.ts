import { ProcessPropertyType } from '@codingame/monaco-vscode-api/vscode/vs/platform/terminal/common/terminal'
import { expect, it, vi } from 'vitest'
import { ReadonlyProcess } from './readonlyProcess.ts'

it('WB35, WB970: a terminal without a shell says how to get one, and takes nothing', async () => {
  const process = new ReadonlyProcess(7, '/project/workspace')
  const shown: string[] = []
  process.onProcessData((data) => shown.push(data))
  const names: unknown[] = []
  process.onDidChangeProperty(({ type, value }) => type === ProcessPropertyType.Title && names.push(value))
  let isReady = false
  process.onProcessReady(() => (isReady = true))
  await process.start()
  process.input()
  await process.processBinary()
  expect(isReady).toBe(true)
  expect(shown).toEqual(['This terminal is readonly, fork this devbox/branch to create new terminals.\r\n'])
  await vi.waitFor(() => expect(names).toEqual(['Read-only']))
  process.shutdown()
})
