import { expect, it } from 'vitest'
import { createActor, SimulatedClock, waitFor } from 'xstate'
import { reloadDelay } from '../editor/boxMachine.ts'
import { editorVersionMachine } from './editorVersionMachine.ts'
import type { VersionPorts, VersionReport } from './editorVersionMachine.ts'
import { versionNotice, versionStatus } from './versionNotice.ts'

function scene(clear: VersionPorts['clear'] = () => Promise.resolve()) {
  const seen = { checks: 0, over: 0, reloads: 0, restarts: 0 }
  let report: (found: VersionReport) => void = () => {}
  const clock = new SimulatedClock()
  const actor = createActor(editorVersionMachine, {
    clock,
    input: {
      check: (send) => {
        seen.checks += 1
        report = send
        return () => (seen.over += 1)
      },
      clear,
      reload: () => (seen.reloads += 1),
    },
  }).start()
  return {
    actor,
    clock,
    seen,
    status: () => versionStatus(actor.getSnapshot()),
    report: (found: VersionReport) => report(found),
    notice: (mayRestart = true) =>
      versionNotice(versionStatus(actor.getSnapshot()), {
        reload: () => actor.send({ type: 'RELOAD' }),
        clearCache: () => actor.send({ type: 'CLEAR_CACHE' }),
        restart: mayRestart ? () => (seen.restarts += 1) : undefined,
        reason: actor.getSnapshot().context.reason,
      }),
  }
}

const labels = (notice: ReturnType<ReturnType<typeof scene>['notice']>) => notice?.actions?.map(({ label }) => label)

it('AP951: nothing is said while it is looked for a newer editor, and of the first one that is kept', () => {
  const { actor, status, report, notice, seen } = scene()
  expect([status(), seen.checks]).toEqual(['latest', 0])
  actor.send({ type: 'CHECK' })
  expect([status(), notice()]).toEqual(['checking', null])
  report({ type: 'INSTALLING' })
  expect([status(), notice()]).toEqual(['installing', null])
  report({ type: 'UPDATING' })
  expect([status(), notice()]).toEqual(['updating', null])
  // Looked at anew, since something happened.
  actor.send({ type: 'CHECK' })
  expect(seen).toMatchObject({ checks: 2, over: 1 })
  report({ type: 'LATEST' })
  expect([status(), notice()]).toEqual(['latest', null])
})

it('AP951: a newer editor is said until the page is reloaded, a second after the person asks for that', () => {
  const { actor, clock, status, report, notice, seen } = scene()
  actor.send({ type: 'CHECK' })
  report({ type: 'UPDATED' })
  actor.send({ type: 'CHECK' })
  expect([status(), seen.checks]).toEqual(['updated', 1])
  expect(notice()).toMatchObject({ title: 'A new version of the editor is there' })
  expect([labels(notice()), notice()?.timeout]).toEqual([['Reload'], undefined])
  notice()!.actions![0]!.perform()
  expect([status(), notice()?.title]).toEqual(['reloading', 'Updating the editor'])
  clock.increment(reloadDelay - 1)
  expect(seen.reloads).toBe(0)
  clock.increment(1)
  expect([reloadDelay, seen.reloads]).toEqual([1000, 1])
})

it('AP951: an editor that could not be fetched is cleared and loaded anew', async () => {
  let isRefused = true
  const { actor, clock, status, report, notice, seen } = scene(async () => {
    if (isRefused) throw new Error('The browser did not let go of it')
  })
  actor.send({ type: 'CHECK' })
  report({ type: 'UPDATE_FAILED', reason: 'Its files could not be fetched or kept' })
  expect(status()).toBe('updateError')
  expect(notice()).toMatchObject({ tone: 'error', body: expect.stringContaining('Its files could not be fetched') })
  expect(labels(notice())).toEqual(['Clear cache and reload'])
  notice()!.actions![0]!.perform()
  await waitFor(actor, (state) => state.matches({ EDITOR: 'UPDATE_ERROR' }))
  expect(notice()?.body).toContain('did not let go of it')
  isRefused = false
  notice()!.actions![0]!.perform()
  await waitFor(actor, (state) => state.matches({ EDITOR: 'RELOADING' }))
  clock.increment(reloadDelay)
  expect(seen.reloads).toBe(1)
})

it('AP952: a newer microVM is said to whoever may restart it, and with a newer editor as one', () => {
  const { actor, status, report, notice, seen } = scene()
  actor.send({ type: 'MICROVM', isOld: true })
  expect([status(), labels(notice()), notice(false)]).toEqual(['newMicroVm', ['Restart microVM'], null])
  notice()!.actions![0]!.perform()
  expect(seen.restarts).toBe(1)
  actor.send({ type: 'CHECK' })
  expect(status()).toBe('newMicroVm')
  report({ type: 'UPDATED' })
  expect([status(), labels(notice()), labels(notice(false))]).toEqual([
    'bothUpdated',
    ['Restart microVM', 'Reload only'],
    ['Reload'],
  ])
  // Somebody else has restarted it.
  actor.send({ type: 'MICROVM', isOld: false })
  expect(status()).toBe('updated')
})
