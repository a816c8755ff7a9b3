import type { GitArea } from '@boxyard/dev-server-client'
import type { ReviewComment, ReviewHost } from '../scm/branchHost.ts'
import type { CommentSource, Lines, TextThread } from './commentSource.ts'

/** The line comments of the branch's pull request, in the texts of the box: lines of commits are followed to where they are now. */
export function reviewSource(review: ReviewHost, git: Pick<GitArea, 'transposeLines'>): CommentSource {
  /** The line of the pull request behind each line of a text, as `commentable` found it last. */
  const linesOf = new Map<string, { commit: string; byLine: ReadonlyMap<number, number> }>()
  const firstOf = (threadId: string): ReviewComment | undefined => review.comments.find(({ id }) => id === threadId)

  return {
    id: 'review',
    label: 'Pull request',
    get threads() {
      return threadsOf(review.comments)
    },
    get revision() {
      return review.revision
    },
    onDidChange: review.onDidChange,
    // The git host tells those who are named; of them those who talk already are known here.
    people: async () =>
      [...new Set(review.comments.map(({ author }) => author))].map((username) => ({ username, name: null })),
    async locate({ id }) {
      const first = firstOf(id)
      if (!first || first.line === null) return undefined
      const [found] = await git.transposeLines([{ sha: first.commit, path: first.path, line: first.line }])
      return found?.path === first.path ? { first: found.line, last: found.line } : undefined
    },
    async commentable(path) {
      const about = await review.lines()
      const lines = about?.files.get(path)
      if (!about || !lines) {
        linesOf.delete(path)
        return []
      }
      const { commit } = about
      const found = await git.transposeLines(lines.map((line) => ({ sha: commit, path, line })))
      const byLine = new Map<number, number>()
      for (const [index, now] of found.entries()) if (now?.path === path) byLine.set(now.line, lines[index]!)
      linesOf.set(path, { commit, byLine })
      return joined([...byLine.keys()])
    },
    async begin({ path, lines }, body) {
      const known = linesOf.get(path)
      const line = known?.byLine.get(lines.last)
      if (!known || line === undefined)
        throw new Error(
          'This line is not part of the pull request. Comment on one that it changes, or that is next to one.',
        )
      await review.comment({ commit: known.commit, path, line, body })
    },
    reply: (threadId, body) => review.reply(threadId, body),
    // Git hosts with this API resolve threads on their own pages alone.
    setResolved: async () => undefined,
  }
}

/** The threads that comments make, in the order in which they were begun. */
export function threadsOf(comments: readonly ReviewComment[]): TextThread[] {
  return comments
    .filter(({ replyTo }) => replyTo === null)
    .map((first) => ({
      id: first.id,
      path: first.path,
      isResolved: false,
      canResolve: false,
      canReply: true,
      comments: [first, ...comments.filter(({ replyTo }) => replyTo === first.id)].map(({ id, author, body, at }) => ({
        id,
        author,
        avatarUrl: null,
        body,
        at,
      })),
    }))
}

/** Neighbouring lines as one range. */
export function joined(lines: readonly number[]): Lines[] {
  const ranges: Lines[] = []
  for (const line of lines.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && line <= last.last + 1) last.last = line
    else ranges.push({ first: line, last: line })
  }
  return ranges
}
