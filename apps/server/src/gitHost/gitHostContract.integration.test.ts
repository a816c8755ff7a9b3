import { createOctokitGitHost } from '@boxyard/git-host'
import { describeGitHost } from '@boxyard/git-host/testing'
import { Octokit } from '@octokit/rest'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe } from 'vitest'
import { insideFetch } from '../http/insideFetch.ts'
import { gitToken } from '../testing/gitTokens.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'

const newName = () => `contract-${randomBytes(6).toString('hex')}`

describe('the port', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
    for (const login of ['ada', 'grace']) await server.signedIn(login)
  })
  afterAll(() => server.close())

  describeGitHost('on the local git host', async () => {
    const apiUrl = `${server.origin}/_git/api/v3`
    const fetch = insideFetch(server.app)
    const authorToken = await gitToken(server, 'ada', ['repo'])
    return {
      author: createOctokitGitHost({ apiUrl, token: authorToken, fetch }),
      authorToken,
      reviewer: createOctokitGitHost({ apiUrl, token: await gitToken(server, 'grace', ['repo']), fetch }),
      newName,
      remove: async ({ owner, name: repo }) =>
        void (await new Octokit({ baseUrl: apiUrl, auth: authorToken, request: { fetch } }).rest.repos.delete({
          owner,
          repo,
        })),
    }
  })
})

const { GITHUB_TEST_TOKEN: token, GITHUB_TEST_REVIEWER_TOKEN: reviewerToken, GITHUB_TEST_API_URL: given } = process.env

// Nobody's account is used by accident: the two tokens are given on purpose or the suite runs on the local host alone.
describe.runIf(token !== undefined && reviewerToken !== undefined)('the port on a real git host', () => {
  const apiUrl = given ?? 'https://api.github.com'
  describeGitHost(apiUrl, async () => ({
    author: createOctokitGitHost({ apiUrl, token: token! }),
    authorToken: token!,
    reviewer: createOctokitGitHost({ apiUrl, token: reviewerToken! }),
    newName,
    remove: async ({ owner, name: repo }) =>
      void (await new Octokit({ baseUrl: apiUrl, auth: token! }).rest.repos.delete({ owner, repo })),
  }))
})
