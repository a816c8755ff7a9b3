import { expect, it } from 'vitest'
import { sandboxAuthorizationSchema } from '../api/schemas.ts'
import { capabilitiesOf } from './capabilities.ts'

it('follows the level of the person', () => {
  const table = Object.fromEntries(
    sandboxAuthorizationSchema.options.map((authorization) => [
      authorization,
      Object.values(capabilitiesOf({ authorization, v2: true, isFrozen: false })),
    ]),
  )
  // write, restartContainer, renameProject
  expect(table).toEqual({
    owner: [true, true, true],
    write_code: [true, true, true],
    write_project: [false, true, true],
    comment: [false, false, false],
    read: [false, false, false],
    none: [false, false, false],
  })
})

it('restarts only what has a machine, and writes nothing that is frozen', () => {
  expect(capabilitiesOf({ authorization: 'owner', v2: false, isFrozen: false }).restartContainer).toBe(false)
  expect(capabilitiesOf({ authorization: 'owner', v2: true, isFrozen: true })).toEqual({
    write: false,
    restartContainer: true,
    renameProject: false,
  })
})
