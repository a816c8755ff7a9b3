import { apiErrors } from '@boxyard/api'
import { randomUUID } from 'node:crypto'
import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import type { GraphQLArgument, GraphQLField, GraphQLInputType } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestBrowser } from '../testing/browser.ts'
import { connectGitHost } from '../testing/localGitHost.ts'
import { recordingMachines } from '../testing/machines.ts'
import { contentOf, createMarkedWorkspace, MARK, MARKED_REPOSITORY } from '../testing/markedWorkspace.ts'
import type { MarkedWorkspace } from '../testing/markedWorkspace.ts'
import { selectionOf } from '../testing/selectionOf.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { writeTemplates } from '../testing/templates.ts'
import { createGraphqlSchema } from './schema.ts'

const schema = createGraphqlSchema()
const queries = Object.values(schema.getQueryType()!.getFields())
/** What ends something comes last, so that the others find what they work on. */
const ends = /^(?:delete|permanently|leave|remove|revoke|reject|unmake)/
const mutations = Object.values(schema.getMutationType()!.getFields()).toSorted(
  (a, b) =>
    Number(ends.test(a.name)) - Number(ends.test(b.name)) ||
    Number(a.name === 'deleteWorkspace') - Number(b.name === 'deleteWorkspace'),
)

const templates = writeTemplates({ node: { title: 'Node' } })
let server: TestServer
const people = {} as Record<'owner' | 'member' | 'stranger' | 'anonymous', TestBrowser>
const known: Record<string, unknown> = {}
let workspace: MarkedWorkspace

async function ask(browser: TestBrowser, query: string, variables: object = {}) {
  const { status, body } = await browser.call('POST', '/api/graphql', { query, variables })
  return { status, body: body as { data?: Record<string, unknown> | null; errors?: { message: string }[] } }
}

beforeAll(async () => {
  server = await startTestServer(
    {},
    {
      machines: async () => ({ service: recordingMachines(), close: async () => undefined }),
      templatesFolder: templates.folder,
    },
  )
  people.owner = await server.signedIn('owner')
  people.member = await server.signedIn('member')
  people.stranger = await server.signedIn('stranger')
  people.anonymous = server.browser()
  // What is asked of the git host would hide the rest of an answer with its refusal.
  for (const browser of [people.owner, people.member, people.stranger]) await connectGitHost(browser, 'private_repos')
  await makeWorkspace()
})
afterAll(async () => {
  await server.close()
  templates.remove()
})

/** A workspace that from now on every argument names. */
async function makeWorkspace(): Promise<void> {
  workspace = await createMarkedWorkspace(server.context.database, people.owner, { privacy: 2 })
  const { teamId, sandboxId, memberId, ownerId, ...ids } = workspace
  Object.assign(known, ids, {
    teamId,
    team: teamId,
    newTeamId: teamId,
    workspaceId: teamId,
    primaryWorkspaceId: teamId,
    sandboxId,
    sandboxIds: [sandboxId],
    vmId: sandboxId,
    userId: memberId,
    authorId: ownerId,
    parentCommentId: ids.commentId,
    username: 'member',
    email: 'somebody@example.test',
    owner: teamId,
    repo: MARKED_REPOSITORY,
    branch: MARKED_REPOSITORY,
    path: `/${MARK}`,
    collectionPath: `/${MARK}`,
    newPath: `/${MARK}/further`,
    field: 'title',
  })
}

/** What single fields call by a name that means something else elsewhere. */
const knownOf: Record<string, (workspace: MarkedWorkspace) => Record<string, unknown>> = {
  updateAlbum: ({ albumId }) => ({ id: albumId }),
  deleteAlbum: ({ albumId }) => ({ id: albumId }),
  branchById: ({ branchId }) => ({ id: branchId }),
  deleteBranch: ({ branchId }) => ({ id: branchId }),
  deleteProjectById: ({ projectId }) => ({ id: projectId }),
  createComment: () => ({ id: randomUUID() }),
  createCodeComment: () => ({ id: randomUUID() }),
  createPreviewComment: () => ({ id: randomUUID() }),
  git: () => ({ path: '' }),
  ...Object.fromEntries(
    [
      'deleteGithubPullRequestReviewComment',
      'replyToGithubPullRequestReview',
      'updateGithubPullRequestReviewComment',
    ].map((name) => [name, () => ({ commentId: 1 })]),
  ),
  ...Object.fromEntries(
    ['branchByName', 'projects', 'recentTeamsByRepository', 'importBranch', 'importProject', 'deleteProject'].map(
      (name) => [name, () => ({ name: MARKED_REPOSITORY })],
    ),
  ),
}

/** A value for an argument: what it is called decides, else its type. */
function valueOf(name: string, type: GraphQLInputType, text = 'text'): unknown {
  if (isNonNullType(type)) return valueOf(name, type.ofType, text)
  if (name in known && text === 'text') return known[name]
  if (isListType(type)) return [valueOf(name, type.ofType, text)]
  if (isEnumType(type)) return type.getValues()[0]!.name
  if (isInputObjectType(type)) {
    return Object.fromEntries(
      Object.values(type.getFields()).map((field) => [field.name, valueOf(field.name, field.type, text)]),
    )
  }
  const named: Record<string, unknown> = {
    Int: 1,
    Boolean: true,
    // An id that names a sandbox or a workspace, whatever the argument is about.
    ID: /^(?:id|.*[sS]andbox.*)$/.test(name) ? workspace.sandboxId : workspace.teamId,
    UUID4: workspace.teamId,
    Base64: 'AAAA',
    DateTime: '2026-01-01T00:00:00Z',
  }
  return named[getNamedType(type).name] ?? text
}

/** One operation for a root field: with all its arguments or the required ones, with all fields down to a depth or the least. */
function operation(
  kind: 'query' | 'mutation',
  field: GraphQLField<unknown, unknown>,
  { all, text }: { all: boolean; text?: string },
): { query: string; variables: object } {
  const args = field.args.filter(({ type }) => all || isNonNullType(type))
  const declared = args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ')
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ')
  const selection = selectionOf(getNamedType(field.type), all ? 2 : 0)
  const special = text === undefined ? knownOf[field.name]?.(workspace) : undefined
  const valueFor = ({ name, type }: GraphQLArgument) => special?.[name] ?? valueOf(name, type, text)
  return {
    query: `${kind} ${declared && `(${declared})`} { ${field.name}${passed && `(${passed})`} ${selection} }`,
    variables: Object.fromEntries(args.map((argument) => [argument.name, valueFor(argument)])),
  }
}

const contentOfWorkspace = () => contentOf(server.context.database, workspace)

const hostile = {
  'a statement of SQL': "'; drop table users; --",
  'what no row can hold': '\u0000',
  'half a character': '\ud800',
  'words of templates': '${7*7}{{7*7}}',
  'a path that leads elsewhere': '../../../../etc/passwd',
  'very much that reads backwards': `${'\u202e'}${'x'.repeat(100_000)}`,
}

function expectClear(label: string, answer: Awaited<ReturnType<typeof ask>>): void {
  expect([label, answer.status]).toEqual([label, 200])
  const messages = (answer.body.errors ?? []).map(({ message }) => message)
  // What the document itself is refused for would mean that nothing was asked.
  const own = messages.filter(
    (message) =>
      message === apiErrors.INTERNAL.message || /^(?:The operation|Cannot|Variable|Field|Unknown)/.test(message),
  )
  expect([label, own]).toEqual([label, []])
}

describe.each(['anonymous', 'stranger', 'member', 'owner'] as const)('AP13: every operation, as %s', (who) => {
  const isOutsider = who === 'anonymous' || who === 'stranger'

  it.each([
    ['the least', false],
    ['everything', true],
  ] as const)(
    'answers queries for %s without a failure of its own, and outsiders nothing of the workspace',
    async (_label, all) => {
      const shown: string[] = []
      for (const field of queries) {
        const { query, variables } = operation('query', field, { all })
        const answer = await ask(people[who], query, variables)
        expectClear(field.name, answer)
        if (JSON.stringify(answer.body.data ?? {}).includes(MARK)) shown.push(field.name)
      }
      if (isOutsider) expect(shown).toEqual([])
      // What outsiders are not shown is really there to be seen.
      else if (all)
        expect(shown).toEqual(expect.arrayContaining(['branchById', 'branchByName', 'me', 'project', 'sandbox']))
    },
  )

  it.each(Object.entries(hostile))('refuses hostile text in every argument clearly: %s', async (_label, text) => {
    await makeWorkspace()
    const before = await contentOfWorkspace()
    const marked = text.slice(0, 20)
    for (const field of queries.filter(({ args }) => args.length > 0)) {
      const { query, variables } = operation('query', field, { all: true, text })
      expectClear(`${field.name} ${marked}`, await ask(people[who], query, variables))
    }
    expect(await contentOfWorkspace()).toEqual(before)
    for (const field of mutations.filter(({ args }) => args.length > 0)) {
      const { query, variables } = operation('mutation', field, { all: true, text })
      expectClear(`${field.name} ${marked}`, await ask(people[who], query, variables))
    }
    if (who !== 'owner') expect(await contentOfWorkspace()).toEqual(before)
  })

  it.each([
    ['the least', false],
    ['everything', true],
  ] as const)('answers mutations for %s without a failure of its own', async (_label, all) => {
    await makeWorkspace()
    const before = await contentOfWorkspace()
    for (const field of mutations) {
      const { query, variables } = operation('mutation', field, { all })
      const answer = await ask(people[who], query, variables)
      expectClear(field.name, answer)
      if (isOutsider)
        expect([field.name, JSON.stringify(answer.body.data ?? {})]).toEqual([
          field.name,
          expect.not.stringContaining(MARK),
        ])
    }
    // A reader changes nothing of it either, whatever the arguments name.
    if (who === 'owner') expect(await contentOfWorkspace()).not.toEqual(before)
    else expect(await contentOfWorkspace()).toEqual(before)
  })
})

/** Values that an argument of each type can not have. */
const wrong: Record<string, unknown[]> = {
  String: [7, {}, true],
  Int: ['x', 1.5, 2 ** 40, {}],
  Boolean: ['yes', 1, {}],
  ID: [{}, true, 1.5],
  UUID4: ['x', 7, {}],
  Base64: ['###', 1, {}],
  DateTime: ['x', 7, {}],
}
const wrongFor = (type: GraphQLInputType): unknown[] => {
  const named = getNamedType(type)
  if (isEnumType(named)) return ['NOTHING', 7, {}]
  if (isInputObjectType(named)) return [7, 'x', { nothing: 1 }]
  return wrong[named.name]!
}

describe('AP13: a value of another type', () => {
  it.each([
    ['query', queries],
    ['mutation', mutations],
  ] as const)('in any argument of a %s runs nothing and is said clearly', async (kind, fields) => {
    await makeWorkspace()
    const before = await contentOfWorkspace()
    for (const field of fields) {
      for (const { name, type } of field.args) {
        for (const value of wrongFor(type)) {
          const { query, variables } = operation(kind, field, { all: true })
          const { status, body } = await ask(people.owner, query, { ...variables, [name]: value })
          const label = `${field.name}(${name}: ${JSON.stringify(value)})`
          expect([label, status, body.data ?? null]).toEqual([label, 200, null])
          expect([label, body.errors?.[0]?.message]).toEqual([label, expect.stringContaining(`$${name}`)])
        }
      }
    }
    expect(await contentOfWorkspace()).toEqual(before)
  })
})

describe('AP853: a public sandbox', () => {
  it.each(['anonymous', 'stranger'] as const)(
    'shows nothing of its workspace that is for members only, however deep it is asked: %s',
    async (who) => {
      const open = await createMarkedWorkspace(server.context.database, people.owner, { privacy: 0 })
      const type = schema.getType('Sandbox')
      if (!isObjectType(type)) throw new Error('Sandbox is no object type')
      const inner = Object.values(type.getFields()).filter(
        ({ args, type }) => !isLeafType(getNamedType(type)) && args.every((argument) => !isNonNullType(argument.type)),
      )
      const ways = inner.map(({ name, type }) => `${name} ${selectionOf(getNamedType(type), 2)}`)
      let seen = 0
      for (const [from, part] of [
        ...ways.map((way) => [`sandbox(sandboxId: "${open.sandboxId}")`, `{ title ${way} }`] as const),
        [`album(albumId: "${open.albumId}")`, selectionOf(schema.getType('Album')!, 2)] as const,
      ]) {
        const answer = await ask(people[who], `{ ${from} ${part} }`)
        expectClear(part, answer)
        const text = JSON.stringify(answer.body.data)
        if (text.includes('For everybody')) seen += 1
        // The name of the workspace that a public sandbox is from stands beside it.
        const hidden = text.replaceAll(`"name":"${MARK}"`, '')
        expect([part, hidden]).toEqual([part, expect.not.stringContaining(MARK)])
      }
      expect(seen).toBe(ways.length + 1)
    },
  )
})
