import type { SandboxAnswer } from '@boxyard/api'
import { and, eq, inArray, ne } from 'drizzle-orm'
import { findUser } from '../accounts/users.ts'
import type { User } from '../accounts/users.ts'
import { subscriptionsOf } from '../billing/subscriptions.ts'
import type { Database } from '../database/database.ts'
import { collections, gits, teamMembers } from '../database/schema.ts'
import { badgesOf, teamFlags } from '../flags/flags.ts'
import type { Badge } from '../flags/flags.ts'
import { likedAmong } from '../likes/likes.ts'
import { runningSession } from '../live/liveSessions.ts'
import { aiConsentOf } from '../repositories/aiConsentOf.ts'
import { findBranch, repositoryOf } from '../repositories/projects.ts'
import { findRegistries } from '../registries/registries.ts'
import { teamLimits } from '../workspaces/limits.ts'
import { findTeams, personalTeamId } from '../workspaces/teams.ts'
import { restrictedIds } from './counts.ts'
import { environmentOf } from './environment.ts'
import { customTemplatesOf } from './customTemplates.ts'
import { presentSandbox } from './presentSandbox.ts'
import { readFiles } from './sandboxFiles.ts'
import { accessSandbox } from './sandboxes.ts'
import type { SandboxAccess } from './sandboxes.ts'
import type { TemplateCatalogue } from './templates.ts'

/** A sandbox with everything around it, as `user` reads it over REST. */
export async function describeSandbox(
  { database, templates }: { database: Database; templates: TemplateCatalogue },
  access: SandboxAccess,
  user: User | null,
): Promise<SandboxAnswer> {
  const { id, authorId, teamId, template, forkedFromId, collectionId, isV2 } = access.sandbox
  const { gitId, originalGitId, baseGitId } = access.sandbox
  const gitIds = [gitId, originalGitId, baseGitId].flatMap((one) => one ?? [])
  const [
    author,
    [team],
    forkedFrom,
    files,
    ownTemplates,
    liked,
    restricted,
    places,
    registries,
    flags,
    live,
    branch,
    [folder],
    badges,
    [subscription],
  ] = await Promise.all([
    authorId === null ? null : findUser(database, authorId),
    findTeams(database, [teamId]),
    forkedFromId === null ? null : accessSandbox(database, forkedFromId, user),
    isV2 ? { modules: [], directories: [] } : readFiles(database, id),
    customTemplatesOf(database, forkedFromId === null ? [id] : [id, forkedFromId]),
    user === null ? new Set<string>() : likedAmong(database, user.id, [id]),
    collectionId === null ? new Set<string>() : restrictedIn(database, teamId),
    gitIds.length === 0 ? [] : database.select().from(gits).where(inArray(gits.id, gitIds)),
    findRegistries(database, [teamId]),
    teamFlags(database, [teamId]),
    runningSession(database, id),
    findBranch(database, id),
    collectionId === null || user === null ? [] : folderFor(database, collectionId, user.id),
    authorId === null ? new Map<string, Badge[]>() : badgesOf(database, [authorId]),
    authorId === null ? [] : subscriptionOfPerson(database, authorId),
  ])
  const forkedGitId = forkedFrom?.sandbox.gitId ?? null
  const [forkedGit] = forkedGitId === null ? [] : await database.select().from(gits).where(eq(gits.id, forkedGitId))
  const templateOf = (sandboxId: string | null) => ownTemplates.find((one) => one.sandboxId === sandboxId) ?? null
  const own = branch ? [branch.branch.aiConsent, branch.project.aiConsent] : [access.sandbox.aiConsent]
  const placeOf = (gitOf: string | null) => places.find((place) => place.id === gitOf) ?? null
  return presentSandbox(access, {
    author,
    team: team!,
    template: template === null ? null : templates.find(template),
    forkedFrom: forkedFrom?.sandbox ?? null,
    forkedTemplate: forkedFrom && templateOf(forkedFrom.sandbox.id),
    forkedGit: forkedGit ?? null,
    forkedEnvironment: forkedFrom ? environmentOf(forkedFrom.sandbox, templates) : '',
    authorBadges: (authorId === null ? undefined : badges.get(authorId)) ?? [],
    authorSubscription: subscription ?? null,
    files,
    customTemplate: templateOf(id),
    liked: liked.has(id),
    restricted: restricted.has(id),
    git: branch ? placeOfBranch(branch) : placeOf(gitId),
    originalGit: placeOf(originalGitId),
    baseGit: placeOf(baseGitId),
    registries,
    featureFlags: flags.get(teamId) ?? {},
    aiConsent: aiConsentOf({
      own,
      kind: branch ? 'Repositories' : 'Sandboxes',
      isPrivate: branch ? repositoryOf(branch.project).private : access.sandbox.privacy > 0,
      team: team!,
    }),
    folder: folder?.path ?? null,
    roomId: live?.id ?? null,
  })
}

/** The branch of a repository that the sandbox is the box of. */
const placeOfBranch = ({ branch, project }: NonNullable<Awaited<ReturnType<typeof findBranch>>>) => ({
  username: project.owner,
  repo: project.name,
  branch: branch.name,
  path: '',
  commitSha: null,
})

/** The sandboxes in folders that are beyond the plan of their workspace. */
async function restrictedIn(database: Database, teamId: string): Promise<ReadonlySet<string>> {
  const { includedSandboxes: included } = await teamLimits(database, teamId)
  return restrictedIds(database, [{ teamId, included }])
}

/** The plan of somebody's personal workspace, if it has one that costs something. */
async function subscriptionOfPerson(database: Database, userId: string) {
  return subscriptionsOf(database, [await personalTeamId(database, userId)], { includeCancelled: false })
}

/** The folder, for members of its workspace. */
function folderFor(database: Database, collectionId: string, userId: string) {
  return database
    .select({ path: collections.path })
    .from(collections)
    .innerJoin(teamMembers, and(eq(teamMembers.teamId, collections.teamId), eq(teamMembers.userId, userId)))
    .where(and(eq(collections.id, collectionId), ne(teamMembers.authorization, 'none')))
}
