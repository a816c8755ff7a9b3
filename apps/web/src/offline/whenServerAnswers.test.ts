import { expect, test } from 'vitest'
import { whenServerAnswers } from './whenServerAnswers.ts'

test('BB958: it is asked again until a server answers; that of a proxy alone is none', async () => {
  const answers: (number | undefined)[] = [undefined, 502, undefined, 200]
  const pauses: number[] = []
  await whenServerAnswers({
    fetch: async () => {
      const status = answers.shift()
      if (status === undefined) throw new TypeError('Failed to fetch')
      return { status }
    },
    pause: async (milliseconds) => void pauses.push(milliseconds),
  })
  expect(answers).toEqual([])
  expect(pauses).toEqual([5000, 5000, 5000])
})

test('BB958: a server that has other troubles is there', async () => {
  await whenServerAnswers({
    fetch: async () => ({ status: 500 }),
    pause: () => Promise.reject(new Error('It is not waited for')),
  })
})
