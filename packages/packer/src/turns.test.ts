import { expect, it } from 'vitest'
import { turns } from './turns.ts'

it('PK949: after a failure none of those that wait for their turn is begun, nor those that come later', async () => {
  const inTurn = turns(2)
  const begun: number[] = []
  let fail = (): void => undefined
  let goOn = (): void => undefined
  const failing = new Promise<void>((_, reject) => (fail = () => reject(new Error('the first'))))
  const slow = new Promise<void>((resolve) => (goOn = resolve))
  const all = Promise.allSettled(
    [0, 1, 2, 3].map((number) =>
      inTurn(async () => {
        begun.push(number)
        await (number === 0 ? failing : slow)
        return number
      }),
    ),
  )
  fail()
  goOn()
  expect((await all).map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message))).toEqual([
    'the first',
    1,
    'the first',
    'the first',
  ])
  await expect(inTurn(async () => begun.push(4))).rejects.toThrow('the first')
  expect(begun).toEqual([0, 1])
})

it('PK949: without a failure all have their turn, so many at a time', async () => {
  const inTurn = turns(3)
  let running = 0
  let most = 0
  const work = async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
  }
  await Promise.all(Array.from({ length: 10 }, () => inTurn(work)))
  expect([running, most]).toEqual([0, 3])
})
