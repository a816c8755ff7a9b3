import { rmSync } from 'node:fs'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { readConfiguration } from '../configuration.ts'
import { createServer } from '../server.ts'
import type { Server, ServerParts } from '../server.ts'
import { TestBrowser } from './browser.ts'
import { createTestDatabase } from './database.ts'
import type { TestDatabase } from './database.ts'
import { temporaryFolder } from './folders.ts'
import { signUp } from './signUp.ts'

export { signUp, TEST_PASSWORD } from './signUp.ts'

export const TEST_ADMIN_TOKEN = 'the-first-administrator'

export interface TestServer extends Server {
  origin: string
  port: number
  database: TestDatabase
  browser(): TestBrowser
  /** A new browser that belongs to someone new. The first one is the administrator. */
  signedIn(login: string): Promise<TestBrowser>
}

/** A whole server on a free port, with a home folder and a database of its own. Closing it removes both. */
export async function startTestServer(
  environment: Record<string, string> = {},
  parts: ServerParts = {},
): Promise<TestServer> {
  const database = await createTestDatabase()
  const home = temporaryFolder('home')
  const port = environment['PORT'] === undefined ? await freePort() : Number(environment['PORT'])
  const configuration = readConfiguration({
    PORT: String(port),
    BOXYARD_HOME: home,
    BOXYARD_ADMIN_TOKEN: TEST_ADMIN_TOKEN,
    DATABASE_URL: database.url,
    BOXYARD_NPM_REGISTRY: 'http://registry.test',
    BOXYARD_PIP_INDEX: 'http://index.test/simple',
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    BOXYARD_SIGN_IN_LIMIT: '1000000',
    ...environment,
  })
  const server = await createServer(configuration, parts)
  await server.listen()
  const browser = () => new TestBrowser(configuration.appOrigin, port)
  return {
    ...server,
    origin: configuration.appOrigin,
    port,
    database,
    browser,
    async signedIn(login) {
      const visitor = browser()
      await signUp(visitor, login)
      return visitor
    },
    async close() {
      await server.close()
      await database.drop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** A port that nothing listens on at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createTcpServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}
