import { permissionsFor } from '@boxyard/protocol'
import type { Connection } from '@boxyard/dev-server-client'
import { expect, it } from 'vitest'
import { shellRights } from './shellRights.ts'

const all = permissionsFor('write')
const joined = (shell: Partial<typeof all.shell>) =>
  ({ permissions: { ...all, shell: { ...all.shell, ...shell } } }) as Connection['joined']

it('WB970: shells are made by whom the page and the box both let', () => {
  expect(shellRights(true, { joined: joined({}) })).toMatchObject({ create: true, write: true })
  expect(shellRights(true, { joined: joined({ create: false }) })).toMatchObject({ create: false, write: true })
  expect(shellRights(true, { joined: joined({ write: false }) })).toMatchObject({ create: true, write: false })
  expect(shellRights(false, { joined: joined({}) })).toMatchObject({ create: false, write: false })
})

it('WB970: what changes while the page is open counts at once', () => {
  const connection: { joined: Connection['joined'] } = { joined: undefined }
  const rights = shellRights(true, connection)
  expect(rights.create).toBe(true)
  connection.joined = joined({ create: false })
  expect(rights.create).toBe(false)
  connection.joined = joined({})
  expect(rights.create).toBe(true)
})
