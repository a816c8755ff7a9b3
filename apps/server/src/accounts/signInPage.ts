import type { FastifyReply, FastifyRequest } from 'fastify'

export type SignInMessage = { type: 'signin' } | { type: 'duplicate' } | { type: 'signup'; data: { id: string } }

/** Where a sign-in that was no popup goes on. */
function continuationOf(message: SignInMessage): string {
  if (message.type === 'signin') return '/'
  return message.type === 'signup' ? `/signin?pending=${message.data.id}` : '/signin?error=DUPLICATE'
}

/** The last page of a sign-in window: tells the app how it went, then closes. */
export function sendResultPage(
  request: FastifyRequest,
  reply: FastifyReply,
  message: SignInMessage,
  appOrigin: string,
): FastifyReply {
  const { nonce } = request
  // Only our own constants and ids get here; the escape keeps it right if that ever changes.
  const data = JSON.stringify({ message, appOrigin, continuation: continuationOf(message) }).replaceAll('<', '\\u003c')
  const body = `<p>You can close this window.</p>
    <script nonce="${nonce}">
      const { message, appOrigin, continuation } = ${data}
      if (window.opener) {
        window.opener.postMessage(message, appOrigin)
        window.close()
      } else location.replace(continuation)
    </script>`
  return sendPage(reply, nonce, { status: 200, title: 'Signed in', body })
}

/** What a person sees in the window when the sign-in came to nothing. `text` is ours, never the provider's. */
export function sendProblemPage(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  text: string,
): FastifyReply {
  const body = `<h1>You are not signed in</h1><p>${text}</p><p>Close this window and sign in again.</p>`
  return sendPage(reply, request.nonce, { status, title: 'You are not signed in', body })
}

export function sendPage(
  reply: FastifyReply,
  nonce: string,
  { status, title, body }: { status: number; title: string; body: string },
): FastifyReply {
  return reply
    .code(status)
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    })
    .type('text/html; charset=utf-8')
    .send(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <title>${title}</title><style nonce="${nonce}">:root { color-scheme: dark light } body { margin: 48px auto; max-width: 360px;
      padding: 0 24px; font: 13px/20px Inter, system-ui, sans-serif } h1 { font-size: 20px; font-weight: 600 }
      button, input { font: inherit; margin: 4px 4px 4px 0; padding: 4px 8px }</style></head>
      <body>${body}</body></html>`)
}
