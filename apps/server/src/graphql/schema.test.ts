import { buildSchema, isObjectType } from 'graphql'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { absentMembers } from './absentMembers.ts'
import { createGraphqlSchema } from './schema.ts'
import { schemaAdditions } from './schemaAdditions.ts'
import { compareSchemas } from './schemaDifference.ts'

/** Fields whose answer is the same whatever is asked about, and why that is the truth. */
const constants: Readonly<Record<string, string>> = {
  'Collaborator.warning': 'Sandboxes have no limit of editors that a collaborator could be beyond.',
  'RootQueryType.limits': 'What the plans include.',
  'Team.legacy': 'No workspace was ever on a plan that is sold no longer.',
}

const contract = buildSchema(readFileSync(new URL('schema.graphql', import.meta.url), 'utf8'))
const { absent, added, different } = compareSchemas(contract, createGraphqlSchema())

describe('AP11: the query API', () => {
  it('declares what it has exactly as the published schema does', () => {
    expect(different).toEqual([])
  })

  it('lacks exactly what is listed as absent', () => {
    expect(absent).toEqual([...absentMembers])
  })

  it('has nothing beside it but the additions, each explained', () => {
    expect(added).toEqual(Object.keys(schemaAdditions).toSorted())
  })

  it('notices a difference', () => {
    const changed = buildSchema(
      'type RootQueryType { me(all: Boolean): String limits: Limits! } type Limits { x: Int }',
    )
    const { absent, added, different } = compareSchemas(contract, changed)
    expect(absent).toContain('Sandbox.title')
    expect(added).toContain('Limits.x')
    expect(different).toContainEqual({
      member: 'RootQueryType.me',
      contract: ': CurrentUser',
      schema: '(all: Boolean): String',
    })
  })
})

it('AP810: no field of the query API answers without looking at what it is asked about, but for those that have a reason', () => {
  const found = Object.values(createGraphqlSchema().getTypeMap())
    .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
    .flatMap((type) =>
      Object.values((isObjectType(type) && type.getFields()) || {})
        // A resolver that takes nothing can only say one thing.
        .filter(({ resolve }) => resolve?.length === 0)
        .map((field) => `${type.name}.${field.name}`),
    )
  expect(found.toSorted()).toEqual(Object.keys(constants).toSorted())
})
