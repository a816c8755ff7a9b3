// Serves our schema with Yoga on a port, as our server does: `yogaServer.ts FOLDER POSTGRES PORT`, where FOLDER holds its packages and
// POSTGRES is the folder of the socket of a database. Every request looks up the administrator, as our server does for the same token.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { RequestListener } from 'node:http'
import { firstAdministrator } from '../../apps/server/src/accounts/users.ts'
import { openDatabase } from '../../apps/server/src/database/database.ts'
import { createGraphqlContext } from '../../apps/server/src/graphql/graphqlContext.ts'
import type { GraphqlServices } from '../../apps/server/src/graphql/graphqlContext.ts'
import { createGraphqlSchema } from '../../apps/server/src/graphql/schema.ts'
import { installation } from '../../apps/server/src/installation.ts'
import { readTemplates } from '../../apps/server/src/sandboxes/templates.ts'

const [folder, postgres, port] = process.argv.slice(2) as [string, string, string]
interface Yoga {
  createSchema?: unknown
  createYoga(options: { schema: unknown; context: () => Promise<object>; logging: boolean }): RequestListener
}
const { createYoga } = createRequire(join(folder, 'package.json'))('graphql-yoga') as Yoga
const { database } = openDatabase({ host: postgres, user: 'boxyard', database: 'boxyard' }, (error) => {
  throw error
})
// The list that is measured needs the database and the templates; nothing else of a server is here.
const services = {
  server: { database },
  templates: readTemplates(installation.templates),
  machines: null,
} as unknown as GraphqlServices
const yoga = createYoga({
  schema: createGraphqlSchema(),
  logging: false,
  context: async () => createGraphqlContext(services, await firstAdministrator(database)),
})
createServer(yoga).listen(Number(port), '127.0.0.1')
