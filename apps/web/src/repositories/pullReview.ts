import type { ReviewComment, ReviewHost } from '@boxyard/workbench'
import { z } from 'zod'
import type { App } from '../App.ts'
import { diffLines } from './diffLines.ts'
import { fileSchema, pullPath } from './queries.ts'
import type { Pull } from './queries.ts'
import { replyDocument, reviewDocument } from './reviewDocuments.ts'

/** The line comments of a branch's pull request, for the editor. `take` is told what the pull request is by now. */
export function pullReview(
  { rest, graphql }: Pick<App, 'rest' | 'graphql'>,
  { owner, repo }: { owner: string; repo: string },
  refresh: () => Promise<void>,
): ReviewHost & { take(pull: Pull | undefined): void } {
  const listeners = new Set<() => void>()
  let pull: Pull | undefined
  let comments: ReviewComment[] = []
  let lines: { key: string; asked: ReturnType<ReviewHost['lines']> } | undefined

  const ask = async (document: string, variables: Record<string, unknown>): Promise<void> => {
    if (!pull) throw new Error('This branch has no pull request any more. Load the page again.')
    await graphql.query(document, {
      variables: { owner, name: repo, number: pull.number, ...variables },
      schema: z.unknown(),
    })
    await refresh()
  }
  const readLines = async (number: number, commit: string) => {
    const files = await rest.get(`${pullPath({ owner, repo, number })}/files`, { schema: z.array(fileSchema) })
    return {
      commit,
      files: new Map(
        files.map(({ path, patch }) => [path, diffLines(patch ?? '').flatMap(({ right }) => right ?? [])] as const),
      ),
    }
  }

  return {
    get comments() {
      return comments
    },
    get revision() {
      return pull ? `${pull.number} ${pull.headSha} ${pull.state}` : ''
    },
    onDidChange: (listener) => {
      const heard = () => listener()
      listeners.add(heard)
      return { dispose: () => void listeners.delete(heard) }
    },
    lines: async () => {
      if (pull?.state !== 'open') return undefined
      const key = `${pull.number} ${pull.headSha}`
      if (lines?.key !== key) {
        const asked = readLines(pull.number, pull.headSha)
        // What failed is asked for again by the next text that is opened.
        asked.catch(() => (lines = undefined))
        lines = { key, asked }
      }
      return lines.asked
    },
    comment: ({ commit, path, line, body }) =>
      ask(reviewDocument, { event: 'COMMENT', commitId: commit, comments: [{ path, line, side: 'RIGHT', body }] }),
    reply: (commentId, body) => ask(replyDocument, { commentId: Number(commentId), body }),
    take(found) {
      const before = JSON.stringify([pull?.headSha, pull?.state, comments])
      pull = found
      comments = found?.state === 'open' ? commentsOf(found) : []
      if (JSON.stringify([pull?.headSha, pull?.state, comments]) === before) return
      for (const listener of listeners) listener()
    },
  }
}

/** Those on the text as it is after the change. */
function commentsOf({ reviews }: Pull): ReviewComment[] {
  return reviews
    .flatMap(({ comments }) => comments)
    .filter(({ side }) => side !== 'LEFT')
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, inReplyToId, path, line, commitId, username, body, createdAt }) => ({
      id: String(id),
      replyTo: inReplyToId === null ? null : String(inReplyToId),
      path,
      line,
      commit: commitId,
      author: username,
      body,
      at: createdAt,
    }))
}
