import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { momentSchema, signedIn } from '../api/queries.ts'
import type { App } from '../App.ts'

const notificationSchema = z.object({
  id: z.string(),
  type: z.string(),
  /** JSON, by the type. */
  data: z.string(),
  read: z.boolean(),
  archived: z.boolean(),
  insertedAt: momentSchema,
})
export type Notification = z.output<typeof notificationSchema>

/** The latest notifications of the person, read again every minute and whenever the page is looked at again. */
export const notifications = (app: App) =>
  queryOptions({
    queryKey: ['notifications'],
    queryFn: async () => {
      const { me } = await app.graphql.query(
        `query notifications($limit: Int) { me { notifications(limit: $limit, orderBy: { field: "insertedAt", direction: DESC }) { id type data read archived insertedAt } } }`,
        {
          variables: { limit: 50 },
          schema: z.object({ me: z.object({ notifications: z.array(notificationSchema) }).nullable() }),
        },
      )
      return signedIn(me).notifications
    },
    refetchInterval: 60_000,
  })

type Command = { kind: 'read' | 'archive'; id: string } | { kind: 'readAll' }

export async function changeNotifications(app: App, command: Command): Promise<void> {
  const document = {
    read: `mutation markNotificationAsRead($id: UUID4!) { markNotificationAsRead(notificationId: $id) { id } }`,
    archive: `mutation archiveNotification($id: UUID4!) { archiveNotification(notificationId: $id) { id } }`,
    readAll: `mutation markAllNotificationsAsRead { markAllNotificationsAsRead { id } }`,
  }[command.kind]
  const variables = command.kind === 'readAll' ? {} : { id: command.id }
  await app.graphql.query(document, { variables, schema: z.unknown() })
  await app.queries.invalidateQueries({ queryKey: ['notifications'] })
}

const dataSchema = z
  .object({
    inviter_name: z.string(),
    requester_name: z.string(),
    author_name: z.string(),
    user_name: z.string(),
    team_name: z.string(),
    team_id: z.string(),
    sandbox_id: z.string(),
    sandbox_title: z.string(),
    sandbox_alias: z.string(),
    pull_request_number: z.number(),
    repo_owner: z.string(),
    repo_name: z.string(),
    branch: z.string(),
    invitation_token: z.string(),
  })
  .partial()

/** A notification as a sentence, and where it leads. */
export function wordsOf({ type, data }: Pick<Notification, 'type' | 'data'>): { text: string; link: string | null } {
  const parsed = dataSchema.safeParse(parseJson(data))
  const given = parsed.success ? parsed.data : {}
  const who = given.inviter_name ?? given.requester_name ?? given.author_name ?? given.user_name ?? 'Somebody'
  const sandbox = given.sandbox_title ?? 'a sandbox'
  const sandboxLink = given.sandbox_id ? `/sandbox/${encodeURIComponent(given.sandbox_id)}` : null
  const invitation = given.invitation_token
  const sharedLink =
    given.sandbox_id && invitation
      ? `/invitation/${encodeURIComponent(given.sandbox_id)}/${encodeURIComponent(invitation)}`
      : sandboxLink
  const workspace = given.team_name ?? 'a workspace'
  const workspaceLink = given.team_id ? `/t/overview?workspace=${encodeURIComponent(given.team_id)}` : null
  switch (type) {
    case 'team_invite':
      return { text: `${who} invites you to the workspace ${workspace}`, link: workspaceLink }
    case 'team_request':
      return { text: `${who} asks to join ${workspace}`, link: workspaceLink }
    case 'team_accepted':
      return { text: `${who} has joined ${workspace}`, link: workspaceLink }
    case 'sandbox_invitation':
      return { text: `${who} shares ${sandbox} with you`, link: sharedLink }
    case 'comment':
      return { text: `${who} commented on ${sandbox}`, link: sandboxLink }
    case 'comment_reply':
      return { text: `${who} answered a comment on ${sandbox}`, link: sandboxLink }
    case 'mention':
    case 'comment_mention':
      return { text: `${who} mentioned you on ${sandbox}`, link: sandboxLink }
    case 'pull_request_review_requested':
      return { text: `${who} asks you to review a pull request`, link: pullRequestLink(given) }
    case 'pull_request_review_received':
      return { text: `${who} reviewed your pull request`, link: pullRequestLink(given) }
    default:
      return { text: type.replaceAll('_', ' '), link: null }
  }
}

function pullRequestLink(given: z.output<typeof dataSchema>): string | null {
  const { repo_owner: owner, repo_name: name, branch } = given
  if (!owner || !name) return null
  const repository = `/github/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`
  return branch ? `${repository}/${branch.split('/').map(encodeURIComponent).join('/')}` : repository
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Data of a kind this page does not know; the type alone is shown.
    return {}
  }
}
