import { and, eq } from 'drizzle-orm'
import { findUser, findUserByEmail } from '../accounts/users.ts'
import type { Queryable } from '../database/database.ts'
import { comments, teamMembers, users } from '../database/schema.ts'
import { wants } from '../notifications/preferences.ts'
import type { PreferenceName } from '../notifications/preferences.ts'
import type { MailKind, Mails } from '../outbox/mails.ts'
import { whoMayWithSandbox } from '../sandboxes/sandboxFollowers.ts'
import { findSandboxes } from '../sandboxes/sandboxes.ts'
import { findTeams } from '../workspaces/teams.ts'

/** A mail before it has a sender. */
export interface Letter {
  to: string[]
  subject: string
  /** Plain text, one paragraph an item. */
  paragraphs: string[]
  /** What the one button does. */
  action: { label: string; url: string }
}

interface Surroundings {
  database: Queryable
  appOrigin: string
}

type Composers = { [Kind in MailKind]: (mail: Mails[Kind], around: Surroundings) => Promise<Letter | null> }

const LONGEST_EXCERPT = 1000

/** How each kind of mail reads. Null when what it is about is gone, or its reader may not know of it any more. */
const composers: Composers = {
  async teamInvite({ teamId, email, invitedById, token }, { database, appOrigin }) {
    const [team] = await findTeams(database, [teamId])
    const inviter = await findUser(database, invitedById)
    if (!team || (await refuses(database, email, 'emailTeamInvite'))) return null
    return {
      to: [email],
      subject: `Join ${team.name}`,
      paragraphs: [`${inviter?.username ?? 'Someone'} invites you to the workspace ${team.name}.`],
      action: {
        label: 'Look at the invitation',
        url: token === null ? `${appOrigin}/dashboard` : `${appOrigin}/invite/${encodeURIComponent(token)}`,
      },
    }
  },
  async teamRequest({ teamId, userId }, { database, appOrigin }) {
    const [team] = await findTeams(database, [teamId])
    const user = await findUser(database, userId)
    if (!team || !user) return null
    return {
      to: await willingAdministrators(database, teamId),
      subject: `${user.username} asks to join ${team.name}`,
      paragraphs: [`${user.username} would like to be let into the workspace ${team.name}.`],
      action: { label: 'Look at the members', url: `${appOrigin}/t/overview?workspace=${teamId}` },
    }
  },
  async sandboxInvite({ sandboxId, email, invitedById, token }, { database, appOrigin }) {
    const [sandbox] = await findSandboxes(database, [sandboxId])
    const inviter = await findUser(database, invitedById)
    if (!sandbox || (await refuses(database, email, 'emailSandboxInvite'))) return null
    const title = sandbox.title ?? sandbox.id
    return {
      to: [email],
      subject: `${inviter?.username ?? 'Someone'} shares ${title} with you`,
      paragraphs: [`${inviter?.username ?? 'Someone'} invites you to ${title}.`],
      action: { label: 'Open it', url: `${appOrigin}/invitation/${sandbox.id}/${encodeURIComponent(token)}` },
    }
  },
  commentMention: (mail, around) =>
    commentLetter(mail, around, (author, title) => `${author} mentions you on ${title}`),
  commentReply: (mail, around) => commentLetter(mail, around, (author, title) => `${author} answers on ${title}`),
  newComment: (mail, around) => commentLetter(mail, around, (author, title) => `${author} comments on ${title}`),
  async signInLink({ email, login, url }) {
    return {
      to: [email],
      subject: 'Your link to sign in',
      paragraphs: [
        `Somebody, most likely you, asked for a link to sign in as ${login}. It works once.`,
        'If it was not you, there is nothing to do: without the link nobody gets in.',
      ],
      action: { label: 'Sign in', url },
    }
  },
  async accountDeletion({ email, dueAt }, { appOrigin }) {
    return {
      to: [email],
      subject: 'Your account is going to be deleted',
      paragraphs: [
        `You asked for your account to be deleted. That happens on ${new Date(dueAt).toISOString().slice(0, 10)}.`,
        'Until then nothing is lost and you can take it back.',
      ],
      action: { label: 'Keep the account', url: `${appOrigin}/dashboard/settings` },
    }
  },
}

const pathOf = ({ id, isV2 }: { id: string; isV2: boolean }) => `/${isV2 ? 'devbox' : 'sandbox'}/${id}`

/** What a mail of the outbox says and to whom. */
export function composeMail<Kind extends MailKind>(
  kind: Kind,
  mail: Mails[Kind],
  around: Surroundings,
): Promise<Letter | null> {
  return composers[kind](mail, around)
}

async function commentLetter(
  { commentId, userId }: { commentId: string; userId: string },
  { database, appOrigin }: Surroundings,
  subject: (author: string, title: string) => string,
): Promise<Letter | null> {
  const [comment] = await database.select().from(comments).where(eq(comments.id, commentId))
  const reader = await findUser(database, userId)
  if (!comment || !reader || reader.email === '') return null
  const [sandbox] = await findSandboxes(database, [comment.sandboxId])
  const author = await findUser(database, comment.userId)
  const allowed = await whoMayWithSandbox(database, [userId], comment.sandboxId, 'see')
  if (!sandbox || !author || !allowed.has(userId)) return null
  return {
    to: [reader.email],
    subject: subject(author.username, sandbox.title ?? sandbox.id),
    paragraphs: [(comment.content ?? '').slice(0, LONGEST_EXCERPT)],
    action: { label: 'Open the comment', url: `${appOrigin}${pathOf(sandbox)}?comment=${comment.id}` },
  }
}

/** Whether the address is that of somebody who wants no mails of this kind. Their bell has told them. */
async function refuses(database: Queryable, email: string, kind: PreferenceName): Promise<boolean> {
  const user = await findUserByEmail(database, email)
  return user !== null && !(await wants(database, user.id, kind))
}

async function willingAdministrators(database: Queryable, teamId: string): Promise<string[]> {
  const rows = await database
    .select({ id: users.id, email: users.email })
    .from(teamMembers)
    .innerJoin(users, eq(users.id, teamMembers.userId))
    .where(and(eq(teamMembers.teamId, teamId), eq(teamMembers.authorization, 'admin')))
  const willing: string[] = []
  for (const { id, email } of rows) {
    if (email !== '' && (await wants(database, id, 'emailTeamRequest'))) willing.push(email)
  }
  return willing
}
