import { AsyncLocalStorage } from 'node:async_hooks'
import { getNamedType, getNullableType, isLeafType, isListType, isObjectType } from 'graphql'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { valueOf } from '../testing/ask.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { recordingMachines } from '../testing/machines.ts'
import { seedWorld } from '../testing/seedWorld.ts'
import type { World } from '../testing/seedWorld.ts'
import { selectionOf } from '../testing/selectionOf.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { writeTemplates } from '../testing/templates.ts'
import { createGraphqlSchema } from './schema.ts'

const SIZES = [1, 10, 50]
const names = Array.from({ length: 10 }, (_, index) => `template${index}`)
const templates = writeTemplates(Object.fromEntries(names.map((name) => [name, { title: name }])))

/** The query in which a list of a type stands, when its own text is `list`. */
const ways: Record<string, (list: string, world: World) => string> = {
  RootQueryType: (list) => list,
  CurrentUser: (list) => `me { ${list} }`,
  Team: (list, { teamId }) => `me { team(id: "${teamId}") { ${list} } }`,
  Collection: (list) => `me { collection(path: "/") { ${list} } }`,
  Sandbox: (list, { sandboxId }) => `sandbox(sandboxId: "${sandboxId}") { ${list} }`,
  Album: (list, { albumId }) => `album(albumId: "${albumId}") { ${list} }`,
  Comment: (list, { sandboxId, commentId }) =>
    `sandbox(sandboxId: "${sandboxId}") { comment(commentId: "${commentId}") { ${list} } }`,
  Git: (list) => `git(username: "acme", repo: "shop", branch: "main", path: "") { ${list} }`,
  LiveSession: (list, { sandboxId }) => `getLiveSession(vmId: "${sandboxId}") { ${list} }`,
  Project: (list, { teamId }) => `project(owner: "acme", repo: "shop0", team: "${teamId}") { ${list} }`,
  Branch: (list, { branchId }) => `branchById(id: "${branchId}") { ${list} }`,
  PullRequest: (list, { teamId }) =>
    `project(owner: "acme", repo: "shop0", team: "${teamId}") { pullRequests { number ${list} } }`,
  PullRequestReview: (list, { teamId }) =>
    `project(owner: "acme", repo: "shop0", team: "${teamId}") { pullRequests { number reviews { id ${list} } } }`,
  Template: (list, { sandboxId }) => `sandbox(sandboxId: "${sandboxId}") { customTemplate { ${list} } }`,
}

/** What a list needs to be told. */
const given: Record<string, string> = {
  'CurrentUser.notifications': '(limit: 100)',
  'CurrentUser.recentBranches': '(limit: 100)',
  'CurrentUser.recentProjects': '(limit: 100)',
  'CurrentUser.recentlyAccessedSandboxes': '(limit: 100)',
  'RootQueryType.albums': '(username: "asker")',
  'RootQueryType.projects': '(owner: "acme", name: "shop0", provider: GITHUB)',
  'RootQueryType.recentTeamsByRepository': '(owner: "acme", name: "shop0", provider: GITHUB)',
  'CurrentUser.templates': '(showAll: true)',
  'Team.search': '(text: "word", limit: 100)',
}

/** Lists that have another number of entries, and why. */
const otherLengths: Record<string, (size: number) => number> = {
  // The domain of an address is proved by one workspace.
  'CurrentUser.eligibleWorkspaces': () => 0,
  // At most ten.
  'CurrentUser.recentlyUsedTemplates': (size) => Math.min(size, 10),
  // A person and their workspaces.
  'Template.bookmarked': (size) => size + 1,
}

/** Lists that are not read from the database one by one. */
const notRead: Record<string, string> = {
  'CurrentUser.githubOrganizations': 'One call to the git host.',
  'CurrentUser.githubRepos': 'One call to the git host.',
  'RootQueryType.githubOrganizationRepos': 'One call to the git host.',
  'BranchConnections.connections': 'Part of an event.',
  'SubscriptionSchedulePhase.items': 'Part of the row of a subscription.',
}

const schema = createGraphqlSchema()
const lists = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type) && !type.name.startsWith('__') && type !== schema.getMutationType())
  .flatMap((type) =>
    Object.values((isObjectType(type) && type.getFields()) || {})
      .filter((field) => isListType(getNullableType(field.type)) && !isLeafType(getNamedType(field.type)))
      .map((field) => ({ type: type.name, field, member: `${type.name}.${field.name}` })),
  )
const counted = lists.filter(({ member }) => !(member in notRead))

interface Seeded {
  size: number
  server: TestServer
  asker: TestBrowser
  world: World
}
const seeded: Seeded[] = []

beforeAll(async () => {
  countStatements()
  for (const size of SIZES) {
    const server = await startTestServer(
      {},
      {
        machines: async () => ({ service: recordingMachines(), close: async () => undefined }),
        templatesFolder: templates.folder,
      },
    )
    const asker = await server.signedIn('asker')
    const me = await valueOf<{ id: string; personalWorkspaceId: string }>(asker, '{ me { id personalWorkspaceId } }')
    const person = { userId: me.id, teamId: me.personalWorkspaceId, username: 'asker' }
    seeded.push({ size, server, asker, world: await seedWorld(server.context.database, person, size, names) })
  }
})
afterAll(async () => {
  vi.restoreAllMocks()
  for (const { server } of seeded) await server.close()
  templates.remove()
})

const asking = new AsyncLocalStorage<{ statements: string[]; last: Promise<unknown> } | null>()

/** Notes each statement of whoever is asking, and lets one end before the next begins, so that their order does not depend on chance. */
function countStatements(): void {
  const ofPool = Pool.prototype.query as (...args: unknown[]) => Promise<unknown>
  const ofClient = Client.prototype.query as (...args: unknown[]) => Promise<unknown>
  vi.spyOn(Pool.prototype, 'query').mockImplementation(function (this: Pool, ...args: unknown[]) {
    const store = asking.getStore()
    if (!store) return ofPool.apply(this, args) as never
    store.statements.push(textOf(args[0]))
    const before = store.last
    const answer = asking.run(null, () => before.catch(() => undefined).then(() => ofPool.apply(this, args)))
    store.last = answer
    return answer as never
  })
  vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...args: unknown[]) {
    asking.getStore()?.statements.push(textOf(args[0]))
    return ofClient.apply(this, args) as never
  })
}

function textOf(query: unknown): string {
  return typeof query === 'string' ? query : (query as { text: string }).text
}

/** Asks as the app's page does, without a connection in between, and tells which statements that took. */
async function ask({ server, asker }: Seeded, query: string) {
  const store = { statements: [], last: Promise.resolve() as Promise<unknown> }
  const cookie = [...asker.cookies].map((pair) => pair.join('=')).join('; ')
  // The request begins when it is awaited.
  const answer = await asking.run(
    store,
    async () =>
      await server.app.inject({
        method: 'POST',
        url: '/api/graphql',
        headers: { host: new URL(server.origin).host, origin: server.origin, cookie },
        payload: { query },
      }),
  )
  const { data, errors } = answer.json<{ data: unknown; errors?: { message: string }[] }>()
  return { data, errors, statements: store.statements as string[] }
}

/** The lists that stand in an answer under this name. */
function listsNamed(name: string, value: unknown): unknown[][] {
  if (Array.isArray(value)) return value.flatMap((item) => listsNamed(name, item))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === name && Array.isArray(inner) ? [inner, ...listsNamed(name, inner)] : listsNamed(name, inner),
  )
}

describe('AP700: a list', () => {
  it.each(counted)(
    '$member takes as many statements with fifty entries as with ten',
    async ({ type, field, member }) => {
      const taken: string[][] = []
      for (const each of seeded) {
        const list = `${field.name}${given[member] ?? ''} ${selectionOf(getNamedType(field.type), 2)}`
        const { data, errors, statements } = await ask(each, `{ ${ways[type]!(list, each.world)} }`)
        expect(errors).toBeUndefined()
        const longest = Math.max(...listsNamed(field.name, data).map(({ length }) => length))
        const expected = otherLengths[member]?.(each.size) ?? each.size
        expect(longest).toBeGreaterThanOrEqual(expected)
        taken.push(statements)
      }
      const [one, ten, fifty] = taken as [string[], string[], string[]]
      // Their order is nobody's; one list beside the other shows which came in addition.
      if (fifty.length !== ten.length) expect(fifty.toSorted()).toEqual(ten.toSorted())
      // One entry may take less: rows that stand in several places of the answer are loaded once.
      expect(one.length).toBeLessThanOrEqual(ten.length)
    },
  )

  it('is counted, or there is a reason why it is not', () => {
    const reasons = Object.keys(notRead)
    expect(lists.map(({ member }) => member)).toEqual(expect.arrayContaining(reasons))
    expect(counted.map(({ type }) => type).filter((type) => !(type in ways))).toEqual([])
  })

  it('is noticed when it asks once for each entry', async () => {
    const { server, asker, world, size } = seeded[1]!
    const one = await ask({ server, asker, world, size }, `{ me { team(id: "${world.teamId}") { sandboxes { id } } } }`)
    const many = await ask(
      { server, asker, world, size },
      `{ ${Array.from({ length: 5 }, (_, index) => `s${index}: sandbox(sandboxId: "${world.sandboxId}") { id }`).join(' ')} }`,
    )
    expect(many.statements.length).toBeGreaterThan(one.statements.length)
  })
})
