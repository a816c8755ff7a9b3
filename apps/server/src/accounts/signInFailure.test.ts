import { expect, it } from 'vitest'
import { signInFailure } from './signInFailure.ts'

it('SI90: a sign-in at a git host that fails is told with the name of that host', () => {
  expect(signInFailure('github', 'https://github.com')).toBe(
    'Sign in to GitHub failed. The provider did not confirm who you are.',
  )
  expect(signInFailure('github', 'https://git.example.org:8443')).toMatch(/^Sign in to git\.example\.org:8443 failed\./)
  expect(signInFailure('github', undefined)).toMatch(/^Sign in to Boxyard failed\./)
  expect(signInFailure('google', 'https://github.com')).toBe('The provider did not confirm who you are.')
})
