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

export const TEST_PASSWORD = 'correct horse battery'

/** Creates an account at the local git host and, under the same name, a user of the app. */
export async function signUp(browser: TestBrowser, login: string): Promise<void> {
  const start = await browser.open('/auth/github?version=2')
  const form = start.url.includes('/join') ? start : await browser.open(joinLink(start.text))
  const fields = { login, name: '', email: `${login}@example.test`, password: TEST_PASSWORD }
  const result = await browser.submit(form, '/join', fields)
  if (!result.text.includes('"type":"signin"')) throw new Error(`The sign-up of ${login} failed:\n${result.text}`)
}

function joinLink(page: string): string {
  const link = /<a href="([^"]*\/join\?[^"]*)"/.exec(page)?.[1]
  if (link === undefined) throw new Error(`No link to create an account:\n${page}`)
  return link
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
