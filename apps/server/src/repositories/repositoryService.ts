import { ApiError, branchPolicies } from '@boxyard/api'
import { isBranchName } from '@boxyard/git-host'
import type { GitHost, HostRepository, Page, RepositoryName } from '@boxyard/git-host'
import { eq } from 'drizzle-orm'
import type { User } from '../accounts/users.ts'
import type { ServerContext } from '../context.ts'
import { sqlState, UNIQUE_VIOLATION } from '../database/database.ts'
import { branches } from '../database/schema.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { changeBranchBox, createBranchBox, removeBranchBox } from '../sandboxes/branchBoxes.ts'
import type { MachineDirectory } from '../sandboxes/machineDirectory.ts'
import { machineDefaultsOf } from '../workspaces/machineDefaults.ts'
import { eligibleTeams } from '../workspaces/invitations.ts'
import { personalTeamId } from '../workspaces/teams.ts'
import type { Team } from '../workspaces/teams.ts'
import { findCredential } from './gitCredentials.ts'
import { realpath, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Checkouts } from './checkouts.ts'
import { boxRemoteOf } from './gitGateway.ts'
import type { GitPlace } from './gitPlace.ts'
import type { AppInstallations, GitHosts } from './gitHosts.ts'
import { isWriter } from './isWriter.ts'
import { sameRepository } from './sameRepository.ts'
import {
  authorizeBranch,
  authorizeRepositories,
  branchesOf,
  findBranch,
  findBranchNamed,
  findProjectIn,
  projectRole,
  projectRoles,
  projectsOfRepository,
  removeProject,
  repositoryOf,
  upsertProject,
} from './projects.ts'
import type { Branch, Project } from './projects.ts'
import { webhookEvents } from './webhookEvents.ts'
import { projectsInOrder, teamsBeyond } from './workspacesOfRepository.ts'

export interface RepositoryServiceOptions {
  context: ServerContext
  hosts: GitHosts
  machines: MachineDirectory | null
  /** Where the git host sends webhooks, and the secret for a repository. */
  webhook: { url: string; secretOf(repository: RepositoryName): string }
}

const notFound = () =>
  new ApiError('NOT_FOUND', {
    detail: 'This repository is not found at the git host, or your account there may not see it',
  })

const named = ({ id, owner, name }: Project) => ({ projectId: id, repository: `${owner}/${name}` })

/** Repositories in workspaces and their branches, each with a box of its own. */
export class RepositoryService {
  readonly hosts: GitHosts
  readonly #options: RepositoryServiceOptions
  readonly #checkouts: Checkouts

  constructor(options: RepositoryServiceOptions) {
    this.#options = options
    this.hosts = options.hosts
    this.#checkouts = new Checkouts(options.context, options.hosts)
  }

  get #database() {
    return this.#options.context.database
  }

  /** Imports a repository that someone may write to into a workspace, and asks its host for webhooks. */
  async importProject(user: User, name: RepositoryName, teamId: string): Promise<Project> {
    await authorizeRepositories(this.#database, teamId, user, 'editRepositories')
    const host = await this.hosts.as(user)
    const repository = await host.repository(name)
    if (!repository) throw notFound()
    if (!isWriter(repository)) {
      throw new ApiError('GIT_HOST_FORBIDDEN', {
        detail: 'You may not write to this repository. Import it read-only, or fork it.',
      })
    }
    const appInstalled = (await this.hosts.appInstallations(host, [repository]))(repository)
    const before = await findProjectIn(this.#database, repository, teamId)
    const project = await inTransaction(this.#database, user, async ({ tx, publish, audit }) => {
      const project = await upsertProject(tx, repository, { teamId, appInstalled })
      if (appInstalled && !before?.appInstalled) {
        const event = { __typename: 'InstallationEvent', action: 'created', event: 'installation' }
        await publish('githubEvents', { owner: project.owner, repo: project.name, event })
      }
      if (!before) await audit('project.imported', { teamId, detail: named(project) })
      return project
    })
    await this.#askForWebhooks(host, repository)
    return project
  }

  /** Makes a public repository known that people read or contribute to, outside of every workspace. */
  async importReadOnlyProject(user: User, name: RepositoryName): Promise<Project> {
    const repository = await (await this.hosts.asOptional(user)).repository(name)
    if (!repository) throw notFound()
    if (repository.private) {
      throw new ApiError('FORBIDDEN', { detail: 'A private repository is imported into a workspace' })
    }
    return upsertProject(this.#database, repository, { teamId: null, appInstalled: false })
  }

  async removeProject(user: User, project: Project): Promise<void> {
    if (project.teamId === null) throw new ApiError('FORBIDDEN')
    await authorizeRepositories(this.#database, project.teamId, user, 'removeRepositories')
    for (const { id } of await branchesOf(this.#database, [project.id])) {
      await removeBranchBox(this.#database, this.#options.machines, id)
    }
    const { teamId } = project
    await inTransaction(this.#database, user, async ({ tx, audit }) => {
      await removeProject(tx, project.id)
      await audit('project.removed', { teamId, detail: named(project) })
    })
  }

  /** A branch that the git host has, with a box; the box is made when there is none yet. */
  async openBranch(user: User, project: Project, name: string): Promise<Branch> {
    const present = await findBranchNamed(this.#database, project.id, name, user)
    if (present) return present
    const role = await projectRole(this.#database, project, user)
    if (role === 'none') throw notFound()
    // A project without a workspace is for reading: its branches are made for whoever comes first.
    if (project.teamId !== null && role === 'read') throw new ApiError('FORBIDDEN')
    const host = await this.hosts.asOptional(user)
    if (!(await host.branch(repositoryOf(project), name))) {
      throw new ApiError('NOT_FOUND', { detail: `The repository has no branch ${name}` })
    }
    return this.#createBox(user, project, { name, from: name, upstream: true, contribution: false, sourceBranch: null })
  }

  /**
   * What the address of a branch opens: the branch in the workspace that is asked for or suits best, imported when that is asked for, else
   * read by everyone. Without a name the default branch; with `create` a new branch of it that this person may write on.
   */
  async openAddress(
    user: User,
    name: RepositoryName,
    {
      branch,
      teamId,
      isImport,
      isNew,
      stays,
    }: { branch: string | null; teamId: string | null; isImport: boolean; isNew: boolean; stays: boolean },
  ): Promise<{ branch: Branch; project: Project; imported: boolean }> {
    if (!stays && !isImport && !isNew) await this.refuseOutsiders(user, name)
    const known = await this.projectAt(user, name, { teamId, stays })
    const imported = known?.teamId == null && isImport
    const into = async () => this.importProject(user, name, teamId ?? (await personalTeamId(this.#database, user.id)))
    const project = imported ? await into() : (known ?? (await this.importReadOnlyProject(user, name)))
    const wanted = branch ?? repositoryOf(project).defaultBranch
    const role = await projectRole(this.#database, project, user)
    const isWriter = project.teamId !== null && branchPolicies.mayDo(role, 'branch')
    if (isNew) {
      if (isWriter)
        return { branch: await this.createBranch(user, project, { name: null, from: wanted }), project, imported }
      const open = await this.importReadOnlyProject(user, name)
      return { branch: await this.createContributionBranch(user, open, wanted), project: open, imported }
    }
    const present = await findBranchNamed(this.#database, project.id, wanted, user)
    if (present) return { branch: present, project, imported }
    // Whoever may only read does not start machines at the expense of the workspace.
    const host = isWriter || project.teamId === null ? project : await this.importReadOnlyProject(user, name)
    return { branch: await this.openBranch(user, host, wanted), project: host, imported }
  }

  /**
   * Where someone pushes a contribution to: the repository itself when they may write to it by now, else their own fork, which is made the
   * first time.
   */
  async pushTarget(user: User, project: Project): Promise<RepositoryName> {
    const source = repositoryOf(project)
    const { credential } = await this.hosts.credentialOf(user)
    const host = await this.hosts.as(user)
    const now = await host.repository(source)
    if (!now) throw notFound()
    if (isWriter(now)) return source
    // A repository of the same name that is no fork of it is in the way of the usual name.
    for (const name of [source.name, `${source.name}-fork`]) {
      const present = await host.repository({ owner: credential.login, name })
      if (!present) return host.fork(source, { organization: null, name })
      const { parent } = present
      if (parent && sameRepository(parent, source)) return present
    }
    throw new ApiError('CONFLICT', {
      detail: `You have repositories called ${source.name} and ${source.name}-fork that are no forks of ${source.owner}/${source.name}. Fork it at the git host under another name`,
    })
  }

  /** Repositories by a part of their name: of the person and their organizations, or of one of these. */
  async search(
    user: User,
    { query, owner, page, perPage }: { query: string; owner: string | null; page: number; perPage: number },
  ): Promise<Page<HostRepository> & { appInstalled: AppInstallations }> {
    const { credential } = await this.hosts.credentialOf(user)
    const host = await this.hosts.as(user)
    const owners =
      owner === null ? [credential.login, ...(await host.organizations()).map(({ login }) => login)] : [owner]
    // What looks like a qualifier of the search would look elsewhere.
    const words = query.replace(/[:"]/g, ' ')
    const where = owners.map((login) => `${login === credential.login ? 'user' : 'org'}:${login}`)
    const found = await host.searchRepositories(`${words} in:name fork:true ${where.join(' ')}`, { page, perPage })
    return { ...found, appInstalled: await this.hosts.appInstallations(host, found.items) }
  }

  /** A new branch of a workspace's repository. It reaches the git host with its first push. */
  async createBranch(
    user: User,
    project: Project,
    options: { name: string | null; from: string | null },
  ): Promise<Branch> {
    if (project.teamId === null) throw new ApiError('FORBIDDEN')
    await authorizeRepositories(this.#database, project.teamId, user, 'editRepositories')
    const { name, from } = await this.#newBranch(user, project, options)
    const host = await this.hosts.as(user)
    if (await host.branch(repositoryOf(project), name)) throw branchExists(name)
    return this.#createBox(user, project, { name, from, upstream: false, contribution: false, sourceBranch: from })
  }

  /** A branch of someone who may not write to the repository: theirs alone, to be pushed to a fork. */
  async createContributionBranch(user: User, project: Project, from: string | null): Promise<Branch> {
    const chosen = await this.#newBranch(user, project, { name: null, from })
    return this.#createBox(user, project, {
      name: chosen.name,
      from: chosen.from,
      upstream: false,
      contribution: true,
      sourceBranch: chosen.from,
    })
  }

  /**
   * Renames a branch in three steps: at the git host, in the box's records, and its name on the box. When a later one fails the
   * earlier ones are taken back.
   */
  async renameBranch(user: User, id: string, name: string): Promise<Branch> {
    const { branch, project } = await this.#authorized(user, id, 'rename')
    if (!isBranchName(name))
      throw new ApiError('INVALID_INPUT', { fields: { name: ['This is not the name of a branch.'] } })
    if (name === branch.name) return branch
    const repository = repositoryOf(project)
    if (await findBranchNamed(this.#database, project.id, name, user)) throw branchExists(name)
    const host = await this.hosts.as(user)
    if (await host.branch(repository, name)) throw branchExists(name)
    const isThere = (await host.branch(repository, branch.name)) !== null
    if (isThere) await host.renameBranch(repository, branch.name, name)
    try {
      return await inTransaction(this.#database, user, async ({ tx }) => {
        const [renamed] = await tx
          .update(branches)
          .set({ name, updatedAt: new Date() })
          .where(eq(branches.id, id))
          .returning()
        await changeBranchBox(tx, id, { title: titleOf(project, name) })
        return renamed!
      })
    } catch (error) {
      if (isThere) await host.renameBranch(repository, name, branch.name)
      throw sqlState(error) === UNIQUE_VIOLATION ? branchExists(name) : error
    }
  }

  /** Removes a branch's box and, where it was pushed, the branch at the git host. */
  async removeBranch(user: User, id: string): Promise<void> {
    const { branch, project } = await this.#authorized(user, id, 'delete')
    const repository = repositoryOf(project)
    if (branch.name === repository.defaultBranch)
      throw new ApiError('FORBIDDEN', { detail: 'The default branch can not be removed' })
    const host = await this.hosts.as(user)
    if (!branch.contribution && (await host.branch(repository, branch.name)))
      await host.removeBranch(repository, branch.name)
    await this.#database.delete(branches).where(eq(branches.id, id))
    await removeBranchBox(this.#database, this.#options.machines, id)
  }

  /** A protected branch stays as it is; whoever edits it makes a branch from it. */
  async protectBranch(user: User, id: string, isProtected: boolean): Promise<Branch> {
    await this.#authorized(user, id, 'protect')
    return inTransaction(this.#database, user, async ({ tx, publish, audit }) => {
      const [branch] = await tx
        .update(branches)
        .set({ protected: isProtected, updatedAt: new Date() })
        .where(eq(branches.id, id))
        .returning()
      await changeBranchBox(tx, id, { isFrozen: isProtected })
      await publish('sandboxChanged', { sandboxId: id })
      await audit('branch.protectionChanged', { sandboxId: id, detail: { protected: isProtected } })
      return branch!
    })
  }

  /** The project of a repository that suits someone: in the workspace they asked for, else the best there is. */
  async projectFor(user: User | null, name: RepositoryName, teamId: string | null): Promise<Project | null> {
    if (teamId !== null) {
      const project = await findProjectIn(this.#database, name, teamId)
      return project && (await projectRole(this.#database, project, user)) !== 'none' ? project : null
    }
    const all = await projectsInOrder(
      this.#database,
      await projectsOfRepository(this.#database, name),
      user?.id ?? null,
    )
    const roles = await projectRoles(this.#database, all, user)
    return all.find((_project, index) => roles[index] !== 'none') ?? null
  }

  /** The project that an address means: in the workspace it names, else the one that suits best unless the address stays where it is. */
  async projectAt(
    user: User | null,
    name: RepositoryName,
    { teamId, stays }: { teamId: string | null; stays: boolean },
  ): Promise<Project | null> {
    const named = teamId === null ? null : await this.projectFor(user, name, teamId)
    if (named) return named
    return stays ? findProjectIn(this.#database, name, null) : this.projectFor(user, name, null)
  }

  /** Throws WORKSPACE_ACCESS_NEEDED for somebody who would rather be let into a workspace than read from outside. */
  async refuseOutsiders(user: User, name: RepositoryName): Promise<void> {
    if ((await this.workspacesToAsk(user, name)).length > 0) throw new ApiError('WORKSPACE_ACCESS_NEEDED')
  }

  /**
   * The workspaces that somebody could be let into for a repository that is in none of theirs. They are named to those alone who may write to it
   * at the git host, or whose address the workspace takes in.
   */
  async workspacesToAsk(user: User, name: RepositoryName): Promise<Team[]> {
    const teams = await teamsBeyond(this.#database, await projectsOfRepository(this.#database, name), user.id)
    if (teams.length === 0) return []
    const eligible = new Set((await eligibleTeams(this.#database, user)).map(({ id }) => id))
    return (await this.#mayWrite(user, name)) ? teams : teams.filter(({ id }) => eligible.has(id))
  }

  async #mayWrite(user: User, name: RepositoryName): Promise<boolean> {
    if (!(await findCredential(this.#database, user.id))) return false
    try {
      const now = await (await this.hosts.as(user)).repository(name)
      return now !== null && isWriter(now)
    } catch (error) {
      // What the host does not tell in this moment opens no workspace.
      if (!(error instanceof ApiError)) throw error
      this.#options.context.log.info({ err: error }, 'the git host does not say who may write')
      return false
    }
  }

  /** Runs `use` with a folder of a repository as it is now, without its history. It is removed afterwards. */
  async withFolder<T>(
    user: User,
    repository: HostRepository,
    { branch, path }: Pick<GitPlace, 'branch' | 'path'>,
    use: (folder: string) => Promise<T>,
  ): Promise<T> {
    const credential = await this.#credentialFor(user, repository)
    const checkout = {
      repository,
      branch,
      newBranch: null,
      token: credential?.token ?? null,
      remote: boxRemoteOf(repository),
      target: repository.defaultBranch,
    }
    return this.#checkouts.with(checkout, async (root) => {
      await rm(join(root, '.git'), { recursive: true, force: true })
      const [real, folder] = await Promise.all([realpath(root), realFolder(join(root, path))])
      // A link in the repository may lead anywhere.
      if (folder === null || (folder !== real && !folder.startsWith(`${real}/`))) {
        throw new ApiError('NOT_FOUND', { detail: 'The branch has no folder of this name' })
      }
      return use(folder)
    })
  }

  /** What the git host gave someone, or null where everyone may read. */
  #credentialFor(user: User, repository: HostRepository) {
    return this.hosts.credentialOf(user).catch((error: unknown) => {
      if (error instanceof ApiError && !repository.private) return null
      throw error
    })
  }

  async #authorized(user: User, id: string, operation: 'rename' | 'delete' | 'protect') {
    const found = await findBranch(this.#database, id)
    if (!found) throw new ApiError('NOT_FOUND', { detail: 'This branch is not found' })
    await authorizeBranch(this.#database, found.branch, found.project, user, operation)
    return found
  }

  async #newBranch(user: User, project: Project, options: { name: string | null; from: string | null }) {
    const repository = repositoryOf(project)
    const from = options.from ?? repository.defaultBranch
    const name = options.name ?? draftName(user)
    for (const each of [from, name]) {
      if (!isBranchName(each))
        throw new ApiError('INVALID_INPUT', { fields: { branch: [`${each} is not the name of a branch.`] } })
    }
    if (await findBranchNamed(this.#database, project.id, name, user)) throw branchExists(name)
    return { name, from }
  }

  async #createBox(
    user: User,
    project: Project,
    branch: { name: string; from: string; upstream: boolean; contribution: boolean; sourceBranch: string | null },
  ): Promise<Branch> {
    const { machines } = this.#options
    if (!machines) throw new ApiError('MACHINES_UNAVAILABLE')
    const repository = repositoryOf(project)
    const credential = await this.#credentialFor(user, repository)
    const isNew = branch.name !== branch.from
    const checkout = {
      repository,
      branch: branch.from,
      newBranch: isNew ? branch.name : null,
      token: credential?.token ?? null,
      remote: boxRemoteOf(repository),
      target: repository.defaultBranch,
    }
    const personal = branch.contribution || project.teamId === null
    const box = {
      title: titleOf(project, branch.name),
      teamId: personal ? await personalTeamId(this.#database, user.id) : project.teamId!,
      authorId: user.id,
      isPrivate: repository.private,
      // Without a workspace nobody owns the branch: it is read, and edited in branches of it.
      frozen: project.teamId === null && !branch.contribution,
    }
    try {
      const created = await this.#checkouts.with(checkout, (folder) =>
        createBranchBox(this.#database, machines, { ...box, folder }, async (tx, id) => {
          const { name, upstream, contribution, sourceBranch } = branch
          const row = { id, projectId: project.id, name, contribution, ownerId: user.id, sourceBranch, upstream }
          const [created] = await tx.insert(branches).values(row).returning()
          return created!
        }),
      )
      const { vmTier } = await machineDefaultsOf(this.#database, box.teamId)
      const tier = project.vmTier ?? vmTier
      if (tier !== null) await machines.resize(created.id, tier)
      return created
    } catch (error) {
      if (sqlState(error) !== UNIQUE_VIOLATION) throw error
      const present = await findBranchNamed(this.#database, project.id, branch.name, user)
      if (!present) throw error
      // Somebody else opened it in this moment.
      if (branch.upstream) return present
      throw branchExists(branch.name)
    }
  }

  async #askForWebhooks(host: GitHost, repository: HostRepository): Promise<void> {
    if (repository.permission !== 'ADMIN') return
    const { webhook, context } = this.#options
    try {
      await host.createWebhook(repository, {
        url: webhook.url,
        secret: webhook.secretOf(repository),
        events: webhookEvents,
      })
    } catch (error) {
      // Without webhooks pull requests are asked for again when somebody looks at them.
      context.log.info(
        { err: error, repository: `${repository.owner}/${repository.name}` },
        'the git host gives no webhooks',
      )
    }
  }
}

function titleOf({ owner, name }: Project, branch: string): string {
  return `${owner}/${name}: ${branch}`
}

function branchExists(name: string): ApiError {
  return new ApiError('BRANCH_EXISTS', { detail: `Branch ${name} already exists` })
}

const adjectives = [
  'amber',
  'brave',
  'calm',
  'deft',
  'eager',
  'fair',
  'glad',
  'keen',
  'lucid',
  'neat',
  'quick',
  'swift',
]
const nouns = [
  'anchor',
  'beacon',
  'canyon',
  'delta',
  'ember',
  'forest',
  'harbor',
  'island',
  'meadow',
  'river',
  'summit',
  'valley',
]

/** A name for a branch that nobody named: readable, and whose it is. */
function draftName({ username }: User): string {
  const pick = (words: readonly string[]) => words[Math.floor(Math.random() * words.length)]!
  return `${username}/${pick(adjectives)}-${pick(nouns)}-${Math.random().toString(36).slice(2, 6).padEnd(4, '0')}`
}

async function realFolder(path: string): Promise<string | null> {
  try {
    const real = await realpath(path)
    return (await stat(real)).isDirectory() ? real : null
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
    throw error
  }
}
