import { permissionsFor } from '@boxyard/protocol'
import { expect, it } from 'vitest'
import { aiAbilities } from './aiAbilities.ts'

const none = { chat: false, suggestCommit: false, selection: false }
const permissions = permissionsFor('write')

it('WB941: nothing of AI is offered before the box is joined, while it says of none, and to who may not ask', () => {
  expect(aiAbilities(undefined)).toEqual(none)
  expect(aiAbilities({ capabilities: {}, permissions })).toEqual(none)
  expect(aiAbilities({ capabilities: { ai: { chat: 0, suggestCommit: 0, raw: 0 } }, permissions })).toEqual(none)
  const capabilities = { ai: { chat: 1, suggestCommit: 1, raw: 1 } }
  expect(aiAbilities({ capabilities, permissions: permissionsFor('read') })).toEqual(none)
  const { ai: _unknown, ...older } = permissions
  expect(aiAbilities({ capabilities, permissions: older })).toEqual(none)
})

it('WB941: each is offered by itself', () => {
  expect(aiAbilities({ capabilities: { ai: { suggestCommit: 1 } }, permissions })).toEqual({
    ...none,
    suggestCommit: true,
  })
  expect(aiAbilities({ capabilities: { ai: { chat: 1 } }, permissions })).toEqual({ ...none, chat: true })
  expect(aiAbilities({ capabilities: { ai: { raw: 1 } }, permissions })).toEqual({ ...none, selection: true })
})
