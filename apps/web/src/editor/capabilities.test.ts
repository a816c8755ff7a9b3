import { expect, it } from 'vitest'
import { capabilitiesOf } from './capabilities.ts'

const all = { edit: true, restart: true, rename: true, share: true, fork: true }
const none = { edit: false, restart: false, rename: false, share: false, fork: false }

it('follows the abilities that the server gave', () => {
  expect(capabilitiesOf({ abilities: all, v2: true, isFrozen: false })).toEqual({
    write: true,
    restartContainer: true,
    renameProject: true,
    editCopy: false,
    share: true,
  })
  expect(capabilitiesOf({ abilities: none, v2: true, isFrozen: false })).toEqual({
    write: false,
    restartContainer: false,
    renameProject: false,
    editCopy: false,
    share: false,
  })
})

it('restarts only what has a machine, and writes nothing that is frozen', () => {
  expect(capabilitiesOf({ abilities: all, v2: false, isFrozen: false }).restartContainer).toBe(false)
  expect(capabilitiesOf({ abilities: all, v2: true, isFrozen: true })).toEqual({
    write: false,
    restartContainer: true,
    renameProject: false,
    editCopy: false,
    share: true,
  })
})

it('lets a copy be edited of a sandbox without a machine that may not be changed', () => {
  const editsCopy = (abilities: typeof all, isFrozen: boolean, v2 = false) =>
    capabilitiesOf({ abilities, v2, isFrozen }).editCopy
  expect([editsCopy({ ...none, fork: true }, false), editsCopy(all, true)]).toEqual([true, true])
  expect([editsCopy(all, false), editsCopy(none, false), editsCopy(all, true, true)]).toEqual([false, false, false])
})
