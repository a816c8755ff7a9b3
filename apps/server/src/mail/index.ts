import { installationPolicies, installationRoleOf } from '@boxyard/api'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { MailDelivery } from './mailDelivery.ts'
import { smtpTransport } from './smtpTransport.ts'

const SHOWN = 200

const mailsSchema = z.object({
  data: z.object({
    /** Whether mails leave at all. */
    is_sent: z.boolean(),
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
          is_sent: transport !== null,
          mails: mails.map(({ html: _html, insertedAt, ...mail }) => ({
            ...mail,
            inserted_at: insertedAt.toISOString(),
          })),
        },
      }
    },
  )

  return delivery
}
