import { EVERY } from '../events/liveField.ts'
import { subjectOf } from '../events/platformEvent.ts'
import type { DomainEventName, DomainEvents } from './domainEvents.ts'

type Subjects = { [Name in DomainEventName]: (payload: DomainEvents[Name]) => string }

const sandbox = ({ sandboxId }: { sandboxId: string }) => subjectOf.sandbox(sandboxId)
const repository = ({ owner, repo }: { owner: string; repo: string }) => subjectOf.repository(owner, repo)

/** What each kind of event is about: those who follow that are told. */
const subjects: Subjects = {
  branchEvents: repository,
  collaboratorAdded: sandbox,
  collaboratorChanged: sandbox,
  collaboratorRemoved: sandbox,
  commentAdded: sandbox,
  commentChanged: sandbox,
  commentRemoved: sandbox,
  githubEvents: repository,
  invitationCreated: sandbox,
  invitationChanged: sandbox,
  invitationRemoved: sandbox,
  liveSessionEvents: ({ vmId }) => subjectOf.machine(vmId),
  projectCommits: repository,
  projectConnections: repository,
  projectEvents: repository,
  projectStatus: repository,
  sandboxChanged: sandbox,
  teamEvents: ({ teamId }) => subjectOf.team(teamId),
  accessChanged({ userId, sandboxId, teamId, vmId }) {
    if (userId !== null) return subjectOf.user(userId)
    if (sandboxId !== null) return subjectOf.sandbox(sandboxId)
    if (vmId !== undefined) return subjectOf.machine(vmId)
    return subjectOf.team(teamId ?? EVERY)
  },
  notificationAdded: ({ userId }) => subjectOf.user(userId),
}

export function eventSubject<Name extends DomainEventName>(name: Name, payload: DomainEvents[Name]): string {
  return subjects[name](payload)
}
