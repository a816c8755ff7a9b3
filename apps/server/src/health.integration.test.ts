import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { startManagedPostgres } from './database/managedPostgres.ts'
import { temporaryFolder } from './testing/folders.ts'
import { startTestServer } from './testing/server.ts'

const cleanUps: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

it('says that the database is down, and recovers when it is back', async () => {
  const folder = temporaryFolder('postgres')
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }))
  const startPostgres = () =>
    startManagedPostgres({
      folder: join(folder, 'postgres'),
      log: { info: () => undefined, error: () => undefined },
      settings: { fsync: 'off' },
    })
  const postgres = await startPostgres()
  const { host, user, database } = postgres.connection
  const server = await startTestServer({ DATABASE_URL: `postgres://${user}@localhost/${database}?host=${host}` })
  cleanUps.push(() => server.close())
  const browser = await server.signedIn('ada')
  const health = () => browser.call('GET', '/api/health')
  expect(await health()).toMatchObject({ status: 200, body: { status: 'ok', parts: { database: { ok: true } } } })

  await postgres.stop()
  expect(await health()).toMatchObject({
    status: 503,
    body: {
      status: 'down',
      parts: { database: { ok: false, reason: 'PostgreSQL does not answer. Nothing that was saved is lost.' } },
    },
  })
  expect(await browser.call('GET', '/api/v1/users/current')).toMatchObject({
    status: 503,
    body: { error: { code: 'UNAVAILABLE', next: 'Nothing that was saved is lost. Try again in a moment.' } },
  })

  const again = await startPostgres()
  cleanUps.push(() => again.stop())
  expect((await health()).status).toBe(200)
  expect((await browser.call('GET', '/api/v1/users/current')).status).toBe(200)
})
