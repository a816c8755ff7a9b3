import { expect, it } from 'vitest'
import { capabilitiesOf } from './capabilities.ts'

const all = { edit: true, restart: true, rename: true, share: true }
const none = { edit: false, restart: false, rename: false, share: false }

it('follows the abilities that the server gave', () => {
  expect(capabilitiesOf({ abilities: all, v2: true, isFrozen: false })).toEqual({
    write: true,
    restartContainer: true,
    renameProject: true,
    share: true,
  })
  expect(capabilitiesOf({ abilities: none, v2: true, isFrozen: false })).toEqual({
    write: false,
    restartContainer: false,
    renameProject: false,
    share: false,
  })
})

it('restarts only what has a machine, and writes nothing that is frozen', () => {
  expect(capabilitiesOf({ abilities: all, v2: false, isFrozen: false }).restartContainer).toBe(false)
  expect(capabilitiesOf({ abilities: all, v2: true, isFrozen: true })).toEqual({
    write: false,
    restartContainer: true,
    renameProject: false,
    share: true,
  })
})
