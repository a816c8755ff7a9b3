import { expect, it } from 'vitest'
import { signInMessage } from './signInMessage.ts'

it('reads the three messages of the sign-in window and nothing else', () => {
  expect(signInMessage({ type: 'signin', data: { jwt: 'x' } })).toEqual({ type: 'signin' })
  expect(signInMessage({ type: 'duplicate', data: { provider: 'github' } })).toEqual({ type: 'duplicate' })
  expect(signInMessage({ type: 'signup', data: { id: 'p1' } })).toEqual({ type: 'signup', pendingId: 'p1' })
  expect(signInMessage({ type: 'signup' })).toBeNull()
  expect(signInMessage({ type: 'webpackOk' })).toBeNull()
  expect(signInMessage('signin')).toBeNull()
})
