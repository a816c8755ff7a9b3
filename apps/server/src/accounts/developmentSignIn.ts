import { ApiError, usernameSchema } from '@boxyard/api'
import { asc } from 'drizzle-orm'
import { z } from 'zod'
import type { ServerContext } from '../context.ts'
import { users } from '../database/schema.ts'
import type { App } from '../http/app.ts'
import { AppCookies } from '../http/cookies.ts'
import { acceptForms } from './acceptForms.ts'
import { createSession } from './sessions.ts'
import { sendPage, sendResultPage } from './signInPage.ts'
import { createUser, findUserByName, hasNoUsers } from './users.ts'
import { escapeHtml } from '../http/escapeHtml.ts'

const MOST_SHOWN = 100

/** Sign-in as anyone, without a proof. Registered in development and nowhere else. */
export function registerDevelopmentSignIn(app: App, { configuration, database }: ServerContext): void {
  if (configuration.environment !== 'development') return
  const cookies = new AppCookies(configuration)

  app.get('/auth/dev', { schema: { hide: true } }, async (request, reply) => {
    const known = await database
      .select({ username: users.username })
      .from(users)
      .orderBy(asc(users.insertedAt))
      .limit(MOST_SHOWN)
    const buttons = known
      .map(({ username }) => escapeHtml(username))
      .map((name) => `<button name="username" value="${name}">${name}</button>`)
      .join('\n')
    const body = `<h1>Who do you want to be?</h1>
      <p>This page exists in development only. Nobody proves anything here.</p>
      <form method="post" action="/auth/dev">${buttons}</form>
      <form method="post" action="/auth/dev"><label>Somebody new <input name="username" required minlength="2"></label>
      <button>Continue</button></form>`
    return sendPage(reply, request.nonce, { status: 200, title: 'Who do you want to be?', body })
  })

  void app.register(async (forms: App) => {
    acceptForms(forms)
    forms.post(
      '/auth/dev',
      { schema: { hide: true, body: z.object({ username: usernameSchema }) } },
      async (request, reply) => {
        // Without cookies the general check has nothing to protect; here a session is given away.
        if (request.headers.origin !== configuration.appOrigin) throw new ApiError('CROSS_SITE')
        const { username } = request.body
        const present = await findUserByName(database, username)
        const user = present ?? (await addUser(username))
        const userAgent = request.headers['user-agent']
        cookies.setSession(reply, await createSession(database, { userId: user.id, kind: 'browser', userAgent }))
        return sendResultPage(request, reply, { type: 'signin' }, configuration.appOrigin)
      },
    )
  })

  function addUser(username: string) {
    return database.transaction(async (tx) => {
      const role = (await hasNoUsers(tx)) ? ('admin' as const) : ('member' as const)
      const email = `${username}@development.invalid`
      return (await createUser(tx, { username, name: null, email, avatarUrl: null, role })).user
    })
  }
}
