import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outbox, teamRequests } from '../database/schema.ts'
import { createWork } from '../outbox/unitOfWork.ts'
import { valueOf } from '../testing/ask.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { MailDelivery } from './mailDelivery.ts'
import type { MailTransport } from './mailDelivery.ts'
import { smtpTransport } from './smtpTransport.ts'

let server: TestServer
let admin: TestBrowser
let member: TestBrowser
let ada: string
const silent = { warn: () => undefined, error: () => undefined }

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signedIn('ada')
  member = await server.signedIn('grace')
  ada = (await valueOf<{ id: string }>(admin, '{ me { id } }')).id
})
afterAll(() => server.close())

async function write(email: string): Promise<void> {
  const dueAt = '2026-12-24T00:00:00.000Z'
  await server.context.database.transaction((tx) =>
    createWork(tx, null).mail('accountDeletion', { userId: ada, email, dueAt }),
  )
}

function delivery(transport: MailTransport): MailDelivery {
  const { database } = server.context
  return new MailDelivery({ database, appOrigin: server.origin, transport, log: silent })
}

describe('mails', () => {
  it('AP340: wait where no mail server is set up, and only administrators read them', async () => {
    await write('<b>@example.test')
    const answer = await admin.call('GET', '/api/v1/admin/mails')
    expect(answer.body).toMatchObject({
      data: {
        is_sent: false,
        mails: [{ to: ['<b>@example.test'], subject: 'Your account is going to be deleted', attempts: 0 }],
      },
    })
    expect((await member.call('GET', '/api/v1/admin/mails')).status).toBe(403)
    expect((await server.browser().call('GET', '/api/v1/admin/mails')).status).toBe(401)
  })

  it('AP341: leave through a mail server once, as text and as a page', async () => {
    const received: { to: string[]; content: string }[] = []
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, session, done) {
        let content = ''
        stream.setEncoding('utf8').on('data', (chunk: string) => (content += chunk))
        stream.on('end', () => {
          received.push({ to: session.envelope.rcptTo.map(({ address }) => address), content })
          done()
        })
      },
    })
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
    const { port } = smtp.server.address() as AddressInfo
    const sending = delivery(smtpTransport({ url: `smtp://127.0.0.1:${port}`, from: 'boxyard@example.test' }))
    await server.context.database.delete(outbox)
    await write('someone@example.test')
    expect(await sending.deliverDue()).toBe(1)
    expect(await sending.deliverDue()).toBe(0)
    await sending.close()
    await new Promise<void>((resolve) => smtp.close(resolve))
    expect(received.map(({ to }) => to)).toEqual([['someone@example.test']])
    const mail = await PostalMime.parse(received[0]!.content)
    expect(mail.from?.address).toBe('boxyard@example.test')
    expect(mail.messageId).toMatch(/^<boxyard-\d+@example\.test>$/)
    expect(mail.text).toContain('2026-12-24')
    expect(mail.html).toContain(`${server.origin}/dashboard/settings`)
  })

  it('AP342: are tried again later when they do not leave, and given up in the end', async () => {
    const { database } = server.context
    await database.delete(outbox)
    await write('unreachable@example.test')
    const failing = delivery({
      send: async () => {
        throw new Error('Nobody listens')
      },
      close: () => undefined,
    })
    const now = new Date()
    expect(await failing.deliverDue(now)).toBe(1)
    expect(await failing.deliverDue(now)).toBe(0)
    const [waiting] = await database.select().from(outbox)
    expect(waiting).toMatchObject({ attempts: 1, failure: 'Nobody listens', doneAt: null })
    for (let attempt = 1; attempt < 10; attempt += 1) {
      expect(await failing.deliverDue(new Date(now.getTime() + attempt * 86_400_000))).toBe(1)
    }
    const [done] = await database.select().from(outbox)
    expect(done!.doneAt).not.toBeNull()
  })

  it('AP343: leave out what is gone by the time they are sent', async () => {
    const { database } = server.context
    await database.delete(outbox)
    const nobody = '00000000-0000-4000-8000-000000000000'
    await database.transaction((tx) => createWork(tx, null).mail('newComment', { commentId: nobody, userId: ada }))
    let sent = 0
    const counting = delivery({ send: async () => void (sent += 1), close: () => undefined })
    expect(await counting.deliverDue()).toBe(1)
    expect(sent).toBe(0)
  })

  it('AP856: are written to nobody who switched their kind off, and to those who did not', async () => {
    const { database } = server.context
    await server.signedIn('alan')
    const team = (await valueOf<{ id: string }>(admin, 'mutation { createTeam(name: "Mailers") { id } }')).id
    const made = await admin.call('POST', '/api/v1/sandboxes/define', { files: { 'a.js': { content: '' } }, json: 1 })
    const sandboxId = (made.body as { sandbox_id: string }).sandbox_id
    const kinds = {
      emailTeamInvite: () =>
        valueOf(admin, `mutation { inviteToTeam(teamId: "${team}", username: "grace", authorization: READ) { id } }`),
      emailSandboxInvite: () =>
        valueOf(
          admin,
          `mutation { createSandboxInvitation(sandboxId: "${sandboxId}", email: "grace@example.test", authorization: READ) { id } }`,
        ),
      emailTeamRequest: async () => {
        await database.delete(teamRequests)
        await valueOf(member, `mutation { requestTeamInvitation(teamId: "${team}") }`)
      },
    }
    for (const [preference, cause] of Object.entries(kinds)) {
      const [reader, address] =
        preference === 'emailTeamRequest' ? [admin, 'ada@example.test'] : [member, 'grace@example.test']
      for (const wanted of [false, true]) {
        await valueOf(reader, `mutation { updateNotificationPreferences(${preference}: ${wanted}) { ${preference} } }`)
        await database.delete(outbox)
        await cause()
        const addresses: unknown[] = []
        const noting = delivery({ send: async ({ to }) => void addresses.push(to), close: () => undefined })
        await noting.deliverDue()
        expect([preference, wanted, addresses.flat()]).toEqual([preference, wanted, wanted ? [address] : []])
      }
    }
  })
})
