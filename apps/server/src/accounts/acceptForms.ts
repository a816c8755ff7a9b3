import type { App } from '../http/app.ts'

/** An answer by SAML may carry a long assertion; a short form is no reason to read more. */
const FORM_BYTES = 256 * 1024

/** Lets the routes of this part of the app read bodies of forms. */
export function acceptForms(app: App, bodyLimit = FORM_BYTES): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
}
