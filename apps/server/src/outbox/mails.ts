/** Mails that people are sent, by kind, with what their text needs. Who is written to is found when it is sent. */
export interface Mails {
  teamInvite: { teamId: string; email: string; invitedById: string; token: string | null }
  teamRequest: { teamId: string; userId: string }
  sandboxInvite: { sandboxId: string; email: string; invitedById: string; token: string }
  commentMention: { commentId: string; userId: string }
  commentReply: { commentId: string; userId: string }
  newComment: { commentId: string; userId: string }
  accountDeletion: { userId: string; email: string; dueAt: string }
}

export type MailKind = keyof Mails
