import { eq } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outbox, users } from '../database/schema.ts'
import { createWork } from '../outbox/unitOfWork.ts'
import { createTestDatabase } from '../testing/database.ts'
import type { TestDatabase } from '../testing/database.ts'
import { temporaryFolder } from '../testing/folders.ts'
import { runServer } from '../testing/program.ts'
import type { Program } from '../testing/program.ts'
import { freePort } from '../testing/server.ts'

const homes: string[] = []
let database: TestDatabase
let program: Program

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  program.kill('SIGTERM')
  await program.exited
  await database.drop()
  for (const home of homes) rmSync(home, { recursive: true, force: true })
})

async function start(smtpPort: number): Promise<Program> {
  const home = temporaryFolder('mail')
  homes.push(home)
  return runServer({
    BOXYARD_HOME: home,
    PORT: String(await freePort()),
    DATABASE_URL: database.url,
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    BOXYARD_NPM_REGISTRY: 'http://registry.test',
    BOXYARD_PIP_INDEX: 'http://index.test/simple',
  })
}

describe('AP704: a mail whose server is killed between the commit and the sending', () => {
  it('is sent by the next one, with the same id', async () => {
    const received: string[] = []
    let heardAgain = () => undefined as void
    const secondMail = new Promise<void>((resolve) => (heardAgain = resolve))
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, _session, done) {
        let content = ''
        stream.setEncoding('utf8').on('data', (chunk: string) => (content += chunk))
        stream.on('end', () => {
          received.push(content)
          // The first server dies before it hears that its mail was taken.
          if (received.length === 1) program.kill('SIGKILL')
          else {
            done()
            heardAgain()
          }
        })
      },
    })
    smtp.on('error', () => undefined)
    const listening = once(smtp.server, 'listening')
    smtp.listen(0, '127.0.0.1')
    await listening
    const { port } = smtp.server.address() as AddressInfo

    const userId = randomUUID()
    await database.database.insert(users).values({ id: userId, username: 'ada', email: 'ada@example.test' })
    await database.database.transaction((tx) =>
      createWork(tx, null).mail('accountDeletion', {
        userId,
        email: 'ada@example.test',
        dueAt: '2026-12-24T00:00:00.000Z',
      }),
    )
    program = await start(port)
    expect((await program.exited).signal).toBe('SIGKILL')
    const waiting = () => database.database.select().from(outbox).where(eq(outbox.channel, 'mail'))
    expect(await waiting()).toEqual([expect.objectContaining({ doneAt: null, attempts: 0 })])

    program = await start(port)
    await secondMail
    // Stopped in order it notes first what it has sent.
    program.kill('SIGTERM')
    await program.exited
    expect((await waiting())[0]!.doneAt).not.toBeNull()
    const ids = await Promise.all(received.map(async (content) => (await PostalMime.parse(content)).messageId))
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
    await new Promise<void>((resolve) => smtp.close(resolve))
  })
})
