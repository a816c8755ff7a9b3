import { expect, it } from 'vitest'
import { welcomeNotice } from './welcomeNotice.ts'

const all = { edit: true, restart: true, rename: true, share: true, fork: true, changeMachine: true }
const mine = { abilities: all, v2: true, isFrozen: false, title: 'Todo' }

it('AP957: an address greets who has seen no editor here, with what they may do in this one', () => {
  const devbox = welcomeNotice('?file=a.ts&welcome=true', mine)
  expect(devbox?.title).toBe('Welcome to Todo')
  expect(devbox?.body).toContain('terminals below')
  expect(devbox?.body).toContain('What you type is stored at once.')
  const others = { ...mine, v2: false, title: null, abilities: { ...all, edit: false } }
  const sandbox = welcomeNotice('?welcome', others)
  expect(sandbox?.title).toBe('Welcome to Boxyard')
  expect(sandbox?.body).not.toContain('terminals')
  expect(sandbox?.body).toContain('as soon as you type you get a copy')
  expect(welcomeNotice('?welcome', { ...others, abilities: { ...others.abilities, fork: false } })?.body).not.toContain(
    'type you',
  )
  for (const search of ['', '?file=welcome', '?welcome=false', '?welcome=0'])
    expect(welcomeNotice(search, mine)).toBeNull()
})
