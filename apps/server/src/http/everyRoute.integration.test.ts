import { ApiError } from '@boxyard/api'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { registerSdk } from '../csb/registerSdk.ts'
import { customTemplates, sandboxes, secrets, teamMembers, teams, users } from '../database/schema.ts'
import type { MachineService } from '../machines/machineService.ts'
import { registerMachineRoutes } from '../machines/routes.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { recordingMachines } from '../testing/machines.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { writeTemplates } from '../testing/templates.ts'

/** Stands in everything that only the workspace may see. */
const MARK = 'only-for-the-workspace'
/** Nothing of these ends by itself for whoever may listen. */
const streams = /\/start\/progress$/
/** What ends something comes last, and what ends the session at the very end. */
const ends = [/^DELETE /, /signout|\/revoke\//]

interface JsonSchema {
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
}

interface Route {
  method: string
  /** With parameters as `{name}`. */
  path: string
  body: JsonSchema | undefined
  query: Record<string, JsonSchema>
}

const templates = writeTemplates({ node: { title: 'Node' } })
let server: TestServer
let routes: Route[] = []
const people = {} as Record<'owner' | 'stranger' | 'anonymous', TestBrowser>
/** What was asked of machines since the last look. */
const asked: string[] = []
let teamId: string
let sandboxId: string

const recorded = recordingMachines()
/** Machines of which none runs, and that only note what else they are asked for. */
const machines = new Proxy(Object.assign(recorded, { running: async () => [], epochOf: () => undefined }), {
  get(target, name, receiver) {
    if (name in target || typeof name === 'symbol' || name === 'then')
      return Reflect.get(target, name, receiver) as unknown
    return () => {
      asked.push(name)
      return Promise.reject(new ApiError('MACHINES_UNAVAILABLE'))
    }
  },
}) as unknown as MachineService

beforeAll(async () => {
  const later: Route[] = []
  server = await startTestServer(
    {},
    {
      machines: async (app, context, catalogue) => {
        app.addHook('onRoute', ({ method, url, schema }) => {
          for (const each of [method].flat().filter((name) => name !== 'HEAD' && name !== 'OPTIONS')) {
            const query = jsonSchemaOf(schema?.querystring)?.properties ?? {}
            later.push({ method: each, path: url.replace(/:(\w+)/g, '{$1}'), body: jsonSchemaOf(schema?.body), query })
          }
        })
        registerMachineRoutes(app, context, machines)
        registerSdk(app, context, { machines, templates: catalogue })
        return { service: recorded, close: async () => undefined }
      },
      templatesFolder: templates.folder,
    },
  )
  people.owner = await server.signedIn('owner')
  people.stranger = await server.signedIn('stranger')
  people.anonymous = server.browser()
  const found = new Map(
    [...(await documented()), ...later.filter(({ path }) => isCalled(path))].map((route) => [
      `${route.method} ${route.path}`,
      route,
    ]),
  )
  const rank = (key: string) => ends.findLastIndex((pattern) => pattern.test(key))
  routes = [...found].toSorted(([a], [b]) => rank(a) - rank(b)).map(([, route]) => route)
  await makeWorkspace()
})
afterAll(async () => {
  await server.close()
  templates.remove()
})

/** The pages of the web app and the streams of previews have tests of their own. */
const isCalled = (path: string) => /^\/(?:api|csb)\//.test(path)

function jsonSchemaOf(schema: unknown): JsonSchema | undefined {
  return schema instanceof z.ZodType
    ? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
    : undefined
}

/** The routes that the description of the API names; those of accounts are registered before anybody can listen. */
async function documented(): Promise<Route[]> {
  const { body } = await people.anonymous.call('GET', '/api/openapi.json')
  type Parameter = { in: string; name: string; schema: JsonSchema }
  type Operation = { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: JsonSchema }> } }
  const { paths } = body as { paths: Record<string, Record<string, Operation>> }
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      body: requestBody?.content['application/json']?.schema,
      query: Object.fromEntries(
        parameters.filter((each) => each.in === 'query').map(({ name, schema }) => [name, schema]),
      ),
    })),
  )
}

async function makeWorkspace(): Promise<void> {
  const { database } = server.context
  const made = await people.owner.call('POST', '/api/graphql', {
    query: `mutation { createTeam(name: "${MARK}") { id } }`,
  })
  teamId = (made.body as { data: { createTeam: { id: string } } }).data.createTeam.id
  const forked = await people.owner.call('POST', '/api/v1/sandboxes/node/fork', { team_id: teamId, title: MARK })
  sandboxId = (forked.body as { data: { id: string } }).data.id
  await people.owner.call('POST', `/api/v1/sandboxes/${sandboxId}/env`, {
    environment_variable: { name: 'SECRET', value: MARK },
  })
  const [owner] = await database.select().from(users).where(eq(users.username, 'owner'))
  expect(owner).toBeDefined()
}

async function contentOfWorkspace(): Promise<unknown> {
  const { database } = server.context
  return Promise.all([
    database.select().from(teams).where(eq(teams.id, teamId)),
    database.select().from(teamMembers).where(eq(teamMembers.teamId, teamId)),
    database.select().from(sandboxes).where(eq(sandboxes.teamId, teamId)),
    database.select().from(customTemplates).where(eq(customTemplates.sandboxId, sandboxId)),
    database.select().from(secrets).where(eq(secrets.sandboxId, sandboxId)),
  ])
}

/** A value by the name of what it is for, else by its type. */
function valueOf(name: string, schema: JsonSchema, text: string | null): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const chosen = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (chosen) return valueOf(name, chosen[0]!, text)
  const [type] = [schema.type ?? 'string'].flat()
  if (type === 'object') {
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([key, inner]) => [key, valueOf(key, inner, text)]),
    )
  }
  if (type === 'array') return [valueOf(name, schema.items ?? {}, text)]
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (text !== null) return text
  if (schema.format === 'uuid' || /team|workspace/i.test(name)) return teamId
  return /sandbox|vm/i.test(name) || name === 'id' ? sandboxId : 'text'
}

/** The path with the ids of the workspace in every place. */
function addressOf({ path, query }: Route, text: string | null): string {
  const filled = path.replace(/\{(\w+)\}|\*/g, (_match, name: string | undefined, at: number) => {
    if (text !== null) return encodeURIComponent(text)
    const before = path.slice(0, at)
    if (/team|workspace/i.test(`${name} ${before.split('/').at(-2)}`)) return teamId
    return name === 'id' || /sandbox|vm/i.test(`${name}`) ? sandboxId : 'text'
  })
  const search = new URLSearchParams(
    Object.entries(query).map(([name, schema]): [string, string] => [name, String(valueOf(name, schema, text))]),
  )
  return search.size === 0 ? filled : `${filled}?${search}`
}

async function call(browser: TestBrowser, route: Route, text: string | null = null) {
  const body = route.body && JSON.stringify(valueOf('', route.body, text))
  const answer = await browser.request(addressOf(route, text), {
    method: route.method,
    headers: { origin: browser.origin, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body }),
  })
  return { label: `${route.method} ${route.path}`, ...answer }
}

/** 503 says that something else is away: here the registry and what runs machines. */
const isOwnFailure = (status: number) => status >= 500 && status !== 503

const hostile = ["'; drop table users; --", '\u0000', '\u202e..%2f..%2fetc/passwd', '__proto__', 'x'.repeat(5000)]

describe('AP701: every route', () => {
  it.each(['anonymous', 'stranger'] as const)(
    'shows and changes nothing of a workspace for whoever is outside of it: %s',
    async (who) => {
      const before = await contentOfWorkspace()
      asked.length = 0
      for (const route of routes) {
        const { label, status, text } = await call(people[who], route)
        expect([label, isOwnFailure(status)]).toEqual([label, false])
        expect([label, text]).toEqual([label, expect.not.stringContaining(MARK)])
        expect([label, asked, recorded.stopped, recorded.removed]).toEqual([label, [], [], []])
      }
      expect(await contentOfWorkspace()).toEqual(before)
      if (who === 'stranger') people.stranger = await server.signedIn('stranger2')
    },
  )

  it.each(['anonymous', 'stranger'] as const)('answers hostile texts clearly: %s', async (who) => {
    for (const text of hostile) {
      for (const route of routes) {
        const { label, status } = await call(people[who], route, text)
        expect([label, text.slice(0, 20), isOwnFailure(status)]).toEqual([label, text.slice(0, 20), false])
      }
    }
  })

  it.each(['[]', '7', 'null', '"text"', '{', '['.repeat(50_000), '{"__proto__":{"admin":true}}'])(
    'answers a body of another shape clearly: %.20s',
    async (body) => {
      for (const route of routes.filter((each) => each.body)) {
        const label = `${route.method} ${route.path}`
        const headers = { origin: people.stranger.origin, 'content-type': 'application/json' }
        const answer = await people.stranger.request(addressOf(route, null), { method: route.method, headers, body })
        expect([label, isOwnFailure(answer.status)]).toEqual([label, false])
      }
    },
  )

  it('is reached with the ids of the workspace, and answers its owner', async () => {
    const shown: string[] = []
    for (const route of routes.filter(({ path }) => !streams.test(path))) {
      const { label, status, text } = await call(people.owner, route)
      expect([label, isOwnFailure(status)]).toEqual([label, false])
      if (text.includes(MARK)) shown.push(label)
    }
    // What outsiders are not shown is really there to be seen.
    expect(shown).toEqual(expect.arrayContaining(['GET /api/v1/sandboxes/{id}', 'GET /api/v1/sandboxes/{id}/env']))
    expect(asked).toEqual(expect.arrayContaining(['start', 'restart', 'hibernate']))
  })
})
