import { expect, it } from 'vitest'
import { capabilitiesOf } from './capabilities.ts'

const all = { edit: true, restart: true, rename: true, share: true, fork: true, changeMachine: true }
const none = { edit: false, restart: false, rename: false, share: false, fork: false, changeMachine: false }

it('follows the abilities that the server gave', () => {
  expect(capabilitiesOf({ abilities: all, v2: true, isFrozen: false })).toEqual({
    write: true,
    restartContainer: true,
    renameProject: true,
    fork: true,
    editCopy: false,
    share: true,
    live: true,
    resize: true,
    convert: false,
  })
  expect(capabilitiesOf({ abilities: none, v2: true, isFrozen: false })).toEqual({
    write: false,
    restartContainer: false,
    renameProject: false,
    fork: false,
    editCopy: false,
    share: false,
    live: false,
    resize: false,
    convert: false,
  })
})

it('restarts only what has a machine, and writes nothing that is frozen', () => {
  expect(capabilitiesOf({ abilities: all, v2: false, isFrozen: false }).restartContainer).toBe(false)
  expect(capabilitiesOf({ abilities: all, v2: true, isFrozen: true })).toEqual({
    write: false,
    restartContainer: true,
    renameProject: false,
    fork: true,
    editCopy: true,
    share: true,
    live: true,
    resize: false,
    convert: false,
  })
})

it('AP946: lets guests into devboxes of those who may edit them or their project, and not into branches', () => {
  const live = (changed: object) =>
    capabilitiesOf({ abilities: { ...none, edit: true }, v2: true, isFrozen: false, ...changed }).live
  expect([live({}), live({ abilities: { ...none, rename: true } })]).toEqual([true, true])
  const git = { username: 'acme', repo: 'todo', branch: 'main' }
  expect([live({ v2: false }), live({ abilities: none }), live({ git })]).toEqual([false, false, false])
})

it('WB962: the size of a machine is chosen by whoever may, and that of a branch with its repository', () => {
  const resize = (changed: object) => capabilitiesOf({ abilities: all, v2: true, isFrozen: false, ...changed }).resize
  expect(resize({})).toBe(true)
  const git = { username: 'acme', repo: 'todo', branch: 'main' }
  const others = [{ v2: false }, { git }, { abilities: { ...all, changeMachine: false } }]
  expect(others.map(resize)).toEqual([false, false, false])
})

it('AP947: gives a machine to what has none, by whoever may edit it and choose its machine', () => {
  const convert = (changed: object) =>
    capabilitiesOf({ abilities: all, v2: false, isFrozen: false, ...changed }).convert
  expect(convert({})).toBe(true)
  expect([{ v2: true }, { isFrozen: true }, { abilities: { ...all, changeMachine: false } }].map(convert)).toEqual([
    false,
    false,
    false,
  ])
})

it.each([true, false])('AP939: what may not be changed is edited as a copy, with a machine: %s', (v2) => {
  const of = (abilities: typeof all, isFrozen: boolean) => capabilitiesOf({ abilities, v2, isFrozen })
  expect([of({ ...none, fork: true }, false).editCopy, of(all, true).editCopy]).toEqual([true, true])
  expect([of(all, false).editCopy, of(none, false).editCopy]).toEqual([false, false])
  expect([of(all, false).fork, of({ ...all, fork: false }, false).fork]).toEqual([true, false])
  const git = { username: 'acme', repo: 'todo', branch: 'main' }
  // A branch is not copied: another one is made of it.
  expect(capabilitiesOf({ abilities: all, v2, isFrozen: false, git }).fork).toBe(!v2)
})
