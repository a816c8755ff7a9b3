import { expect, it } from 'vitest'
import { ReadonlyProcess } from './readonlyProcess.ts'

it('WB35, WB970: a terminal without a shell says how to get one, and takes nothing', async () => {
  const process = new ReadonlyProcess(7, '/project/workspace')
  const shown: string[] = []
  process.onProcessData((data) => shown.push(data))
  let isReady = false
  process.onProcessReady(() => (isReady = true))
  await process.start()
  process.input()
  await process.processBinary()
  expect(isReady).toBe(true)
  expect(shown).toEqual(['This terminal is readonly, fork this devbox/branch to create new terminals.\r\n'])
  process.shutdown()
})
