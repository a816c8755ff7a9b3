import { createTransport } from 'nodemailer'
import type { MailTransport } from './mailDelivery.ts'

/** Sends through a mail server. */
export function smtpTransport({ url, from }: { url: string; from: string }): MailTransport {
  const transport = createTransport(url)
  const domain = from.slice(from.indexOf('@') + 1)
  return {
    async send({ id, to, subject, text, html }) {
      await transport.sendMail({
        from: { name: 'Boxyard', address: from },
        to,
        subject,
        text,
        html,
        messageId: `<boxyard-${id}@${domain}>`,
        // Nothing of a mail may name files or addresses of this machine.
        disableFileAccess: true,
        disableUrlAccess: true,
      })
    },
    close: () => transport.close(),
  }
}
