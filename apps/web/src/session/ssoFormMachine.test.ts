import { expect, it } from 'vitest'
import { createActor, waitFor } from 'xstate'
import { RequestError } from '../api/RequestError.ts'
import { ssoFormMachine } from './ssoFormMachine.ts'

function form(findAddress: (email: string) => Promise<string>) {
  const addresses: string[] = []
  const actor = createActor(ssoFormMachine, { input: { findAddress, onAddress: (address) => addresses.push(address) } })
  actor.start()
  return { actor, addresses }
}

it('SI40: does nothing with an empty value', () => {
  const { actor } = form(() => Promise.reject(new Error('not to be asked')))
  actor.send({ type: 'SUBMIT', email: '  ' })
  expect(actor.getSnapshot().value).toBe('IDLE')
})

it('SI40: goes where the server says, and asks once', async () => {
  const asked: string[] = []
  const { actor, addresses } = form(async (email) => {
    asked.push(email)
    return 'https://app.test/auth/sso/1'
  })
  actor.send({ type: 'SUBMIT', email: 'ada@example.org' })
  actor.send({ type: 'SUBMIT', email: 'eve@example.org' })
  await waitFor(actor, (state) => state.matches('VALID'))
  expect([asked, addresses]).toEqual([['ada@example.org'], ['https://app.test/auth/sso/1']])
})

it('SI40: keeps the status of a refusal until it is used again', async () => {
  const { actor } = form(() => Promise.reject(new RequestError({ status: 422, message: 'Nobody signs in' })))
  actor.send({ type: 'SUBMIT', email: 'ada@example.org' })
  const state = await waitFor(actor, (state) => state.matches('INVALID'))
  expect(state.context.status).toBe(422)
  actor.send({ type: 'SUBMIT', email: 'ada@example.org' })
  expect(actor.getSnapshot().value).toBe('INVALID')
  actor.send({ type: 'RESET' })
  expect(actor.getSnapshot()).toMatchObject({ value: 'IDLE', context: { status: null } })
})
