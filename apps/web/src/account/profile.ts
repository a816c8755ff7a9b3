import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { signedIn } from '../api/queries.ts'
import type { App } from '../App.ts'

/** What people can be told about, as the boxes of the settings say it. */
export const preferenceNames = {
  emailTeamInvite: 'E-mail: somebody invites me to a workspace',
  emailTeamRequest: 'E-mail: somebody asks to join a workspace of mine',
  emailSandboxInvite: 'E-mail: somebody shares a sandbox with me',
  emailNewComment: 'E-mail: a new comment on my sandbox',
  emailCommentReply: 'E-mail: an answer to my comment',
  emailCommentMention: 'E-mail: somebody mentions me',
  emailMarketing: 'E-mail: news about this server',
  inAppPrReviewRequest: 'Here: somebody asks me for a review',
  inAppPrReviewReceived: 'Here: my pull request is reviewed',
} as const
export type PreferenceName = keyof typeof preferenceNames

const names = Object.keys(preferenceNames) as PreferenceName[]
const preferencesSchema = z.object(
  Object.fromEntries(names.map((name) => [name, z.boolean()])) as Record<PreferenceName, z.ZodBoolean>,
)

const profileSchema = z.object({
  username: z.string(),
  name: z.string().nullable(),
  email: z.string(),
  deletionRequested: z.boolean(),
  notificationPreferences: preferencesSchema.nullable(),
})
export type Profile = z.output<typeof profileSchema>

export const profile = (app: App) =>
  queryOptions({
    queryKey: ['profile'],
    queryFn: async () => {
      const { me } = await app.graphql.query(
        `query profile { me { username name email deletionRequested notificationPreferences { ${names.join(' ')} } } }`,
        { schema: z.object({ me: profileSchema.nullable() }) },
      )
      return signedIn(me)
    },
  })

async function change(app: App, document: string, variables: Record<string, unknown> = {}): Promise<void> {
  await app.graphql.query(document, { variables, schema: z.unknown() })
  await app.queries.invalidateQueries({ queryKey: ['profile'] })
}

export const updateProfile = (app: App, { username, name }: { username: string; name: string }) =>
  change(
    app,
    `mutation updateCurrentUser($username: String!, $name: String) { updateCurrentUser(username: $username, name: $name) { id } }`,
    { username, name },
  )

export const updatePreference = (app: App, name: PreferenceName, on: boolean) =>
  change(
    app,
    `mutation updateNotificationPreferences($on: Boolean) { updateNotificationPreferences(${name}: $on) { ${name} } }`,
    { on },
  )

export const deleteAccount = (app: App) =>
  change(app, `mutation deleteCurrentUser { deleteCurrentUser(confirm: true) }`)

export const cancelDeletion = (app: App) => change(app, `mutation cancelDeleteCurrentUser { cancelDeleteCurrentUser }`)
