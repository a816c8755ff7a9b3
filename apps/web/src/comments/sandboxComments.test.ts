import { expect, it, vi } from 'vitest'
import { RequestError } from '../api/RequestError.ts'
import type { App } from '../App.ts'
import { sandboxComments } from './sandboxComments.ts'

const user = { id: 'u2', username: 'grace', name: null, avatarUrl: null }
const said = {
  id: 'c1',
  content: 'Why?',
  insertedAt: '2026-01-02T03:04:05',
  isResolved: false,
  user,
  anchorReference: { metadata: { anchor: 4, head: 7, code: 'two', path: '/src/a.ts' } },
  comments: [{ id: 'c2', content: 'Because.', insertedAt: '2026-01-02T03:05:05Z', user }],
}
/** On the preview, and on the whole. */
const elsewhere = [
  { ...said, id: 'c3', anchorReference: { metadata: {} }, comments: [] },
  { ...said, id: 'c4', anchorReference: null, comments: [] },
]

function scene() {
  const asked: { query: string; variables: Record<string, unknown> }[] = []
  const graphql = {
    query: async (
      query: string,
      { variables, schema }: { variables: object; schema: { parse(value: unknown): unknown } },
    ) => {
      asked.push({ query, variables: variables as Record<string, unknown> })
      if (query.startsWith('query people'))
        return schema.parse({ sandbox: { teamId: 't', author: { id: 'u1', username: 'ada', name: 'Ada' } } })
      if (query.startsWith('query members'))
        return schema.parse({ me: { team: { users: [{ id: 'u3', username: 'joan', name: null }] } } })
      return schema.parse(query.startsWith('query') ? { sandbox: { comments: [said, ...elsewhere] } } : {})
    },
  }
  return { app: { graphql, live: {} } as unknown as App, asked }
}

it('WB610: shows comments on texts with their replies, and none on anything else', async () => {
  const { app } = scene()
  const source = await sandboxComments(app, 's', { canComment: false })
  expect(source.threads).toEqual([
    {
      id: 'c1',
      path: 'src/a.ts',
      isResolved: false,
      canResolve: false,
      canReply: false,
      comments: [
        { id: 'c1', author: 'grace', avatarUrl: null, body: 'Why?', at: '2026-01-02T03:04:05Z' },
        { id: 'c2', author: 'grace', avatarUrl: null, body: 'Because.', at: '2026-01-02T03:05:05Z' },
      ],
    },
  ])
  expect(await source.locate(source.threads[0]!, 'zero\none\ntwo\n')).toEqual({ first: 3, last: 3 })
  expect(await source.commentable('src/a.ts', 2)).toEqual([])
})

it('begins, answers and resolves in the name of the person, and reads again what came of it', async () => {
  const { app, asked } = scene()
  const source = await sandboxComments(app, 's', { canComment: false })
  await source.begin({ path: 'a.ts', lines: { first: 2, last: 2 }, text: 'one\ntwo' }, 'Hm')
  expect(asked.at(-2)?.variables).toMatchObject({
    sandboxId: 's',
    content: 'Hm',
    anchorReference: { anchor: 4, head: 7, code: 'two', path: 'a.ts' },
  })
  await source.reply('c1', 'Yes')
  expect(asked.at(-2)?.variables).toMatchObject({ parentCommentId: 'c1', content: 'Yes' })
  await source.setResolved('c1', true)
  expect(asked.at(-2)?.query).toContain('resolveComment')
  await source.setResolved('c1', false)
  expect(asked.at(-2)?.query).toContain('unresolveComment')
  expect(asked.at(-1)?.query).toMatch(/^query comments/)
})

it('WB1088: who is named in a comment is told to the server: of those who talk, the author and the workspace', async () => {
  const { app, asked } = scene()
  const source = await sandboxComments(app, 's', { canComment: false })
  expect((await source.people()).map(({ username }) => username)).toEqual(['grace', 'ada', 'joan'])
  await source.reply('c1', '@joan and (@Grace), see @nobody')
  expect(asked.at(-2)?.variables).toMatchObject({
    userReferences: [
      { userId: 'u3', username: 'joan' },
      { userId: 'u2', username: 'grace' },
    ],
  })
  await source.begin({ path: 'a.ts', lines: { first: 2, last: 2 }, text: 'one\ntwo' }, '@ada?')
  expect(asked.at(-2)?.variables).toMatchObject({ userReferences: [{ userId: 'u1', username: 'ada' }] })
})

it('goes on with the comments of a copy', async () => {
  const { app, asked } = scene()
  const source = await sandboxComments(app, 's', { canComment: false })
  await source.moveTo('copy')
  await source.reply('c1', 'Yes')
  expect(asked.map(({ variables }) => variables['sandboxId'])).toEqual(['s', 'copy', 'copy', 'copy'])
})

it('BB958: comes without comments when the server is away, and reads them when it is back', async () => {
  let isAway = true
  const told: (() => void)[] = []
  const { app } = scene()
  const { query } = app.graphql
  const away = {
    graphql: {
      query: (...given: Parameters<typeof query>) =>
        isAway
          ? Promise.reject(new RequestError({ message: 'The server does not answer', status: 0 }))
          : query(...given),
    },
    live: {
      follow: ({ onFollowed }: { onFollowed: () => void }) => {
        told.push(onFollowed)
        return () => undefined
      },
    },
  } as unknown as App
  vi.stubGlobal('window', new EventTarget())
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const source = await sandboxComments(away, 's', { canComment: true })
  expect(source.threads).toEqual([])
  isAway = false
  told[0]!()
  await vi.waitUntil(() => source.threads.length === 1)
  isAway = true
  await expect(sandboxComments(away, 's', { canComment: false })).rejects.toThrow('does not answer')
  vi.unstubAllGlobals()
})
