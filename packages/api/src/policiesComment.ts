import { definePolicy } from './policy.ts'
import { mayDo } from './policies.ts'
import type { SandboxRole } from './policies.ts'

/** What someone is to a comment. Its author comes last, and yet an owner of the sandbox may not put words into their mouth. */
export const commentRoles = ['none', 'reader', 'commenter', 'writer', 'owner', 'author'] as const
export type CommentRole = (typeof commentRoles)[number]

export const commentPolicy = {
  see: ['reader', 'commenter', 'writer', 'owner', 'author'],
  reply: ['commenter', 'writer', 'owner', 'author'],
  /** Say that it is dealt with, or that it is not. */
  resolve: ['writer', 'owner', 'author'],
  edit: ['author'],
  delete: ['owner', 'author'],
} as const satisfies Record<string, readonly CommentRole[]>

export type CommentOperation = keyof typeof commentPolicy

export const commentPolicies = definePolicy<CommentRole, CommentOperation>(commentRoles, commentPolicy)

/** The role that follows from what someone is to the sandbox, and from whether they wrote the comment. */
export function commentRoleOf(role: SandboxRole, isAuthor: boolean): CommentRole {
  if (!mayDo(role, 'see')) return 'none'
  if (isAuthor && mayDo(role, 'comment')) return 'author'
  if (role === 'owner') return 'owner'
  if (mayDo(role, 'edit')) return 'writer'
  return mayDo(role, 'comment') ? 'commenter' : 'reader'
}
