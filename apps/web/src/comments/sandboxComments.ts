import type { CommentSource, TextThread } from '@boxyard/workbench'
import { mentionedIn } from '@boxyard/workbench/mentions'
import { z } from 'zod'
import { RequestError } from '../api/RequestError.ts'
import type { App } from '../App.ts'
import { anchoredLines, anchorOfLines } from './anchoredLines.ts'
import type { CodeAnchor } from './anchoredLines.ts'
import { sandboxPeople } from './sandboxPeople.ts'
import type { SandboxPerson } from './sandboxPeople.ts'

const person = `user { id username name avatarUrl }`
const threadsDocument = `query comments($sandboxId: ID!) { sandbox(sandboxId: $sandboxId) { comments {
  id content isResolved insertedAt ${person}
  anchorReference { metadata { ... on CodeReferenceMetadata { anchor head code path } } }
  comments { id content insertedAt ${person} }
} } }`
const beginDocument = `mutation comment($sandboxId: ID!, $content: String!, $anchorReference: CodeReference!, $userReferences: [UserReference!]) {
  createCodeComment(sandboxId: $sandboxId, content: $content, anchorReference: $anchorReference, userReferences: $userReferences) { id }
}`
const replyDocument = `mutation reply($sandboxId: ID!, $content: String!, $parentCommentId: ID!, $userReferences: [UserReference!]) {
  createComment(sandboxId: $sandboxId, content: $content, parentCommentId: $parentCommentId, userReferences: $userReferences) { id }
}`
const resolving = (mutation: string) =>
  `mutation resolve($sandboxId: ID!, $commentId: UUID4!) { ${mutation}(sandboxId: $sandboxId, commentId: $commentId) { id } }`

const said = {
  id: z.string(),
  content: z.string().nullable(),
  insertedAt: z.string(),
  user: z.object({
    id: z.string(),
    username: z.string(),
    name: z.string().nullable(),
    avatarUrl: z.string().nullable(),
  }),
}
const codeAnchor = z.object({ anchor: z.number(), head: z.number(), code: z.string(), path: z.string() })
const threadsSchema = z.object({
  sandbox: z
    .object({
      comments: z.array(
        z.object({
          ...said,
          isResolved: z.boolean(),
          // Comments on previews have another one.
          anchorReference: z.object({ metadata: z.union([codeAnchor, z.looseObject({})]) }).nullable(),
          comments: z.array(z.object(said)),
        }),
      ),
    })
    .nullable(),
})
type Said = z.output<z.ZodObject<typeof said>>

const events = ['commentAdded', 'commentChanged', 'commentRemoved'] as const

export interface SandboxComments extends CommentSource {
  /** From now on those of another sandbox, as when this one was forked. */
  moveTo(sandboxId: string): Promise<void>
}

/** What people say about the texts of a devbox or sandbox, kept by the platform. */
export async function sandboxComments(
  { graphql, live }: Pick<App, 'graphql' | 'live'>,
  firstId: string,
  { canComment }: { canComment: boolean },
): Promise<SandboxComments> {
  let sandboxId = firstId
  const listeners = new Set<() => void>()
  const talking = new Map<string, SandboxPerson>()
  let around: Promise<readonly SandboxPerson[]> | undefined
  const anchors = new Map<string, CodeAnchor>()
  let threads: TextThread[] = []

  const read = async (): Promise<void> => {
    const { sandbox } = await graphql.query(threadsDocument, { variables: { sandboxId }, schema: threadsSchema })
    anchors.clear()
    for (const comment of sandbox?.comments ?? [])
      for (const { user } of [comment, ...comment.comments]) talking.set(user.id, user)
    threads = (sandbox?.comments ?? []).flatMap((comment) => {
      const anchor = codeAnchor.safeParse(comment.anchorReference?.metadata).data
      if (!anchor) return []
      anchors.set(comment.id, anchor)
      return [
        {
          id: comment.id,
          path: anchor.path.replace(/^\/+/, ''),
          isResolved: comment.isResolved,
          canResolve: canComment,
          canReply: canComment,
          comments: [comment, ...comment.comments].map(shown),
        },
      ]
    })
    for (const listener of listeners) listener()
  }
  const readQuietly = (): void => {
    read().catch((error: unknown) => console.warn('The comments are as they were before', error))
  }
  const ask = async (document: string, variables: Record<string, unknown>): Promise<void> => {
    await graphql.query(document, { variables: { sandboxId, ...variables }, schema: z.unknown() })
    await read()
  }

  /** Who talks here, and who is around the sandbox. */
  const people = async (): Promise<readonly SandboxPerson[]> => {
    around ??= sandboxPeople(graphql, sandboxId)
    // Asked again when somebody wants to name somebody once more.
    around.catch(() => (around = undefined))
    const known = new Map(talking)
    for (const person of await around) known.set(person.id, person)
    return [...known.values()]
  }
  const named = async (body: string) => {
    if (!body.includes('@')) return {}
    const userReferences = mentionedIn(body, await people()).map(({ id, username }) => ({ userId: id, username }))
    return userReferences.length === 0 ? {} : { userReferences }
  }

  let stops: (() => void)[] = []
  const stop = () => {
    for (const end of stops.splice(0)) end()
  }
  const follow = () => {
    stops = events.map((event) =>
      live.follow({
        document: `subscription comments($sandboxId: ID!) { ${event}(sandboxId: $sandboxId) { id } }`,
        variables: { sandboxId },
        onEvent: readQuietly,
        onFollowed: readQuietly,
      }),
    )
  }

  await read().catch((error: unknown) => {
    // They are read when the server is back.
    if (!canComment || !(error instanceof RequestError) || error.status !== 0) throw error
    console.warn('There are no comments to show yet', error)
  })
  if (canComment) {
    follow()
    window.addEventListener('pagehide', stop)
  }

  return {
    moveTo: async (id) => {
      if (id === sandboxId) return
      sandboxId = id
      stop()
      if (canComment) follow()
      await read()
    },
    id: 'comments',
    label: 'Comments',
    people,
    get threads() {
      return threads
    },
    // Every line can be commented on at any time.
    revision: '',
    onDidChange: (listener) => {
      const heard = () => listener()
      listeners.add(heard)
      return { dispose: () => void listeners.delete(heard) }
    },
    locate: async ({ id }, text) => {
      const anchor = anchors.get(id)
      return anchor && anchoredLines(text, anchor)
    },
    commentable: async (_path, lineCount) => (canComment ? [{ first: 1, last: lineCount }] : []),
    begin: async ({ path, lines, text }, body) =>
      ask(beginDocument, {
        content: body,
        ...(await named(body)),
        anchorReference: { ...anchorOfLines(text, lines), path, lastUpdatedAt: new Date().toISOString() },
      }),
    reply: async (parentCommentId, body) =>
      ask(replyDocument, { parentCommentId, content: body, ...(await named(body)) }),
    setResolved: (commentId, isResolved) =>
      ask(resolving(isResolved ? 'resolveComment' : 'unresolveComment'), { commentId }),
  }
}

function shown({ id, content, insertedAt, user }: Said) {
  return {
    id,
    author: user.name ?? user.username,
    avatarUrl: user.avatarUrl,
    body: content ?? '',
    // The query API says moments without a zone, and means UTC.
    at: /[zZ]|[+-]\d\d:?\d\d$/.test(insertedAt) ? insertedAt : `${insertedAt}Z`,
  }
}
