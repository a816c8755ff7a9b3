/** Someone who has a branch open. */
export interface BranchConnection {
  appId: string
  clientId: string
  color: string
  timestamp: string
  userId: string | null
}

/**
 * What happened, by the name of the subscription that tells of it. Events carry ids, not content: whoever delivers one loads what it
 * is about and looks again at what the subscriber may see.
 */
export interface DomainEvents {
  branchEvents: { provider: 'github'; owner: string; repo: string; branchName: string; event: Record<string, unknown> }
  collaboratorAdded: { sandboxId: string; collaboratorId: string }
  collaboratorChanged: { sandboxId: string; collaboratorId: string }
  /** The row is gone, so it is in the event. */
  collaboratorRemoved: { sandboxId: string; collaboratorId: string; userId: string; authorization: string }
  commentAdded: { sandboxId: string; commentId: string }
  commentChanged: { sandboxId: string; commentId: string }
  /** The row is gone, so it is in the event. */
  commentRemoved: { sandboxId: string; commentId: string; comment: Record<string, unknown> }
  githubEvents: { owner: string; repo: string; event: Record<string, unknown> }
  invitationCreated: { sandboxId: string; invitationId: string }
  invitationChanged: { sandboxId: string; invitationId: string }
  invitationRemoved: { sandboxId: string; invitationId: string; email: string; authorization: string; token: string }
  liveSessionEvents: {
    vmId: string
    sessionId: string
    event: 'joined' | 'set_default_permission' | 'set_guest_permission' | 'started' | 'stopped'
  }
  projectCommits: { owner: string; repo: string; branchId: string }
  projectConnections: { owner: string; repo: string; branchId: string; connections: BranchConnection[] }
  projectEvents: { owner: string; repo: string; event: Record<string, unknown> }
  projectStatus: { owner: string; repo: string; branchId: string }
  sandboxChanged: { sandboxId: string }
  teamEvents: { teamId: string; event: string; subscriptionId: string }
  /** Not a subscription of its own: someone's rights changed, so what they listen to is looked at again. */
  accessChanged: { userId: string | null; teamId: string | null; sandboxId: string | null; vmId?: string }
  /** Not a subscription of its own: pushed on the channel `notification:<userId>`. */
  notificationAdded: { userId: string; notificationId: string }
}

export type DomainEventName = keyof DomainEvents
