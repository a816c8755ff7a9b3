import { buildSchema } from 'graphql'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { absentMembers } from './absentMembers.ts'
import { createGraphqlSchema } from './schema.ts'
import { schemaAdditions } from './schemaAdditions.ts'
import { compareSchemas } from './schemaDifference.ts'

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
