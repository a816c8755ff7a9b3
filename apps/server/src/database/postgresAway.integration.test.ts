import { inArray } from 'drizzle-orm'
import { EventEmitter, once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfiguration } from '../configuration.ts'
import { createServer } from '../server.ts'
import type { Server } from '../server.ts'
import { TestBrowser } from '../testing/browser.ts'
import { temporaryFolder } from '../testing/folders.ts'
import { freePort, signUp } from '../testing/server.ts'
import { teams } from './schema.ts'

const WRITERS = 8
const KILLS = 3

const home = temporaryFolder('postgres-away')
let server: Server
let browser: TestBrowser

beforeAll(async () => {
  const port = await freePort()
  const configuration = readConfiguration({
    PORT: String(port),
    BOXYARD_HOME: home,
    BOXYARD_NPM_REGISTRY: 'http://registry.test',
    BOXYARD_PIP_INDEX: 'http://index.test/simple',
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    BOXYARD_SIGN_IN_LIMIT: '1000000',
  })
  server = await createServer(configuration)
  await server.listen()
  browser = new TestBrowser(configuration.appOrigin, port)
  await signUp(browser, 'ada')
})
afterAll(async () => {
  await server.close()
  rmSync(home, { recursive: true, force: true })
})

/** Null while there is none. */
function postmaster(): number | null {
  try {
    const text = readFileSync(join(home, 'postgres', 'data', 'postmaster.pid'), 'utf8')
    return Number(text.split('\n', 1)[0]) || null
  } catch (error) {
    // Between two runs it is gone, from one moment to the next.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

describe('AP703: while PostgreSQL is killed under load', () => {
  it('failures are clean, nothing acknowledged is lost, and the server goes on by itself', async () => {
    const acknowledged: string[] = []
    const strange: unknown[] = []
    const ending = new AbortController()
    const heard = new EventEmitter()
    heard.setMaxListeners(0)

    async function write(writer: number): Promise<void> {
      for (let count = 0; !ending.signal.aborted; count += 1) {
        const query = `mutation { createTeam(name: "Team ${writer} ${count}") { id } }`
        const running = postmaster()
        const { status, body } = await browser.call('POST', '/api/graphql', { query })
        const answer = body as {
          data?: { createTeam: { id: string } } | null
          errors?: { extensions?: { code: string } }[]
          error?: { code: string }
        }
        if (answer.data?.createTeam) {
          acknowledged.push(answer.data.createTeam.id)
          heard.emit('acknowledged', running)
        } else if ((answer.error?.code ?? answer.errors?.[0]?.extensions?.code) === 'UNAVAILABLE') heard.emit('refused')
        else strange.push({ status, body })
      }
    }

    /** The PostgreSQL that acknowledges what was asked for while it ran, another one than `before`. */
    async function acknowledging(before: number | null): Promise<number> {
      for (;;) {
        const [running] = (await Promise.race([once(heard, 'acknowledged'), all])) as [number | null]
        if (running !== null && running !== before) return running
      }
    }

    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer))
    const all = Promise.all(writers)
    all.catch(() => undefined)
    for (let kill = 0; kill < KILLS; kill += 1) {
      const killed = await acknowledging(null)
      process.kill(killed, kill % 2 === 0 ? 'SIGKILL' : 'SIGINT')
      await Promise.race([once(heard, 'refused'), all])
      // Nobody helps: PostgreSQL is started again, and what is asked for from then on is acknowledged.
      await acknowledging(killed)
    }
    ending.abort()
    await all

    expect(strange).toEqual([])
    const found = await server.context.database
      .select({ id: teams.id })
      .from(teams)
      .where(inArray(teams.id, acknowledged))
    expect(found).toHaveLength(acknowledged.length)
    expect((await browser.call('GET', '/api/health')).status).toBe(200)
  })
})
