import { printSchema } from 'graphql'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createGraphqlSchema } from './schema.ts'

describe('the query API', () => {
  it('has exactly the types of schema.graphql, which clients generate their code from', () => {
    const published = readFileSync(new URL('schema.graphql', import.meta.url), 'utf8')
    expect(`${printSchema(createGraphqlSchema())}\n`).toBe(published)
  })
})
