import type { Client } from '@boxyard/protocol'
import { palettes } from '@boxyard/ui/tokens'
import { expect, it } from 'vitest'
import { peopleHere } from './peopleHere.ts'

const client = (clientId: string, username: string): Client => ({
  clientId,
  username,
  name: username,
  avatarUrl: null,
  color: '#84B2FD',
  appId: 'web',
})
const ids = (clients: readonly Client[]) => clients.map(({ clientId }) => clientId)

it('WB982: a person is here once, by their own window or by the one that is followed', () => {
  const clients = [client('a1', 'ada'), client('g1', 'grace'), client('a2', 'ada'), client('g2', 'grace')]
  expect(ids(peopleHere(clients, 'a1', null))).toEqual(['a1', 'g2'])
  expect(ids(peopleHere(clients, 'a2', 'g1'))).toEqual(['a2', 'g1'])
  expect(peopleHere(clients, 'a2', null).map(({ isSelf }) => isSelf)).toEqual([true, false])
})

it('WB982: visitors without an account are each their own, and none but oneself is oneself', () => {
  const clients = [client('v1', 'anonymous'), client('v2', 'anonymous'), client('a1', 'ada')]
  const people = peopleHere(clients, 'v2', null)
  expect(ids(people)).toEqual(['v1', 'v2', 'a1'])
  expect(people.map(({ isSelf }) => isSelf)).toEqual([false, true, false])
})

it('WB982: the ring tells who has an account', () => {
  const [visitor, ada] = peopleHere([client('v1', 'anonymous'), client('a1', 'ada')], 'a1', null)
  expect(visitor!.ring).toBe('var(--color-guest)')
  expect(ada!.ring).toBe('var(--color-member)')
  expect(palettes.dark.member).toBe('#FFE500')
})
