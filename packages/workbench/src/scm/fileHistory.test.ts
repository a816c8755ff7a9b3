import { expect, it } from 'vitest'
import { fileHistory, OPEN_COMMIT } from './fileHistory.ts'

it('WB620: the timeline shows the commits that changed the file, and asks for older ones when they are wanted', async () => {
  const asked: unknown[] = []
  const commit = { hash: 'abc', date: '2026-01-02T03:04:05Z', message: 'Fix it\n\nbecause', author: 'Ada' }
  const git = {
    history: async (path: string, skip: number) => {
      asked.push([path, skip])
      return { commits: [commit], hasMore: skip === 0 }
    },
  }
  const first = await fileHistory(git, 'src/a.ts', undefined)
  expect(first.items).toMatchObject([
    {
      label: 'Fix it',
      description: 'Ada',
      timestamp: Date.UTC(2026, 0, 2, 3, 4, 5),
      command: { id: OPEN_COMMIT, arguments: ['src/a.ts', 'abc', 'Fix it'] },
    },
  ])
  expect(first.paging).toEqual({ cursor: '1' })
  const second = await fileHistory(git, 'src/a.ts', '1')
  expect(second.paging).toBeUndefined()
  expect(asked).toEqual([
    ['src/a.ts', 0],
    ['src/a.ts', 1],
  ])
})
