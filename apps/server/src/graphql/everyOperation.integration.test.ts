import { apiErrors } from '@boxyard/api'
import { eq, inArray } from 'drizzle-orm'
import { getNamedType, isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql'
import type { GraphQLArgument, GraphQLField, GraphQLInputType } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  collections,
  customTemplates,
  sandboxCollaborators,
  sandboxes,
  secrets,
  teamMembers,
  teams,
  users,
} from '../database/schema.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { recordingMachines } from '../testing/machines.ts'
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

/** Stands in everything that only the workspace may see. */
const MARK = 'only-for-the-workspace'
const templates = writeTemplates({ node: { title: 'Node' } })
let server: TestServer
const people = {} as Record<'owner' | 'member' | 'stranger' | 'anonymous', TestBrowser>
const known: Record<string, unknown> = {}

async function ask(browser: TestBrowser, query: string, variables: object = {}) {
  const { status, body } = await browser.call('POST', '/api/graphql', { query, variables })
  return { status, body: body as { data?: Record<string, unknown> | null; errors?: { message: string }[] } }
}

async function must(browser: TestBrowser, query: string, variables: object = {}): Promise<Record<string, unknown>> {
  const { body } = await ask(browser, query, variables)
  expect(body.errors).toBeUndefined()
  return body.data!
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
  await makeWorkspace()
})
afterAll(async () => {
  await server.close()
  templates.remove()
})

/** A workspace with a member, a folder and a template in it, which from now on every argument names. */
async function makeWorkspace(): Promise<void> {
  const { database } = server.context
  const { createTeam } = (await must(people.owner, 'mutation ($name: String!) { createTeam(name: $name) { id } }', {
    name: MARK,
  })) as { createTeam: { id: string } }
  const teamId = createTeam.id
  const found = await database.select().from(users)
  const idOf = (name: string) => found.find(({ username }) => username === name)!.id
  await database.insert(teamMembers).values({ teamId, userId: idOf('member'), authorization: 'read' })
  const forked = await people.owner.call('POST', '/api/v1/sandboxes/node/fork', { team_id: teamId, title: MARK })
  const sandboxId = (forked.body as { data: { id: string } }).data.id
  await must(
    people.owner,
    `mutation ($id: ID!, $teamId: UUID4!) {
      createCollection(path: "/${MARK}", teamId: $teamId) { path }
      addToCollection(collectionPath: "/${MARK}", sandboxIds: [$id], teamId: $teamId) { path }
      makeSandboxesTemplates(sandboxIds: [$id]) { id }
    }`,
    { id: sandboxId, teamId },
  )
  const [template] = await database.select().from(customTemplates).where(eq(customTemplates.sandboxId, sandboxId))
  Object.assign(known, {
    teamId,
    team: teamId,
    newTeamId: teamId,
    workspaceId: teamId,
    primaryWorkspaceId: teamId,
    sandboxId,
    sandboxIds: [sandboxId],
    vmId: sandboxId,
    userId: idOf('member'),
    authorId: idOf('owner'),
    username: 'member',
    email: 'somebody@example.test',
    path: `/${MARK}`,
    collectionPath: `/${MARK}`,
    newPath: `/${MARK}/further`,
    templateId: template!.id,
    field: 'title',
  })
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
    ID: /^(?:id|.*[sS]andbox.*)$/.test(name) ? known['sandboxId'] : known['teamId'],
    UUID4: known['teamId'],
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
  return {
    query: `${kind} ${declared && `(${declared})`} { ${field.name}${passed && `(${passed})`} ${selection} }`,
    variables: Object.fromEntries(args.map(({ name, type }: GraphQLArgument) => [name, valueOf(name, type, text)])),
  }
}

/** Everything of the workspace that nobody else may change. */
async function contentOfWorkspace(): Promise<unknown> {
  const { database } = server.context
  const teamId = known['teamId'] as string
  const ids = [known['sandboxId'] as string]
  return Promise.all([
    database.select().from(teams).where(eq(teams.id, teamId)),
    database.select().from(teamMembers).where(eq(teamMembers.teamId, teamId)),
    database.select().from(collections).where(eq(collections.teamId, teamId)),
    database.select().from(sandboxes).where(eq(sandboxes.teamId, teamId)),
    database.select().from(sandboxCollaborators).where(inArray(sandboxCollaborators.sandboxId, ids)),
    database.select().from(customTemplates).where(inArray(customTemplates.sandboxId, ids)),
    database.select().from(secrets).where(inArray(secrets.sandboxId, ids)),
  ])
}

const hostile = [
  "'; drop table users; --",
  '\u0000',
  '\ud800',
  '${7*7}{{7*7}}',
  '../../../../etc/passwd',
  `${'\u202e'}${'x'.repeat(100_000)}`,
]

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
      for (const field of queries) {
        const { query, variables } = operation('query', field, { all })
        const answer = await ask(people[who], query, variables)
        expectClear(field.name, answer)
        if (isOutsider)
          expect([field.name, JSON.stringify(answer.body.data ?? {})]).toEqual([
            field.name,
            expect.not.stringContaining(MARK),
          ])
      }
    },
  )

  it('refuses hostile texts in every argument clearly', async () => {
    const before = await contentOfWorkspace()
    for (const text of hostile) {
      for (const field of queries.filter(({ args }) => args.length > 0)) {
        const { query, variables } = operation('query', field, { all: true, text })
        expectClear(`${field.name} ${text.slice(0, 20)}`, await ask(people[who], query, variables))
      }
    }
    expect(await contentOfWorkspace()).toEqual(before)
  })

  it.each([
    ['the least', false],
    ['everything', true],
  ] as const)('answers mutations for %s without a failure of its own', async (_label, all) => {
    await makeWorkspace()
    const before = isOutsider ? await contentOfWorkspace() : null
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
    if (before) expect(await contentOfWorkspace()).toEqual(before)
  })
})
