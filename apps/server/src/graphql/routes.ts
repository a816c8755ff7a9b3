import { printSchema } from 'graphql'
import { z } from 'zod'
import type { User } from '../accounts/users.ts'
import type { App } from '../http/app.ts'
import { GraphqlExecutor } from './executor.ts'
import { createGraphqlContext } from './graphqlContext.ts'
import type { GraphqlContext, GraphqlServices } from './graphqlContext.ts'
import { createGraphqlSchema } from './schema.ts'

const MOST_BATCHED = 20

const requestSchema = z.looseObject({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
})

const answerSchema = z.looseObject({
  data: z.unknown().optional(),
  errors: z.array(z.looseObject({ message: z.string() })).optional(),
})
const batchSchema = z.array(z.looseObject({ payload: answerSchema }))

/** What the socket answers documents with. */
export interface Graphql {
  executor: GraphqlExecutor
  createContext(user: User | null): GraphqlContext
}

/** The query API at POST /api/graphql, and its types at GET /api/schema.graphql: one request, or a batch whose answers come in the same order beside their extra keys. */
export function registerGraphql(app: App, services: GraphqlServices): Graphql {
  const { log } = services.server
  const schema = createGraphqlSchema()
  const schemaText = `${printSchema(schema)}\n`
  const executor = new GraphqlExecutor(schema, (error) => log.error({ err: error }, 'a resolver failed'))

  // Clients of the editor leave out the first part.
  for (const path of ['/api/graphql', '/graphql']) {
    app.post(
      path,
      {
        onRequest: app.authenticate.optional,
        schema: {
          body: z.union([requestSchema, z.array(requestSchema).min(1).max(MOST_BATCHED)]),
          response: { 200: z.union([answerSchema, batchSchema]) },
        },
        // The executor made it of the types of the schema; looking at all of it once more would only take time.
        serializerCompiler: () => (answer) => JSON.stringify(answer),
      },
      async ({ body, user }, reply) => {
        const context = createGraphqlContext(services, user)
        reply.header('cache-control', 'no-store')
        if (!Array.isArray(body))
          return reply.send((await executor.execute(body, context)) as z.infer<typeof answerSchema>)
        const answers = body.map(async ({ query, variables, operationName, ...extra }) => ({
          ...extra,
          payload: await executor.execute({ query, variables, operationName }, context),
        }))
        return reply.send((await Promise.all(answers)) as z.infer<typeof batchSchema>)
      },
    )
  }

  app.get('/api/schema.graphql', { schema: { hide: true } }, async (_request, reply) => {
    return reply.type('text/plain; charset=utf-8').send(schemaText)
  })
  return { executor, createContext: (user) => createGraphqlContext(services, user) }
}
