import { describe, expect, it } from 'vitest'
import { abilitiesOf, mayDo, sandboxOperations, sandboxPolicy, sandboxRoles, strongerRole } from './policies.ts'

const read = ['see', 'open', 'fork', 'export'] as const
const comment = [...read, 'comment', 'seeCollaborators'] as const
const project = [...comment, 'edit', 'restart', 'rename', 'secrets', 'startLiveSession'] as const
const code = [...project, 'vscode', 'makeTemplate', 'move', 'changeMachine'] as const

/** The whole table once more, written by role, so that a changed cell shows in two places. */
const expected = {
  none: [],
  read,
  comment,
  write_project: project,
  write_code: code,
  owner: [...code, 'changePrivacy', 'freeze', 'protect', 'consent', 'share', 'delete'],
} as const

describe.each(sandboxRoles)('AP1: the role %s', (role) => {
  it.each(sandboxOperations)('%s', (operation) => {
    const allowed: readonly string[] = expected[role]
    expect(mayDo(role, operation)).toBe(allowed.includes(operation))
    expect(abilitiesOf(role)[operation]).toBe(allowed.includes(operation))
  })
})

describe('the policy of sandboxes', () => {
  it('AP2: never allows a weaker role what it refuses a stronger one', () => {
    for (const [operation, roles] of Object.entries(sandboxPolicy)) {
      const weakest = Math.min(...roles.map((role) => sandboxRoles.indexOf(role)))
      expect([operation, roles]).toEqual([operation, sandboxRoles.slice(weakest)])
    }
  })

  it('AP3: takes the stronger of two roles', () => {
    expect(strongerRole('read', 'write_code')).toBe('write_code')
    expect(strongerRole('owner', 'none')).toBe('owner')
  })
})
