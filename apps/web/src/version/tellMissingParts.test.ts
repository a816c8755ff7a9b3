import { NoticeStore } from '@boxyard/ui'
import { expect, it } from 'vitest'
import { tellMissingParts } from './tellMissingParts.ts'

function page(isOutdated: boolean) {
  const notices = new NoticeStore()
  const target = new EventTarget()
  let reloads = 0
  const asked = Promise.resolve(isOutdated)
  tellMissingParts(notices, { target, isOutdated: () => asked, reload: () => (reloads += 1) })
  const event = new Event('vite:preloadError', { cancelable: true })
  return {
    notices,
    reloads: () => reloads,
    miss: async () => {
      target.dispatchEvent(event)
      await asked
      return event
    },
  }
}

it('AP950: a part that is gone since the server has a newer version is told once, with the way out', async () => {
  const { notices, miss, reloads } = page(true)
  const event = await miss()
  await miss()
  // The import fails all the same: whoever waits for it must not go on without.
  expect(event.defaultPrevented).toBe(false)
  expect(notices.all()).toMatchObject([
    { title: 'A new version of Boxyard is there', actions: [{ label: 'Reload' }], tone: 'warning' },
  ])
  expect(notices.all()[0]!.timeout).toBeUndefined()
  notices.all()[0]!.actions![0]!.perform()
  expect(reloads()).toBe(1)
})

it('AP950: a part that did not come for another reason is no new version', async () => {
  const { notices, miss } = page(false)
  await miss()
  expect(notices.all()).toEqual([])
})
