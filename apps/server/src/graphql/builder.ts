import SchemaBuilder from '@pothos/core'
import { GraphQLError } from 'graphql'
import { momentText } from './momentText.ts'
import type { GraphqlContext } from './graphqlContext.ts'

/** Ids, moments with and without a zone, and bytes as text: the scalars of the published schema. */
export type Scalars = {
  ID: { Input: string; Output: string }
  UUID4: { Input: string; Output: string }
  DateTime: { Input: Date; Output: Date }
  NaiveDateTime: { Input: Date; Output: Date }
  /** As it came; whoever uses it decodes it, after looking at its length. */
  Base64: { Input: string; Output: string }
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const base64Pattern = /^(?:data:[\w.+-]+\/[\w.+-]+(?:;[\w=.+-]+)*;base64,)?[A-Za-z0-9+/\-_]*={0,2}$/

/** Each domain adds its types to this builder; `createGraphqlSchema` makes the schema of all. */
export function createBuilder() {
  const builder = new SchemaBuilder<{ Context: GraphqlContext; Scalars: Scalars }>({})
  builder.scalarType('UUID4', {
    serialize: String,
    parseValue: (value) => {
      if (typeof value === 'string' && uuidPattern.test(value)) return value.toLowerCase()
      throw new GraphQLError('Expected a UUID')
    },
  })
  builder.scalarType('DateTime', {
    serialize: momentText,
    parseValue: (value) => parseMoment(value, 'Expected a moment like 2026-01-31T12:00:00Z'),
  })
  builder.scalarType('NaiveDateTime', {
    serialize: (value) => momentText(value).slice(0, -1),
    parseValue: (value) =>
      parseMoment(
        typeof value === 'string' ? `${value.replace(/Z$/, '')}Z` : value,
        'Expected a moment like 2026-01-31T12:00:00',
      ),
  })
  builder.scalarType('Base64', {
    serialize: String,
    parseValue: (value) => {
      if (typeof value === 'string' && base64Pattern.test(value)) return value
      throw new GraphQLError('Expected Base64')
    },
  })
  builder.queryType({ name: 'RootQueryType' })
  builder.mutationType({ name: 'RootMutationType' })
  builder.subscriptionType({ name: 'RootSubscriptionType' })
  return builder
}

export type Builder = ReturnType<typeof createBuilder>

function parseMoment(value: unknown, problem: string): Date {
  const date = typeof value === 'string' ? new Date(value) : null
  if (date && !Number.isNaN(date.getTime())) return date
  throw new GraphQLError(problem)
}
