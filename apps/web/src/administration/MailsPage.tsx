import { EmptyState, Skeleton } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { z } from 'zod'
import { useApp } from '../App.ts'
import { QueryView } from '../dashboard/QueryView.tsx'
import { relativeTime } from '../dashboard/relativeTime.ts'
import { linksIn } from './linksIn.ts'

const mailsSchema = z.object({
  isSent: z.boolean(),
  mails: z.array(
    z.object({
      id: z.number(),
      to: z.array(z.string()),
      subject: z.string(),
      text: z.string(),
      attempts: z.number(),
      failure: z.string().nullable(),
      insertedAt: z.iso.datetime().transform((text) => new Date(text)),
    }),
  ),
})
type WaitingMail = z.output<typeof mailsSchema>['mails'][number]

/** For administrators of the installation: the mails that have not left. */
export function MailsPage() {
  const { rest } = useApp()
  const query = useQuery({
    queryKey: ['waiting-mails'],
    queryFn: ({ signal }) => rest.get('/admin/mails', { schema: mailsSchema, signal }),
  })
  return (
    <QueryView query={query} what="The mails" skeleton={<Skeleton className="h-32 w-full" />}>
      {({ isSent, mails }) =>
        mails.length === 0 ? (
          <EmptyState icon={<Mail aria-hidden size={28} strokeWidth={1.5} />} title="No mail waits">
            {isSent
              ? 'Every mail has left. One that the mail server refuses is listed here until its next attempt.'
              : 'No mail server is set up, so mails will be listed here instead of leaving. Set SMTP_URL to send them.'}
          </EmptyState>
        ) : (
          <div className="flex max-w-[800px] flex-col gap-4">
            <p className="text-quiet">
              {isSent
                ? 'These mails wait for their next attempt.'
                : 'No mail server is set up, so nothing leaves. Set SMTP_URL to send these mails, or pass their links on yourself.'}
            </p>
            {mails.map((mail) => (
              <MailCard key={mail.id} mail={mail} now={new Date(query.dataUpdatedAt)} />
            ))}
          </div>
        )
      }
    </QueryView>
  )
}

function MailCard({ mail, now }: { mail: WaitingMail; now: Date }) {
  return (
    <article aria-label={mail.subject} className="rounded-menu border border-line bg-panel p-4">
      <h2 className="font-semibold">{mail.subject}</h2>
      <p className="text-12 text-quiet">
        To {mail.to.join(', ')}, written {relativeTime(mail.insertedAt, now)}
      </p>
      <p className="mt-3 [overflow-wrap:anywhere] whitespace-pre-wrap">
        {linksIn(mail.text).map(({ text, url }, index) =>
          url ? (
            <a key={index} href={url}>
              {text}
            </a>
          ) : (
            text
          ),
        )}
      </p>
      {mail.failure !== null && (
        <p className="mt-3 text-danger">
          Attempt {mail.attempts} failed: {mail.failure}
        </p>
      )}
    </article>
  )
}
