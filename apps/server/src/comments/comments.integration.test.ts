import { eq } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outbox, sandboxCollaborators } from '../database/schema.ts'
import { ask, failureOf, valueOf } from '../testing/ask.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { recordingMachines } from '../testing/machines.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { connectSocket } from '../testing/socketClient.ts'
import { writeTemplates } from '../testing/templates.ts'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const templates = writeTemplates({ node: { title: 'Node' } })
let server: TestServer
let owner: TestBrowser
let guest: TestBrowser
let stranger: TestBrowser
let ids: { owner: string; guest: string }
let sandbox: string

const create = `mutation ($content: String!, $sandbox: ID!, $parent: ID, $users: [UserReference!], $images: [ImageReference!], $id: ID) {
  createComment(content: $content, sandboxId: $sandbox, parentCommentId: $parent, userReferences: $users, imageReferences: $images, id: $id) {
    id content isRead isResolved replyCount user { username } sandbox { id } parentComment { id }
    references { type resource metadata { __typename ... on ImageReferenceMetadata { fileName url } ... on UserReferenceMetadata { username } } }
  }
}`
interface Comment {
  id: string
  content: string
  isRead: boolean
  replyCount: number
  parentComment: { id: string } | null
  references: { type: string; metadata: { url?: string; username?: string } }[]
}
const write = (browser: TestBrowser, content: string, more: object = {}) =>
  valueOf<Comment>(browser, create, { content, sandbox, ...more })

beforeAll(async () => {
  const machines = async () => ({ service: recordingMachines(), close: async () => undefined })
  server = await startTestServer({}, { machines, templatesFolder: templates.folder })
  owner = await server.signedIn('owner')
  guest = await server.signedIn('guest')
  stranger = await server.signedIn('stranger')
  const idOf = async (browser: TestBrowser) => (await valueOf<{ id: string }>(browser, '{ me { id } }')).id
  ids = { owner: await idOf(owner), guest: await idOf(guest) }
  const answer = await owner.call('POST', '/api/v1/sandboxes/node/fork', { privacy: 0 })
  sandbox = (answer.body as { data: { id: string } }).data.id
  await server.context.database
    .insert(sandboxCollaborators)
    .values({ id: randomUUID(), sandboxId: sandbox, userId: ids.guest, authorization: 'comment' })
})
afterAll(async () => {
  await server.close()
  templates.remove()
})

describe('comments', () => {
  it('AP320: are written, answered, found and counted', async () => {
    const comment = await write(owner, 'What is this?')
    const reply = await write(owner, 'An answer', { parent: comment.id })
    const deeper = await write(owner, 'An answer to it', { parent: reply.id })
    expect(deeper.parentComment).toEqual({ id: comment.id })
    const query = `query ($id: ID!, $comment: UUID4!) { sandbox(sandboxId: $id) {
      comments { id replyCount } comment(commentId: $comment) { comments { content } } } }`
    expect(await valueOf(owner, query, { id: sandbox, comment: comment.id })).toMatchObject({
      comments: [{ id: comment.id, replyCount: 2 }],
      comment: { comments: [{ content: 'An answer' }, { content: 'An answer to it' }] },
    })
  })

  it('AP321: point at code and at a spot of the preview', async () => {
    const code = { anchor: 3, head: 9, code: 'const a', path: '/src/a.ts', lastUpdatedAt: '2026-01-01' }
    const anchored = `mutation ($sandbox: ID!, $code: CodeReference!) {
      createCodeComment(content: "Why?", sandboxId: $sandbox, anchorReference: $code) {
        references { id } anchorReference { type metadata { ... on CodeReferenceMetadata { path anchor head code sandboxId } } } } }`
    expect(await valueOf(owner, anchored, { sandbox, code })).toEqual({
      references: [],
      anchorReference: {
        type: 'code',
        metadata: { path: '/src/a.ts', anchor: 3, head: 9, code: 'const a', sandboxId: sandbox },
      },
    })
    const spot = { height: 10, width: 20, x: 1, y: 2, previewPath: '/', userAgent: 'test', screenshotSrc: PIXEL }
    const seen = `mutation ($sandbox: ID!, $spot: PreviewReference!) {
      createPreviewComment(content: "Here", sandboxId: $sandbox, anchorReference: $spot) {
        anchorReference { type metadata { ... on PreviewReferenceMetadata { width x screenshotUrl } } } } }`
    const { anchorReference } = await valueOf<{ anchorReference: { metadata: { screenshotUrl: string } } }>(
      owner,
      seen,
      { sandbox, spot },
    )
    expect(anchorReference).toMatchObject({ type: 'preview', metadata: { width: 20, x: 1 } })
    const screenshot = await stranger.request(anchorReference.metadata.screenshotUrl)
    expect([screenshot.status, screenshot.headers['content-type']]).toEqual([200, 'image/png'])
  })

  it('AP322: keep images and refuse what is none, and addresses of other sites', async () => {
    const images = [{ fileName: 'a.png', resolution: [1, 1], src: `data:image/png;base64,${PIXEL}` }]
    const { references } = await write(owner, 'Look', { images })
    expect(references).toMatchObject([{ type: 'image', metadata: { __typename: 'ImageReferenceMetadata' } }])
    const url = references[0]!.metadata.url!
    expect(
      (await write(owner, 'Again', { images: [{ fileName: 'a.png', resolution: [1, 1], url }] })).references,
    ).toHaveLength(1)
    for (const image of [
      { src: Buffer.from('<svg onload="alert(1)"/>').toString('base64') },
      { url: 'https://elsewhere.test/pixel.png' },
      { url: '' },
    ]) {
      const refused = { content: 'x', sandbox, images: [{ fileName: 'a', resolution: [1, 1], ...image }] }
      expect(await failureOf(owner, create, refused)).toBe('INVALID_INPUT')
    }
  })

  it('AP323: are for whoever may comment; only their author changes them, and the owner may remove them', async () => {
    expect(await failureOf(server.browser(), create, { content: 'x', sandbox })).toBe('UNAUTHENTICATED')
    expect(await failureOf(stranger, create, { content: 'x', sandbox })).toBe('FORBIDDEN')
    expect(await failureOf(owner, create, { content: '  ', sandbox })).toBe('INVALID_INPUT')
    const { id } = await write(guest, 'From a guest')
    const change = `mutation ($id: UUID4!, $sandbox: ID!) { updateComment(commentId: $id, sandboxId: $sandbox, content: "Changed") { content } }`
    const resolve = `mutation ($id: UUID4!, $sandbox: ID!) { resolveComment(commentId: $id, sandboxId: $sandbox) { isResolved } }`
    const remove = `mutation ($id: UUID4!, $sandbox: ID!) { deleteComment(commentId: $id, sandboxId: $sandbox) { id } }`
    expect(await failureOf(owner, change, { id, sandbox })).toBe('FORBIDDEN')
    expect(await failureOf(stranger, remove, { id, sandbox })).toBe('FORBIDDEN')
    expect(await valueOf(guest, change, { id, sandbox })).toEqual({ content: 'Changed' })
    expect(await valueOf(owner, resolve, { id, sandbox })).toEqual({ isResolved: true })
    const ownId = (await write(owner, 'Mine')).id
    expect(await failureOf(guest, resolve, { id: ownId, sandbox })).toBe('FORBIDDEN')
    expect(await failureOf(owner, create, { content: 'x', sandbox, id: ownId })).toBe('CONFLICT')
    expect(await valueOf(owner, remove, { id, sandbox })).toEqual({ id })
    expect(await failureOf(owner, remove, { id, sandbox })).toBe('NOT_FOUND')
  })

  it('AP324: tell each person once, for the strongest reason, and write to those who want mails', async () => {
    const mails = async () =>
      (await server.context.database.select().from(outbox).where(eq(outbox.channel, 'mail'))).length
    const bell = async (browser: TestBrowser) =>
      valueOf<{ notifications: { type: string; data: string }[] }>(browser, '{ me { notifications { type data } } }')
    const before = await mails()
    await write(guest, 'Hello', { users: [{ userId: ids.owner, username: 'someone else' }] })
    const [newest] = (await bell(owner)).notifications
    expect(newest!.type).toBe('mention')
    expect(JSON.parse(newest!.data)).toMatchObject({ sandbox_id: sandbox, author_name: 'guest' })
    expect(await mails()).toBe(before + 1)

    await ask(owner, 'mutation { updateNotificationPreferences(emailNewComment: false) { emailNewComment } }')
    await write(guest, 'Quiet')
    expect((await bell(owner)).notifications[0]!.type).toBe('comment')
    expect(await mails()).toBe(before + 1)
  })

  it('AP325: reach those who follow the sandbox, also when they are removed', async () => {
    const client = await connectSocket(server, guest)
    const id = { id: sandbox }
    const added = await client.follow(
      'subscription ($id: ID!) { commentAdded(sandboxId: $id) { id content user { username } } }',
      id,
    )
    const changed = await client.follow(
      'subscription ($id: ID!) { commentChanged(sandboxId: $id) { id isResolved } }',
      id,
    )
    const removed = await client.follow(
      'subscription ($id: ID!) { commentRemoved(sandboxId: $id) { id content insertedAt } }',
      id,
    )
    const comment = await write(owner, 'Live')
    expect(await added.next()).toEqual({
      data: { commentAdded: { id: comment.id, content: 'Live', user: { username: 'owner' } } },
    })
    const address = `commentId: "${comment.id}", sandboxId: "${sandbox}"`
    await ask(owner, `mutation { resolveComment(${address}) { id } }`)
    expect(await changed.next()).toEqual({ data: { commentChanged: { id: comment.id, isResolved: true } } })
    await ask(owner, `mutation { deleteComment(${address}) { id } }`)
    expect(await removed.next()).toMatchObject({ data: { commentRemoved: { id: comment.id, content: 'Live' } } })
    client.close()
  })
})
