import { Emitter, type Connection } from '@boxyard/dev-server-client'
import { expect, it } from 'vitest'
import type { ServerLinkState } from './ServerLink.ts'
import { watchEnabling } from './watchEnabling.ts'

/** A connection whose rights, and a link whose state, the test plays. */
function page(state: ServerLinkState | undefined) {
  const joins = new Emitter<never>()
  const permissions = new Emitter<never>()
  const changes = new Emitter<void>()
  const connection = { joined: null as unknown, onDidJoin: joins.event, onDidChangePermissions: permissions.event }
  const link = state && { state, onDidChange: changes.event }
  const told: boolean[] = []
  watchEnabling(connection as unknown as Connection, link, (isOffered) => void told.push(isOffered))
  const rights = (createTerminate: boolean, create: boolean) => {
    connection.joined = { capabilities: { shell: { createTerminate } }, permissions: { shell: { create } } }
  }
  return {
    told,
    join(createTerminate: boolean, create: boolean) {
      rights(createTerminate, create)
      joins.fire(undefined as never)
    },
    permit(create: boolean) {
      rights(true, create)
      permissions.fire(undefined as never)
    },
    become(next: ServerLinkState) {
      if (link) link.state = next
      changes.fire()
    },
  }
}

it('WB850: the button is there for who may use the shell of a box that has one, as long as they may', () => {
  const { told, join, permit } = page(undefined)
  join(false, true)
  join(true, false)
  join(true, true)
  permit(false)
  permit(true)
  expect(told).toEqual([false, false, false, true, false, true])
})

it('WB1035: with a server that is connected, or waited for, there is no button; with one that has ended there is', () => {
  const { told, join, become } = page('connected')
  join(true, true)
  become('away')
  become('ended')
  expect(told).toEqual([false, false, false, true])
})
