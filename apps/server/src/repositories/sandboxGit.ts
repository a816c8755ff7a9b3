import { ApiError } from '@boxyard/api'
import type { OriginalGitChanges } from '@boxyard/api'
import type { GitHost, HostPull, HostRepository, HostTreeFile } from '@boxyard/git-host'
import { eq } from 'drizzle-orm'
import { createHash, randomUUID } from 'node:crypto'
import type { User } from '../accounts/users.ts'
import type { ServerContext } from '../context.ts'
import { gits, sandboxes } from '../database/schema.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { authorizeSandboxInTransaction } from '../sandboxes/authorizeSandboxes.ts'
import { fileBytes } from '../sandboxes/fileBytes.ts'
import { filePaths } from '../sandboxes/filePaths.ts'
import { readFiles } from '../sandboxes/sandboxFiles.ts'
import type { Sandbox } from '../sandboxes/sandboxes.ts'
import { safePath } from '../sandboxes/withFiles.ts'
import type { GitHosts } from './gitHosts.ts'
import type { GitPlace } from './gitPlace.ts'
import { isWriter } from './isWriter.ts'

export interface GivenChange {
  path: string
  content: string
  encoding: 'utf-8' | 'base64'
}

/** What is to be in a commit; what the sandbox has changed when it is not said. */
export interface GivenChanges {
  added: readonly GivenChange[]
  modified: readonly GivenChange[]
  deleted: readonly string[]
}

type Changes = { path: string; mode: HostTreeFile['mode']; content: Buffer | null }[]

export interface ComparedFile {
  filename: string
  status: 'added' | 'modified' | 'removed'
  additions: number
  deletions: number
  changes: number
  is_binary: boolean
  content?: string
}

/** What an import leaves out of a sandbox is no change of it. */
const isLeftOut = ({ path, mode }: HostTreeFile) => mode === '120000' || path.split('/').includes('node_modules')

/** Sandboxes that run in the browser and belong to a folder of a repository: what they changed there, and how that gets back. */
export class SandboxGit {
  readonly #context: ServerContext
  readonly #hosts: GitHosts

  constructor(context: ServerContext, hosts: GitHosts) {
    this.#context = context
    this.#hosts = hosts
  }

  /** Where a sandbox is from. Throws NOT_FOUND for one that is from nowhere. */
  async placeOf({ originalGitId }: Sandbox): Promise<GitPlace> {
    const [place] =
      originalGitId === null ? [] : await this.#context.database.select().from(gits).where(eq(gits.id, originalGitId))
    if (!place) throw new ApiError('NOT_FOUND', { detail: 'This sandbox does not belong to a repository' })
    const { username, repo, branch, path, commitSha } = place
    return { username, repo, branch, path, commitSha }
  }

  /** Which files differ from the commit the sandbox goes by. */
  async diff(user: User | null, sandbox: Sandbox): Promise<{ added: string[]; modified: string[]; deleted: string[] }> {
    const host = await this.#hosts.asOptional(user)
    const place = await this.placeOf(sandbox)
    const repository = await repositoryAt(host, place)
    return differences(await filesAt(host, repository, place), await this.#contents(sandbox))
  }

  /** The same with what `user` may do there; null for one that is from nowhere or on a machine, and while the git host does not say. */
  async changes(user: User, sandbox: Sandbox): Promise<OriginalGitChanges | null> {
    if (sandbox.isV2 || sandbox.originalGitId === null) return null
    try {
      const host = await this.#hosts.asOptional(user)
      const place = await this.placeOf(sandbox)
      const repository = await repositoryAt(host, place)
      const there = await filesAt(host, repository, place)
      return { ...differences(there, await this.#contents(sandbox)), rights: rightsIn(repository) }
    } catch (error) {
      // The sandbox opens all the same: its repository may be gone, hidden from this person, or out of reach.
      if (!(error instanceof ApiError) || !(error.status < 500 || error.code === 'GIT_HOST_UNREACHABLE')) throw error
      this.#context.log.info(
        { err: error, sandbox: sandbox.id },
        'what a sandbox changed in its repository is not known',
      )
      return null
    }
  }

  /** What changed between two branches or commits of the repository, below the folder of the sandbox. */
  async compare(
    user: User | null,
    sandbox: Sandbox,
    { base, head, contents }: { base: string; head: string; contents: boolean },
  ): Promise<{ baseSha: string; headSha: string; files: ComparedFile[] }> {
    const host = await this.#hosts.asOptional(user)
    const place = await this.placeOf(sandbox)
    const repository = await repositoryAt(host, place)
    const { baseSha, headSha, files } = await host.compare(repository, base, head)
    const shas = new Map((contents ? await host.files(repository, headSha) : []).map(({ path, sha }) => [path, sha]))
    const compared: ComparedFile[] = []
    for (const file of files) {
      const filename = inFolder(place, file.path)
      if (filename === null) continue
      const { additions, deletions, patch, status } = file
      const sha = shas.get(file.path)
      const bytes = sha === undefined ? null : await host.content(repository, sha)
      const isBinary = bytes === null ? patch === null : isBinaryContent(bytes)
      compared.push({
        filename,
        status: status === 'added' || status === 'removed' ? status : 'modified',
        additions,
        deletions,
        changes: additions + deletions,
        is_binary: isBinary,
        ...(bytes === null ? {} : { content: bytes.toString(isBinary ? 'base64' : 'utf8') }),
      })
    }
    return { baseSha, headSha, files: compared }
  }

  /** What someone may do in the repository of a sandbox. */
  async rights(user: User, sandbox: Sandbox): Promise<OriginalGitChanges['rights']> {
    const host = await this.#hosts.asOptional(user)
    const place = await this.placeOf(sandbox)
    return rightsIn(await host.repository({ owner: place.username, name: place.repo }))
  }

  /** Makes a repository of the files of a sandbox, which belongs to it from then on. */
  async createRepository(
    user: User,
    sandbox: Sandbox,
    wish: { name: string; organization: string | null; private: boolean },
  ): Promise<GitPlace> {
    const host = await this.#hosts.as(user)
    // Before anything is made: a devbox, and a file whose content is gone, are refused here.
    const contents = await this.#contents(sandbox)
    const changes = [...contents].map(([path, content]) => ({ path, mode: '100644' as const, content }))
    const repository = await host.createRepository({
      ...wish,
      description: sandbox.description,
      initialCommit: true,
    })
    const branch = await host.branch(repository, repository.defaultBranch)
    const sha = await host.createCommit(repository, {
      message: sandbox.title ?? 'First commit',
      parents: [branch!.sha],
      keep: false,
      changes,
    })
    await host.moveBranch(repository, repository.defaultBranch, sha)
    const place = { ...nameOf(repository), branch: repository.defaultBranch, path: '', commitSha: sha }
    await this.#keep(user, sandbox.id, place, (gitId) => ({ gitId, originalGitId: gitId, baseGitId: gitId }))
    return place
  }

  /** Commits on the branch of a sandbox, or on a new one where the branch has moved on in the meantime. */
  async commit(
    user: User,
    sandbox: Sandbox,
    given: { message: string; changes: GivenChanges | null; parents: readonly string[] },
  ): Promise<{ place: GitPlace; sha: string; newBranch: string | null; url: string }> {
    const host = await this.#hosts.as(user)
    const place = await this.placeOf(sandbox)
    const repository = await repositoryAt(host, place)
    const head = await host.branch(repository, place.branch)
    const parents =
      given.parents.length > 0 ? given.parents : [place.commitSha ?? head?.sha].flatMap((sha) => sha ?? [])
    const sha = await this.#write(host, repository, { place, sandbox, ...given, parents })
    const isMoved = head !== null && head.sha === parents[0] && (await moved(host, repository, place.branch, sha))
    const newBranch = isMoved ? null : `sandbox-${sandbox.id}-${sha.slice(0, 7)}`
    if (newBranch !== null) await host.createBranch(repository, newBranch, sha)
    const next = { ...place, branch: newBranch ?? place.branch, commitSha: sha }
    await this.#keep(user, sandbox.id, next, (gitId) => ({
      originalGitId: gitId,
      ...(sandbox.gitId === null ? {} : { gitId }),
    }))
    const url = `${this.#hosts.url}/${repository.owner}/${repository.name}/commit/${sha}`
    return { place: next, sha, newBranch, url }
  }

  /** Proposes what a sandbox changed as a pull request, from a fork where its author may not write. */
  async openPull(
    user: User,
    sandbox: Sandbox,
    given: { title: string; description: string; changes: GivenChanges | null },
  ): Promise<HostPull> {
    const host = await this.#hosts.as(user)
    const place = await this.placeOf(sandbox)
    const repository = await repositoryAt(host, place)
    const target = isWriter(repository) ? repository : await host.fork(repository, { organization: null, name: null })
    const base = place.commitSha ?? (await host.branch(repository, place.branch))?.sha
    const commit = { place, sandbox, message: given.title, changes: given.changes }
    const sha = await this.#write(host, target, { ...commit, parents: base === undefined ? [] : [base] })
    const branch = `sandbox-${sandbox.id}-${sha.slice(0, 7)}`
    await host.createBranch(target, branch, sha)
    const pull = await host.createPull(repository, {
      title: given.title,
      body: given.description,
      head: target === repository ? branch : `${target.owner}:${branch}`,
      base: place.branch,
      draft: false,
    })
    await this.#keep(user, sandbox.id, { ...place, ...nameOf(target), branch, commitSha: sha }, (originalGitId) => ({
      originalGitId,
      baseGitId: sandbox.originalGitId,
      prNumber: pull.number,
    }))
    return pull
  }

  /** A pull request of the repository that a sandbox proposes its changes to. */
  async pull(user: User, sandbox: Sandbox, number: number): Promise<HostPull> {
    const host = await this.#hosts.asOptional(user)
    // With a pull request the base is where it goes to.
    const place = await this.placeOf({ ...sandbox, originalGitId: sandbox.baseGitId ?? sandbox.originalGitId })
    return host.pull(await repositoryAt(host, place), number)
  }

  /** From now on the sandbox goes by another commit of its branch. */
  async goBy(user: User, sandbox: Sandbox, commitSha: string): Promise<void> {
    const host = await this.#hosts.asOptional(user)
    const place = await this.placeOf(sandbox)
    const { headSha } = await host.compare(await repositoryAt(host, place), place.branch, commitSha)
    await this.#keep(user, sandbox.id, { ...place, commitSha: headSha }, (originalGitId) => ({ originalGitId }))
  }

  /** Ties the sandbox itself to the place it is from. */
  async makeGitSandbox(user: User, sandbox: Sandbox): Promise<void> {
    await this.#keep(user, sandbox.id, await this.placeOf(sandbox), (gitId) => ({ gitId }))
  }

  async #write(
    host: GitHost,
    repository: HostRepository,
    commit: {
      place: GitPlace
      sandbox: Sandbox
      message: string
      changes: GivenChanges | null
      parents: readonly string[]
    },
  ): Promise<string> {
    const { place, sandbox, message, parents } = commit
    const [first] = parents
    if (first === undefined) throw new ApiError('CONFLICT', { detail: 'The branch of this sandbox has no commit' })
    const there = await filesAt(host, repository, { ...place, commitSha: first })
    const changes = commit.changes
      ? givenContents(commit.changes, there)
      : ownContents(await this.#contents(sandbox), there)
    if (changes.length === 0) throw new ApiError('CONFLICT', { detail: 'There is nothing to commit' })
    const below = place.path === '' ? '' : `${place.path}/`
    return host.createCommit(repository, {
      message,
      parents,
      keep: true,
      changes: changes.map((change) => ({ ...change, path: `${below}${change.path}` })),
    })
  }

  async #contents({ id, isV2 }: Sandbox): Promise<Map<string, Buffer>> {
    if (isV2) throw new ApiError('CONFLICT', { detail: 'A devbox works with git on its machine' })
    const { database, uploads } = this.#context
    const contents = new Map<string, Buffer>()
    for (const [path, module] of filePaths(await readFiles(database, id))) {
      contents.set(path, await fileBytes({ database, uploads }, path, module))
    }
    return contents
  }

  /** Notes the new place. Whoever lost the right to edit in the meantime changes nothing here. */
  async #keep(
    user: User,
    id: string,
    place: GitPlace,
    change: (gitId: string) => Partial<typeof sandboxes.$inferInsert>,
  ): Promise<void> {
    await inTransaction(this.#context.database, user, async (work) => {
      await authorizeSandboxInTransaction(work.tx, id, user, 'edit')
      const gitId = randomUUID()
      await work.tx.insert(gits).values({ id: gitId, ...place })
      await work.tx
        .update(sandboxes)
        .set({ ...change(gitId), updatedAt: new Date() })
        .where(eq(sandboxes.id, id))
      await work.publish('sandboxChanged', { sandboxId: id })
    })
  }
}

const nameOf = ({ owner, name }: HostRepository) => ({ username: owner, repo: name })

const rightsIn = (repository: HostRepository | null) =>
  (repository?.permission ?? 'NONE').toLowerCase() as Lowercase<HostRepository['permission']>

async function repositoryAt(host: GitHost, { username, repo }: GitPlace): Promise<HostRepository> {
  const repository = await host.repository({ owner: username, name: repo })
  if (!repository) throw new ApiError('NOT_FOUND', { detail: 'This repository is not found at the git host' })
  return repository
}

/** The files at a place by their path below its folder. */
async function filesAt(
  host: GitHost,
  repository: HostRepository,
  place: GitPlace,
): Promise<ReadonlyMap<string, HostTreeFile>> {
  const sha = place.commitSha ?? (await host.branch(repository, place.branch))?.sha
  if (sha === undefined) throw new ApiError('NOT_FOUND', { detail: 'The repository has no branch of this name' })
  const files = (await host.files(repository, sha)).filter((file) => !isLeftOut(file))
  return new Map(
    files.flatMap((file) => {
      const path = inFolder(place, file.path)
      return path === null ? [] : [[path, file] as const]
    }),
  )
}

/** Null for what is elsewhere in the repository. */
function inFolder({ path: folder }: GitPlace, path: string): string | null {
  if (folder === '') return path
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null
}

function differences(there: ReadonlyMap<string, HostTreeFile>, here: ReadonlyMap<string, Buffer>) {
  const paths = [...here.keys()]
  return {
    added: paths.filter((path) => !there.has(path)),
    modified: paths.filter((path) => there.has(path) && there.get(path)!.sha !== blobSha(here.get(path)!)),
    deleted: [...there.keys()].filter((path) => !here.has(path)),
  }
}

function ownContents(here: ReadonlyMap<string, Buffer>, there: ReadonlyMap<string, HostTreeFile>): Changes {
  const { added, modified, deleted } = differences(there, here)
  return [
    ...[...added, ...modified].map((path) => ({
      path,
      mode: there.get(path)?.mode ?? ('100644' as const),
      content: here.get(path)!,
    })),
    ...deleted.map((path) => ({ path, mode: '100644' as const, content: null })),
  ]
}

function givenContents({ added, modified, deleted }: GivenChanges, there: ReadonlyMap<string, HostTreeFile>): Changes {
  return [
    ...[...added, ...modified].map(({ path, content, encoding }) => {
      const safe = safePath(path)
      const mode = there.get(safe)?.mode ?? ('100644' as const)
      return { path: safe, mode, content: Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8') }
    }),
    // What is not there can not be removed.
    ...deleted.map(safePath).flatMap((path) => {
      const file = there.get(path)
      return file ? [{ path, mode: file.mode, content: null }] : []
    }),
  ]
}

/** False when the branch has moved on since it was looked at. */
async function moved(host: GitHost, repository: HostRepository, branch: string, sha: string): Promise<boolean> {
  try {
    await host.moveBranch(repository, branch, sha)
    return true
  } catch (error) {
    const hasMoved =
      error instanceof ApiError && (error.code === 'GIT_HOST_CONFLICT' || error.code === 'GIT_HOST_REFUSED')
    if (hasMoved) return false
    throw error
  }
}

function blobSha(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}

function isBinaryContent(content: Buffer): boolean {
  return content.includes(0) || !Buffer.from(content.toString('utf8'), 'utf8').equals(content)
}
