import { expect, it } from 'vitest'
import { sideBySide } from './sideBySide.ts'

it('PK949: after a failure nothing more is begun, and it is told when what was under way has ended', async () => {
  const begun: number[] = []
  const ended: number[] = []
  let fail = (): void => undefined
  let goOn = (): void => undefined
  const failing = new Promise<void>((_, reject) => (fail = () => reject(new Error('the first'))))
  const slow = new Promise<void>((resolve) => (goOn = resolve))
  let isTold = false
  const all = sideBySide(2, [0, 1, 2, 3], async (item) => {
    begun.push(item)
    await (item === 0 ? failing : slow)
    ended.push(item)
  }).finally(() => (isTold = true))
  fail()
  await expect(failing).rejects.toThrow()
  await new Promise((resolve) => setImmediate(resolve))
  expect([begun, ended, isTold]).toEqual([[0, 1], [], false])
  goOn()
  await expect(all).rejects.toThrow('the first')
  expect([begun, ended]).toEqual([[0, 1], [1]])
})

it('PK949: without a failure everything is done, so many at a time', async () => {
  let running = 0
  let most = 0
  const done: number[] = []
  await sideBySide(3, Array.from({ length: 10 }).keys(), async (item) => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    done.push(item)
  })
  expect([done.length, most]).toEqual([10, 3])
})
