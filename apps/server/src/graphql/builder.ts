import SchemaBuilder from '@pothos/core'
import { GraphQLError } from 'graphql'
import type { GraphqlContext } from './graphqlContext.ts'

/** Ids of users and workspaces, moments with a zone: the scalars of the published schema. */
export type Scalars = {
  ID: { Input: string; Output: string }
  UUID4: { Input: string; Output: string }
  DateTime: { Input: Date; Output: Date }
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Each domain adds its types to this builder; `createGraphqlSchema` makes the schema of all. */
export function createBuilder() {
  const builder = new SchemaBuilder<{ Context: GraphqlContext; Scalars: Scalars }>({})
  builder.scalarType('UUID4', {
    serialize: String,
    parseValue: (value) => {
      if (typeof value === 'string' && uuidPattern.test(value)) return value
      throw new GraphQLError('Expected a UUID')
    },
  })
  builder.scalarType('DateTime', {
    serialize: (value) => value.toISOString(),
    parseValue: (value) => {
      const date = typeof value === 'string' ? new Date(value) : null
      if (date && !Number.isNaN(date.getTime())) return date
      throw new GraphQLError('Expected a moment like 2026-01-31T12:00:00Z')
    },
  })
  builder.queryType({ name: 'RootQueryType' })
  builder.subscriptionType({ name: 'RootSubscriptionType' })
  return builder
}

export type Builder = ReturnType<typeof createBuilder>
