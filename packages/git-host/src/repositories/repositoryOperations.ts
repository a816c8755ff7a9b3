import { BareRepository, NO_COMMIT } from '../git/bareRepository.ts'
import { loginPattern } from '../fields.ts'
import { isRepositoryName } from '../git/names.ts'
import type { HostParts } from '../rest/hostParts.ts'
import { RestError } from '../rest/restError.ts'
import type { GitAccount } from '../storage.ts'
import type { RepositoryRecord } from './records.ts'
import { DuplicateRecord } from './repositoryStorage.ts'

export interface RepositoryOwner {
  kind: 'account' | 'organization'
  id: number
  login: string
}

/** First parts of paths that are the git host's own. */
const reservedOwners: ReadonlySet<string> = new Set([
  'api',
  'avatars',
  'invitations',
  'join',
  'login',
  'logout',
  'new',
  'settings',
])
export const DEFAULT_BRANCH = 'main'

export async function findRepository(parts: HostParts, owner: string, name: string): Promise<RepositoryRecord | null> {
  if (!loginPattern.test(owner) || !isRepositoryName(name)) return null
  const [repository] = await parts.storage.repositories.find({ key: `${owner}/${name}`.toLowerCase() })
  return repository ?? null
}

export interface NewRepository {
  name: string
  description: string | null
  private: boolean
  /** Makes a first commit with a README. */
  autoInit: boolean
}

export async function createRepository(
  parts: HostParts,
  owner: RepositoryOwner,
  { name, description, private: isPrivate, autoInit }: NewRepository,
  creator: GitAccount,
): Promise<RepositoryRecord> {
  const record = await insertRepository(
    parts,
    owner,
    { name, description, private: isPrivate, parent: null },
    (record) => BareRepository.create(parts.gitOf(record).folder, DEFAULT_BRANCH),
  )
  if (autoInit) {
    const git = parts.gitOf(record)
    const text = `# ${name}\n${description === null ? '' : `\n${description}\n`}`
    const sha = await git.writeBlob(Buffer.from(text))
    const tree = await git.writeTree(null, [{ path: 'README.md', mode: '100644', sha }])
    const author = parts.signatureOf(creator)
    const commit = await git.writeCommit({ tree, parents: [], message: 'Initial commit', author, committer: author })
    await git.updateRef(`refs/heads/${DEFAULT_BRANCH}`, commit, NO_COMMIT)
  }
  return record
}

export async function forkRepository(
  parts: HostParts,
  source: RepositoryRecord,
  owner: RepositoryOwner,
  options: { name: string; defaultBranchOnly: boolean },
): Promise<RepositoryRecord> {
  const [present] = await parts.storage.repositories.find({
    parentId: source.id,
    ownerKind: owner.kind,
    ownerId: owner.id,
  })
  // GitHub answers with the fork there is.
  if (present) return present
  const values = { name: options.name, description: source.description, private: source.private, parent: source }
  return insertRepository(parts, owner, values, (record) =>
    BareRepository.copy(
      parts.gitOf(source),
      parts.gitOf(record).folder,
      options.defaultBranchOnly ? source.defaultBranch : null,
    ),
  )
}

/** The record and the folder, both or neither: a folder without a record has an id that is never given again. */
async function insertRepository(
  parts: HostParts,
  owner: RepositoryOwner,
  values: { name: string; description: string | null; private: boolean; parent: RepositoryRecord | null },
  fill: (record: RepositoryRecord) => Promise<unknown>,
): Promise<RepositoryRecord> {
  const { name, parent } = values
  if (!isRepositoryName(name)) throw RestError.invalid('Repository', 'name', 'invalid', 'name is not valid')
  if (reservedOwners.has(owner.login.toLowerCase())) {
    throw RestError.invalid('Repository', 'owner', 'invalid', 'this account name is kept for pages of the git host')
  }
  const now = parts.now()
  try {
    return await parts.storage.transaction(async (tx) => {
      const record = await tx.repositories.insert({
        key: `${owner.login}/${name}`.toLowerCase(),
        ownerKind: owner.kind,
        ownerId: owner.id,
        ownerLogin: owner.login,
        name,
        description: values.description,
        private: values.private,
        parentId: parent?.id ?? null,
        defaultBranch: parent?.defaultBranch ?? DEFAULT_BRANCH,
        archived: false,
        nextNumber: 1,
        pushedAt: parent?.pushedAt ?? now,
        insertedAt: now,
        updatedAt: now,
      })
      await fill(record)
      return record
    })
  } catch (error) {
    if (!(error instanceof DuplicateRecord)) throw error
    throw RestError.invalid('Repository', 'name', 'custom', 'name already exists on this account')
  }
}

export async function removeRepository(parts: HostParts, repository: RepositoryRecord): Promise<void> {
  await parts.storage.transaction(async (tx) => {
    await tx.repositories.update({ parentId: repository.id }, { parentId: null })
    await tx.pulls.update({ headRepositoryId: repository.id }, { headRepositoryId: null })
    await tx.repositories.remove({ id: repository.id })
  })
  await parts.gitOf(repository).remove()
}
