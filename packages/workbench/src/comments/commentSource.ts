import type { Event } from '@boxyard/dev-server-client'
import type { Mentionable } from './mentions.ts'

export interface TextComment {
  id: string
  author: string
  avatarUrl: string | null
  /** Markdown. */
  body: string
  /** ISO 8601. */
  at: string
}

/** What people say about a place in a text: a comment and its replies. */
export interface TextThread {
  id: string
  /** Relative to the workspace. */
  path: string
  isResolved: boolean
  /** Whether this person may resolve it, or open it again. */
  canResolve: boolean
  canReply: boolean
  comments: readonly TextComment[]
}

/** Lines of a text, from 1, both included. */
export interface Lines {
  first: number
  last: number
}

/** Where comments on texts come from and go to. Every call that fails rejects with words for the person. */
export interface CommentSource {
  readonly id: string
  readonly label: string
  readonly threads: readonly TextThread[]
  /** Another one when threads can be begun at other places than before. */
  readonly revision: string
  readonly onDidChange: Event<void>
  /** Who can be named in a comment. */
  people(): Promise<readonly Mentionable[]>
  /** Where a thread stands in the text as it is now; undefined when its lines are gone. */
  locate(thread: TextThread, text: string): Promise<Lines | undefined>
  /** Where threads can be begun in a text of so many lines. */
  commentable(path: string, lineCount: number): Promise<readonly Lines[]>
  begin(place: { path: string; lines: Lines; text: string }, body: string): Promise<void>
  reply(threadId: string, body: string): Promise<void>
  setResolved(threadId: string, isResolved: boolean): Promise<void>
}
