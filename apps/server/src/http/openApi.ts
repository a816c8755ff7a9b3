import swagger from '@fastify/swagger'
import { createJsonSchemaTransform } from 'fastify-type-provider-zod'
import { version } from '../version.ts'
import type { App } from './app.ts'

/** Describes every route below /api from its schemas, at /api/openapi.json. Registered before the routes it describes. */
export async function registerOpenApi(app: App, options: { appOrigin: string }): Promise<void> {
  const transform = createJsonSchemaTransform({ skipList: [] })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Boxyard',
        version,
        description: 'Bodies are snake_case. A session cookie or a bearer token says who asks.',
      },
      servers: [{ url: options.appOrigin }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          session: { type: 'apiKey', in: 'cookie', name: '__Host-boxyard_session' },
        },
      },
      security: [{ bearer: [] }, { session: [] }],
    },
    transform: (route) => {
      const transformed = transform(route)
      return route.url.startsWith('/api/')
        ? transformed
        : { ...transformed, schema: { ...transformed.schema, hide: true } }
    },
  })
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}
