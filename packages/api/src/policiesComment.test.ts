import { describe, expect, it } from 'vitest'
import { sandboxRoles } from './policies.ts'
import { commentPolicies, commentRoleOf, commentRoles } from './policiesComment.ts'

/** The whole table once more, written by role. */
const expected = {
  none: [],
  reader: ['see'],
  commenter: ['see', 'reply'],
  writer: ['see', 'reply', 'resolve'],
  owner: ['see', 'reply', 'resolve', 'delete'],
  author: ['see', 'reply', 'resolve', 'edit', 'delete'],
} as const

describe.each(commentRoles)('AP323: to a comment the role %s', (role) => {
  it.each(commentPolicies.operations)('%s', (operation) => {
    const allowed: readonly string[] = expected[role]
    expect(commentPolicies.mayDo(role, operation)).toBe(allowed.includes(operation))
  })
})

describe('the role to a comment', () => {
  it('AP323: follows from the role to the sandbox', () => {
    expect(sandboxRoles.map((role) => commentRoleOf(role, false))).toEqual([
      'none',
      'reader',
      'commenter',
      'writer',
      'writer',
      'owner',
    ])
  })

  it('AP323: is that of its author as long as they may comment', () => {
    expect(sandboxRoles.map((role) => commentRoleOf(role, true))).toEqual([
      'none',
      'reader',
      'author',
      'author',
      'author',
      'author',
    ])
  })
})
