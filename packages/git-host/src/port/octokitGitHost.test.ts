import { describe, expect, it } from 'vitest'
import { createOctokitGitHost } from './octokitGitHost.ts'

type Answers = Record<string, { status: number; body: unknown }>

/** A host that answers these paths, and the paths it was asked. */
function hostWith(answers: Answers) {
  const asked: string[] = []
  const fetch: typeof globalThis.fetch = async (input) => {
    const url = new URL(input instanceof Request ? input.url : input)
    asked.push(url.pathname)
    const { status, body } = answers[url.pathname] ?? { status: 404, body: { message: 'Not Found' } }
    const answer = new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
    return Object.defineProperty(answer, 'url', { value: url.href })
  }
  return { host: createOctokitGitHost({ apiUrl: 'https://host.test', token: 't', fetch }), asked }
}

const installation = (id: number, login: string, selection: string) => ({
  id,
  account: { login },
  repository_selection: selection,
})

describe('installations of the app', () => {
  it('GH650: are told for all repositories of an owner, or for the chosen ones, by one question for each owner', async () => {
    const installations = [
      installation(1, 'Acme', 'all'),
      installation(2, 'ada', 'selected'),
      installation(3, 'nobody-asked', 'selected'),
    ]
    const { host, asked } = hostWith({
      '/user/installations': { status: 200, body: { total_count: 3, installations } },
      '/user/installations/2/repositories': {
        status: 200,
        body: { total_count: 1, repositories: [{ full_name: 'ada/Todo' }] },
      },
    })
    const installed = (await host.appInstallations(['acme', 'ada', 'grace']))!
    const repositories = ['acme/any', 'ada/todo', 'ada/other', 'grace/any']
    expect(
      repositories.filter((each) => {
        const [owner, name] = each.split('/') as [string, string]
        return installed({ owner, name })
      }),
    ).toEqual(['acme/any', 'ada/todo'])
    expect(asked).toEqual(['/user/installations', '/user/installations/2/repositories'])
  })

  it('GH651: are none to be missed where whoever asks came without an app', async () => {
    const refused = {
      status: 403,
      body: { message: 'You must authenticate with an access token authorized to a GitHub App' },
    }
    expect(await hostWith({ '/user/installations': refused }).host.appInstallations(['ada'])).toBeNull()
    const broken = hostWith({ '/user/installations': { status: 500, body: { message: 'Server Error' } } })
    await expect(broken.host.appInstallations(['ada'])).rejects.toMatchObject({ code: 'UNREACHABLE' })
  })
})
