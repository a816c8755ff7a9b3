import { describe, expect, it } from 'vitest'
import { readAuthorizationRequest } from './clients.ts'
import type { OAuthClient } from './clients.ts'
import { loginPattern } from './fields.ts'

const client: OAuthClient = { id: 'app', secret: 's', name: 'App', redirectUris: ['http://app.test/callback'] }
const read = (query: object) => readAuthorizationRequest(query, [client])

describe('a request for sign-in', () => {
  it('takes the registered address when it names none', () => {
    expect(read({ client_id: 'app', scope: 'user:email,repo repo' })).toEqual({
      client,
      redirectUri: 'http://app.test/callback',
      scopes: ['user:email', 'repo'],
      state: undefined,
      codeChallenge: null,
    })
  })

  it.each([
    [{ client_id: 'other' }, 'UNKNOWN_CLIENT'],
    [{}, 'UNKNOWN_CLIENT'],
    [{ client_id: 'app', code_challenge: 'x', code_challenge_method: 'plain' }, 'UNKNOWN_CLIENT'],
    [{ client_id: 'app', redirect_uri: 'http://app.test/callback/../evil' }, 'WRONG_REDIRECT'],
    [{ client_id: 'app', redirect_uri: 'http://app.test/callback?next=evil' }, 'WRONG_REDIRECT'],
    [{ client_id: 'app', redirect_uri: 'http://evil.test/callback' }, 'WRONG_REDIRECT'],
  ])('is refused without a redirect: %j', (query, code) => {
    expect(() => read(query)).toThrow(expect.objectContaining({ code }) as Error)
  })
})

describe('user names', () => {
  it.each(['a', 'ada', 'Ada-Lovelace', 'a1-b2', 'x'.repeat(39)])('%s is one', (login) => {
    expect(loginPattern.test(login)).toBe(true)
  })
  it.each(['', '-ada', 'ada-', 'a--b', 'a_b', 'a b', '../a', 'x'.repeat(40), 'ada\n'])('%j is none', (login) => {
    expect(loginPattern.test(login)).toBe(false)
  })
})
