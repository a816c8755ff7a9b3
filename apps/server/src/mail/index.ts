import { installationPolicies, installationRoleOf } from '@boxyard/api'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { MailDelivery } from './mailDelivery.ts'
import { mailPage } from './mailPage.ts'
import { smtpTransport } from './smtpTransport.ts'

const SHOWN = 200

const mailsSchema = z.object({
  data: z.object({
    mails: z.array(
      z.object({
        id: z.number().int(),
        kind: z.string(),
        to: z.array(z.string()),
        subject: z.string(),
        text: z.string(),
        attempts: z.number().int(),
        failure: z.string().nullable(),
        inserted_at: z.iso.datetime(),
      }),
    ),
  }),
})

/** Sends mails, and shows administrators those that have not left. */
export function registerMail(app: App, { configuration, database, log }: ServerContext): MailDelivery {
  const { smtp, appOrigin } = configuration
  const transport = smtp ? smtpTransport(smtp) : null
  const delivery = new MailDelivery({ database, appOrigin, transport, log })
  app.addHook('onListen', async () => delivery.start())
  app.addHook('preClose', () => delivery.close())

  app.get(
    '/api/v1/admin/mails',
    { onRequest: app.authenticate.required, schema: { response: { 200: mailsSchema } } },
    async (request) => {
      installationPolicies.authorize(installationRoleOf(userOf(request)), 'readMails')
      const mails = await delivery.waiting(SHOWN)
      return {
        data: {
          mails: mails.map(({ html: _html, insertedAt, ...mail }) => ({
            ...mail,
            inserted_at: insertedAt.toISOString(),
          })),
        },
      }
    },
  )

  app.get('/admin/mails', { onRequest: app.authenticate.optional, schema: { hide: true } }, async (request, reply) => {
    if (!request.user) return reply.redirect('/signin?continue=%2Fadmin%2Fmails')
    installationPolicies.authorize(installationRoleOf(request.user), 'readMails')
    const page = mailPage(await delivery.waiting(SHOWN), { isSent: transport !== null, nonce: request.nonce })
    reply.headers({
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'nonce-${request.nonce}'; frame-ancestors 'none'`,
    })
    return reply.type('text/html; charset=utf-8').send(page)
  })
  return delivery
}
