import { expect, it } from 'vitest'
import type { ReviewComment, ReviewHost } from '../scm/branchHost.ts'
import { joined, reviewSource, threadsOf } from './reviewSource.ts'

const said = (id: string, values: Partial<ReviewComment> = {}): ReviewComment => ({
  id,
  replyTo: null,
  path: 'a.ts',
  line: 3,
  commit: 'c1',
  author: 'grace',
  body: `body ${id}`,
  at: '2026-01-01T00:00:00Z',
  ...values,
})

function scene(comments: ReviewComment[], moved: (line: number) => number | null = (line) => line + 10) {
  const done: unknown[] = []
  const review: ReviewHost = {
    comments,
    revision: 'head',
    onDidChange: () => ({ dispose: () => undefined }),
    lines: async () => ({ commit: 'head', files: new Map([['a.ts', [1, 2, 3, 7]]]) }),
    comment: async (values) => void done.push(values),
    reply: async (id, body) => void done.push([id, body]),
  }
  const git = {
    transposeLines: async (lines: readonly { path: string; line: number }[]) =>
      lines.map(({ path, line }) => {
        const now = moved(line)
        return now === null ? null : { path, line: now }
      }),
  }
  return { source: reviewSource(review, git), done }
}

it('WB610: comments and their replies are threads', () => {
  const threads = threadsOf([said('1'), said('2', { replyTo: '1' }), said('3', { path: 'b.ts' })])
  expect(threads.map(({ id, path, comments }) => [id, path, comments.map((each) => each.id)])).toEqual([
    ['1', 'a.ts', ['1', '2']],
    ['3', 'b.ts', ['3']],
  ])
})

it('WB611: a thread stands where its line is now, and nowhere when that was changed', async () => {
  const { source } = scene([said('1'), said('2', { line: null })])
  expect(await source.locate(source.threads[0]!, '')).toEqual({ first: 13, last: 13 })
  expect(await source.locate(source.threads[1]!, '')).toBeUndefined()
  const changed = scene([said('1')], () => null)
  expect(await changed.source.locate(changed.source.threads[0]!, '')).toBeUndefined()
})

it('WB612: a comment is begun on lines of the pull request alone, and told by their number there', async () => {
  const { source, done } = scene([], (line) => (line === 2 ? null : line + 10))
  expect(await source.commentable('a.ts', 1)).toEqual([
    { first: 11, last: 11 },
    { first: 13, last: 13 },
    { first: 17, last: 17 },
  ])
  expect(await source.commentable('b.ts', 1)).toEqual([])
  await source.begin({ path: 'a.ts', lines: { first: 17, last: 17 }, text: '' }, 'Why?')
  expect(done).toEqual([{ commit: 'head', path: 'a.ts', line: 7, body: 'Why?' }])
  const beside = source.begin({ path: 'a.ts', lines: { first: 12, last: 12 }, text: '' }, 'Why?')
  await expect(beside).rejects.toThrow('not part of the pull request')
})

it('WB612: neighbouring lines are one range', () => {
  expect(joined([4, 1, 2, 9])).toEqual([
    { first: 1, last: 2 },
    { first: 4, last: 4 },
    { first: 9, last: 9 },
  ])
})
