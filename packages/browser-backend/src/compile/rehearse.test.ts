import { expect, it } from 'vitest'
import { rehearse } from './rehearse.ts'

function start(answers: boolean[]) {
  const done: (number | 'compiled')[] = []
  const options = {
    async once() {
      done.push('compiled')
      return answers.shift() ?? true
    },
    async pause(milliseconds: number) {
      done.push(milliseconds)
    },
  }
  return { done, ended: rehearse(options) }
}

it('BB1132: the compiler is made fast when the page has had its time, with time for others in between', async () => {
  const { done, ended } = start([])
  await ended
  expect(done[0]).toBe(2500)
  expect(done.slice(1)).toEqual(Array.from({ length: 16 }, () => ['compiled', 60]).flat())
})

it('BB1132: that ends where there is something else to do', async () => {
  const { done, ended } = start([true, false])
  await ended
  expect(done).toEqual([2500, 'compiled', 60, 'compiled'])
})
