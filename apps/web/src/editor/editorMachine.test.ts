import { expect, it } from 'vitest'
import { createActor, waitFor } from 'xstate'
import type { Sandbox } from '../api/schemas.ts'
import { editorMachine } from './editorMachine.ts'

const abilities = { edit: true, restart: true, rename: true, share: true, fork: true, changeMachine: true }
const made = (id: string): Sandbox => ({ id, title: id, v2: true, privacy: 0, isFrozen: false, abilities })

it('fetches, renames, and fetches another one', async () => {
  const loaded: string[] = []
  const load = async (id: string) => {
    loaded.push(id)
    return made(id)
  }
  const actor = createActor(editorMachine, { input: { id: 'a', load } }).start()
  expect(actor.getSnapshot().value).toBe('FETCHING')
  await waitFor(actor, (state) => state.matches('READY'))
  actor.send({ type: 'RENAMED', title: 'New' })
  expect(actor.getSnapshot().context.sandbox?.title).toBe('New')
  actor.send({ type: 'SWITCH_DEVBOX', id: 'b' })
  expect(actor.getSnapshot().context.sandbox).toBeNull()
  await waitFor(actor, (state) => state.matches('READY'))
  expect(loaded).toEqual(['a', 'b'])
})

it('goes on with a copy without loading it', async () => {
  const loaded: string[] = []
  const load = async (id: string) => {
    loaded.push(id)
    return made(id)
  }
  const actor = createActor(editorMachine, { input: { id: 'a', load } }).start()
  await waitFor(actor, (state) => state.matches('READY'))
  actor.send({ type: 'FORKED', sandbox: made('copy') })
  expect([actor.getSnapshot().value, actor.getSnapshot().context.sandbox?.id]).toEqual(['READY', 'copy'])
  expect(loaded).toEqual(['a'])
  // What is asked for again is the copy.
  actor.send({ type: 'FETCH_SANDBOX' })
  await waitFor(actor, (state) => state.matches('READY'))
  expect(loaded).toEqual(['a', 'copy'])
})

it('keeps the error and comes out of it by another fetch', async () => {
  let fails = true
  const load = async (id: string) => {
    if (fails) throw new Error('no')
    return made(id)
  }
  const actor = createActor(editorMachine, { input: { id: 'a', load } }).start()
  const failed = await waitFor(actor, (state) => state.matches('ERROR'))
  expect(failed.context.error).toEqual(new Error('no'))
  fails = false
  actor.send({ type: 'FETCH_SANDBOX' })
  const ready = await waitFor(actor, (state) => state.matches('READY'))
  expect(ready.context.error).toBeNull()
})
