import { expect, it } from 'vitest'
import { assignPorts } from './assignPorts.ts'

const claims = [
  { taskId: 'web', previewPort: 3000 },
  { taskId: 'again', previewPort: 3000 },
  { taskId: 'api', previewPort: undefined },
]

it('TA14: a port belongs to the task that names it, else to the one that opened it, else to none', () => {
  const owners = assignPorts(
    [3000, 4000, 5000],
    claims,
    new Map([
      [3000, 'api'],
      [4000, 'api'],
    ]),
  )
  expect([...owners]).toEqual([
    [3000, 'web'],
    [4000, 'api'],
    [5000, null],
  ])
})

it('TA14: among several that name it, it belongs to the one that opened it', () => {
  expect(assignPorts([3000], claims, new Map([[3000, 'again']])).get(3000)).toBe('again')
})
