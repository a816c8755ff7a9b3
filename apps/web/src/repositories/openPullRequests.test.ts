import { expect, it } from 'vitest'
import type { App } from '../App.ts'
import { openPullRequests } from './openPullRequests.ts'

const pull = (number: number, state: string, reviews: { username: string; state: string }[] = []) => ({
  number,
  title: `Change ${number}`,
  state,
  draft: false,
  headBranch: `fix-${number}`,
  baseBranch: 'main',
  creatorUsername: 'ada',
  reviews,
})

const answering = (project: unknown, asked: unknown[] = []): Pick<App, 'graphql'> => ({
  graphql: {
    query: async (
      _document: string,
      { variables, schema }: { variables: unknown; schema: { parse(of: unknown): unknown } },
    ) => {
      asked.push(variables)
      return schema.parse({ project })
    },
  } as unknown as App['graphql'],
})
const place = { owner: 'acme', repo: 'shop', workspaceId: 'team' }

it('WB940: the pull requests of the repository are those that are open, the newest first, with their state in a word', async () => {
  const asked: unknown[] = []
  const approved = [{ username: 'grace', state: 'APPROVED' }]
  const app = answering(
    { pullRequests: [pull(1, 'open'), pull(2, 'merged'), pull(3, 'closed'), pull(4, 'open', approved)] },
    asked,
  )
  expect(await openPullRequests(app, place)).toEqual([
    { number: 4, title: 'Change 4', state: 'Approved', author: 'ada', branch: 'fix-4', target: 'main' },
    { number: 1, title: 'Change 1', state: 'Open', author: 'ada', branch: 'fix-1', target: 'main' },
  ])
  expect(asked).toEqual([{ owner: 'acme', repo: 'shop', team: 'team' }])
})

it('WB940: a repository that is in none of the workspaces is not taken for one without pull requests', async () => {
  await expect(openPullRequests(answering(null), place)).rejects.toThrow('acme/shop is in none of your workspaces')
})
