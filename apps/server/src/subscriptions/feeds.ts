import type { SandboxOperation } from '@boxyard/api'
import { EVERY, feed } from '../events/liveField.ts'
import { subjectOf } from '../events/platformEvent.ts'
import { guestsOfSessions } from '../live/liveSessions.ts'
import { whoMayFollowMachine } from '../live/machineFollowers.ts'
import type { DomainEventName, DomainEvents } from '../outbox/domainEvents.ts'
import { whoMayFollowRepository, whoMayReadRepository } from '../repositories/repositoryFollowers.ts'
import { sandboxIdOf } from '../sandboxes/sandboxIds.ts'
import { whoMayWithSandbox } from '../sandboxes/sandboxFollowers.ts'
import { whoMayInTeam } from '../workspaces/teamFollowers.ts'

type NamesWith<Payload> = {
  [Name in DomainEventName]: DomainEvents[Name] extends Payload ? Name : never
}[DomainEventName]

/** Events about one sandbox, for whoever may do `operation` with it. */
export function sandboxFeed<Name extends NamesWith<{ sandboxId: string }>>(type: Name, operation: SandboxOperation) {
  return feed<{ sandboxId: string }, DomainEvents[Name]>({
    type,
    subject: ({ sandboxId }) => subjectOf.sandbox(sandboxIdOf(sandboxId) ?? sandboxId),
    allowed: (database, userIds, { subject }) => whoMayWithSandbox(database, userIds, idIn(subject), operation),
  })
}

/** Events about a repository. Where the one who follows names a branch, only those about that one. */
export function repositoryFeed<Name extends NamesWith<{ owner: string; repo: string }>, Args extends RepositoryArgs>(
  type: Name,
  accepts: (args: Args, data: DomainEvents[Name]) => boolean = () => true,
  whoMay: typeof whoMayFollowRepository = whoMayFollowRepository,
) {
  return feed<Args, DomainEvents[Name]>({
    type,
    subject: ({ owner, repo }) => subjectOf.repository(owner, repo),
    accepts: (args, data) => accepts(args, data as DomainEvents[Name]),
    allowed: (database, userIds, { args: { owner, repo } }) => whoMay(database, userIds, { owner, name: repo }),
  })
}

/** Events about the pull requests of a repository, for everybody who may read them. */
export function pullRequestFeed<Name extends 'projectEvents' | 'branchEvents', Args extends RepositoryArgs>(
  type: Name,
  accepts?: (args: Args, data: DomainEvents[Name]) => boolean,
) {
  return repositoryFeed<Name, Args>(type, accepts, whoMayReadRepository)
}

interface RepositoryArgs {
  owner: string
  repo: string
}

/** Events of the live sessions on a machine. The guests of a session are also told that it has ended. */
export function machineFeed(type: 'liveSessionEvents') {
  return feed<{ vmId: string }, DomainEvents['liveSessionEvents']>({
    type,
    subject: ({ vmId }) => subjectOf.machine(vmId),
    async allowed(database, userIds, { subject, data }) {
      const allowed = await whoMayFollowMachine(database, userIds, idIn(subject))
      if (!data) return allowed
      const guests = await guestsOfSessions(database, [(data as DomainEvents['liveSessionEvents']).sessionId])
      return new Set([...allowed, ...guests.map(({ userId }) => userId)])
    },
  })
}

/** Events of one workspace, or without an argument of all the workspaces one belongs to. */
export function teamFeed<Name extends 'teamEvents'>(type: Name) {
  return feed<{ teamId?: string | null }, DomainEvents[Name]>({
    type,
    subject: ({ teamId }) => subjectOf.team(teamId ?? EVERY),
    allowed: async (database, userIds, { subject }) =>
      idIn(subject) === EVERY ? new Set(userIds) : whoMayInTeam(database, userIds, idIn(subject), 'see'),
  })
}

function idIn(subject: string): string {
  return subject.slice(subject.indexOf(':') + 1)
}
