import type { WaitingMail } from './mailDelivery.ts'
import { escapeHtml } from './writeMail.ts'

/** The page on which an administrator reads what could not be sent. */
export function mailPage(mails: readonly WaitingMail[], { isSent, nonce }: { isSent: boolean; nonce: string }): string {
  const explanation = isSent
    ? 'These mails wait for their next attempt.'
    : 'No mail server is set up, so nothing leaves. Set SMTP_URL to send these mails, or pass their links on yourself.'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Mails</title>
<style nonce="${nonce}">
body { font: 14px/1.5 system-ui, sans-serif; max-width: 800px; margin: 32px auto; padding: 0 16px; background: #151515; color: #e5e5e5 }
article { border: 1px solid #2b2b2b; border-radius: 8px; padding: 16px; margin: 16px 0 }
h2 { font-size: 16px; margin: 0 } pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit } p { color: #999; margin: 4px 0 }
</style>
</head>
<body>
<h1>Mails</h1>
<p>${escapeHtml(explanation)}</p>
${mails.map(article).join('\n') || '<p>There are none.</p>'}
</body>
</html>
`
}

function article({ to, subject, text, insertedAt, attempts, failure }: WaitingMail): string {
  const trouble = failure === null ? '' : `<p>Attempt ${attempts}: ${escapeHtml(failure)}</p>`
  return `<article>
<h2>${escapeHtml(subject)}</h2>
<p>To ${escapeHtml(to.join(', '))}, ${escapeHtml(insertedAt.toISOString())}</p>
<pre>${escapeHtml(text)}</pre>
${trouble}
</article>`
}
