import { getNamedType, isLeafType, isNonNullType, isObjectType } from 'graphql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGraphqlSchema } from '../graphql/schema.ts'
import { valueOf } from '../testing/ask.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { recordingMachines } from '../testing/machines.ts'
import { seedWorld } from '../testing/seedWorld.ts'
import { selectionOf } from '../testing/selectionOf.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { writeTemplates } from '../testing/templates.ts'

const templates = writeTemplates({ node: { title: 'Node' } })
const type = createGraphqlSchema().getType('Sandbox')!
if (!isObjectType(type)) throw new Error('Sandbox is no object type')
const fields = Object.values(type.getFields())
  .filter(({ args }) => args.every((argument) => !isNonNullType(argument.type)))
  .map((field) => {
    const named = getNamedType(field.type)
    return [field.name, isLeafType(named) ? field.name : `${field.name} ${selectionOf(named, 0)}`] as const
  })
let server: TestServer
let asker: TestBrowser
let teamId: string

beforeAll(async () => {
  const machines = async () => ({ service: recordingMachines(), close: async () => undefined })
  server = await startTestServer({}, { machines, templatesFolder: templates.folder })
  asker = await server.signedIn('asker')
  const me = await valueOf<{ id: string; personalWorkspaceId: string }>(asker, '{ me { id personalWorkspaceId } }')
  teamId = me.personalWorkspaceId
  const { database } = server.context
  await seedWorld(database, { userId: me.id, teamId, username: 'asker' }, 2, ['node'])
})
afterAll(async () => {
  await server.close()
  templates.remove()
})

type Row = { id: string }

it.each(fields)('AP850: %s of the sandboxes of a list is what it is of each alone', async (_name, text) => {
  const { sandboxes, team } = await valueOf<{ sandboxes: Row[]; team: { sandboxes: Row[]; drafts: Row[] } }>(
    asker,
    `{ me { sandboxes { id ...asked } team(id: "${teamId}") { sandboxes { id ... on Sandbox { ${text} } } drafts { id ${text} } } } }
    fragment asked on Sandbox { ${text} }`,
  )
  const listed = [sandboxes, team.sandboxes, team.drafts]
  for (const list of listed) expect(list.length).toBeGreaterThan(0)
  for (const row of listed.flat()) {
    expect(row).toEqual(await valueOf(asker, `{ sandbox(sandboxId: "${row.id}") { id ${text} } }`))
  }
})

it('AP850: a list asked for twice in one document has for each place what is asked for there', async () => {
  const { first, second } = await valueOf<{ first: Row[]; second: (Row & { description: string | null })[] }>(
    asker,
    `{ me { first: sandboxes { ...named } second: sandboxes { ...named description forkCount } } }
    fragment named on Sandbox { id title }`,
  )
  const full = '{ me { sandboxes { id title description forkCount } } }'
  expect(second).toEqual((await valueOf<{ sandboxes: Row[] }>(asker, full)).sandboxes)
  expect(first.map(({ id }) => id)).toEqual(second.map(({ id }) => id))
})
