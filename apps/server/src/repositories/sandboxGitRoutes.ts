import { ApiError, dataOf, sandboxSchema } from '@boxyard/api'
import type { SandboxOperation } from '@boxyard/api'
import type { HostPull } from '@boxyard/git-host'
import { isBranchName } from '@boxyard/git-host'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { User } from '../accounts/users.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { describeSandbox } from '../sandboxes/describeSandbox.ts'
import { requireExportable } from '../sandboxes/requireExportable.ts'
import { authorizeSandbox } from '../sandboxes/sandboxes.ts'
import type { Sandbox } from '../sandboxes/sandboxes.ts'
import type { TemplateCatalogue } from '../sandboxes/templates.ts'
import type { GitPlace } from './gitPlace.ts'
import type { SandboxGit } from './sandboxGit.ts'

const params = z.object({ id: z.string().min(1).max(100) })
const commitText = z.string().regex(/^[0-9a-f]{40}$/, 'A commit has forty digits from 0 to f.')
const ref = z.string().refine((text) => isBranchName(text) || commitText.safeParse(text).success, {
  error: 'This is neither a branch nor a commit.',
})
const fileText = z.string().min(1).max(1000)
const given = z.object({ path: fileText, content: z.string(), encoding: z.enum(['utf-8', 'base64']).default('utf-8') })
const changes = z
  .object({
    added: z.array(given).max(5000).default([]),
    modified: z.array(given).max(5000).default([]),
    deleted: z.array(fileText).max(5000).default([]),
  })
  .nullish()
const title = z.string().trim().min(1).max(256)

const pathList = z.array(z.string())
const gitInfo = z.object({
  username: z.string(),
  repo: z.string(),
  branch: z.string(),
  path: z.string(),
  commit_sha: z.string().nullable(),
})
const compared = z.object({
  base_commit_sha: z.string(),
  head_commit_sha: z.string(),
  files: z.array(
    z.object({
      filename: z.string(),
      status: z.enum(['added', 'modified', 'removed']),
      additions: z.int(),
      deletions: z.int(),
      changes: z.int(),
      is_binary: z.boolean(),
      content: z.string().optional(),
    }),
  ),
})
const committed = z.object({
  git: gitInfo,
  merge: z.boolean(),
  new_branch: z.string().nullable(),
  sha: z.string(),
  url: z.string(),
})
const pullAnswer = z.object({
  number: z.int(),
  username: z.string(),
  repo: z.string(),
  branch: z.string(),
  merged: z.boolean(),
  state: z.enum(['open', 'closed']),
  mergeable: z.boolean().nullable(),
  mergeable_state: z.string().nullable(),
  rebaseable: z.boolean().nullable(),
  commit_sha: z.string(),
  base_commit_sha: z.string(),
  commits: z.int().nullable(),
  additions: z.int().nullable(),
  deletions: z.int().nullable(),
  changed_files: z.int().nullable(),
})

/** Sandboxes of folders of repositories, at the addresses of the older clients: their changes, commits and pull requests. */
export function registerSandboxGit(
  app: App,
  context: ServerContext,
  { templates, git }: { templates: TemplateCatalogue; git: SandboxGit },
): void {
  const { database } = context
  const { optional, required } = app.authenticate

  const authorized = async (id: string, user: User | null, operation: SandboxOperation): Promise<Sandbox> =>
    (await authorizeSandbox(database, id, user, operation)).sandbox

  const describe = async (id: string, user: User) => ({
    data: await describeSandbox({ database, templates }, await authorizeSandbox(database, id, user, 'see'), user),
  })

  const diff = z.object({ added: pathList, deleted: pathList, modified: pathList })
  app.get(
    '/api/v1/sandboxes/:id/git/diff',
    { onRequest: optional, schema: { params, response: { 200: dataOf(diff) } } },
    async ({ params: { id }, user }) => ({ data: await git.diff(user, await authorized(id, user, 'open')) }),
  )

  app.post(
    '/api/v1/sandboxes/:id/git/compare',
    {
      onRequest: required,
      schema: {
        params,
        body: z.object({ base_ref: ref, head_ref: ref, include_contents: z.boolean().default(false) }),
        response: { 200: dataOf(compared) },
      },
    },
    async (request) => {
      const { base_ref: base, head_ref: head, include_contents: contents } = request.body
      const sandbox = await authorized(request.params.id, request.user, 'open')
      const { baseSha, headSha, files } = await git.compare(request.user, sandbox, { base, head, contents })
      return { data: { base_commit_sha: baseSha, head_commit_sha: headSha, files } }
    },
  )

  app.post(
    '/api/v1/sandboxes/:id/git/repo/:title',
    {
      onRequest: required,
      schema: {
        params: params.extend({ title: z.string().min(1).max(100) }),
        // Older clients send the files along; those that are saved count.
        body: z.unknown().optional(),
        response: { 200: dataOf(gitInfo) },
      },
    },
    async (request) => {
      const user = userOf(request)
      const sandbox = await authorized(request.params.id, user, 'edit')
      await requireExportable(database, sandbox)
      const name = request.params.title.trim().replaceAll(/\s+/g, '-')
      if (!/^[A-Za-z0-9._-]{1,100}$/.test(name)) {
        throw new ApiError('INVALID_INPUT', { fields: { title: ['Use letters, digits and . _ -, at most 100.'] } })
      }
      const wish = { name, organization: null, private: sandbox.privacy > 0 }
      return { data: presentPlace(await git.createRepository(user, sandbox, wish)) }
    },
  )

  app.post(
    '/api/v1/sandboxes/:id/git/commit',
    {
      onRequest: required,
      schema: {
        params,
        body: z.object({
          message: z.string().trim().min(1).max(65_536),
          changes,
          parent_commit_shas: z.array(commitText).max(2).default([]),
        }),
        response: { 200: dataOf(committed) },
      },
    },
    async (request) => {
      const user = userOf(request)
      const { message, changes: wanted, parent_commit_shas: parents } = request.body
      const sandbox = await authorized(request.params.id, user, 'edit')
      const { place, sha, newBranch, url } = await git.commit(user, sandbox, {
        message,
        changes: wanted ?? null,
        parents,
      })
      const merge = parents.length > 1
      return { data: { git: presentPlace(place), merge, new_branch: newBranch, sha, url } }
    },
  )

  app.post(
    '/api/v1/sandboxes/:id/git/pr',
    {
      onRequest: required,
      schema: {
        params,
        body: z.object({ title, description: z.string().max(65_536).default(''), changes }),
        response: { 200: dataOf(pullAnswer) },
      },
    },
    async (request) => {
      const user = userOf(request)
      const sandbox = await authorized(request.params.id, user, 'edit')
      const pull = await git.openPull(user, sandbox, { ...request.body, changes: request.body.changes ?? null })
      return { data: presentPull(pull) }
    },
  )

  app.get(
    '/api/v1/sandboxes/:id/git/prs/:number',
    {
      onRequest: required,
      schema: {
        params: params.extend({ number: z.coerce.number().int().min(1).max(2_147_483_647) }),
        response: { 200: dataOf(pullAnswer) },
      },
    },
    async (request) => {
      const user = userOf(request)
      const sandbox = await authorized(request.params.id, user, 'open')
      return { data: presentPull(await git.pull(user, sandbox, request.params.number)) }
    },
  )

  const permission = z.object({ permission: z.enum(['admin', 'write', 'read', 'none']) })
  app.get(
    '/api/v1/sandboxes/:id/git/rights',
    { onRequest: required, schema: { params, response: { 200: dataOf(permission) } } },
    async (request) => {
      const user = userOf(request)
      const sandbox = await authorized(request.params.id, user, 'open')
      return { data: { permission: await git.rights(user, sandbox) } }
    },
  )

  app.patch(
    '/api/v1/sandboxes/:id/original_git_commit_sha',
    {
      onRequest: required,
      schema: {
        params,
        body: z.object({ original_git_commit_sha: commitText }),
        response: { 200: dataOf(sandboxSchema) },
      },
    },
    async (request) => {
      const user = userOf(request)
      const sandbox = await authorized(request.params.id, user, 'edit')
      await git.goBy(user, sandbox, request.body.original_git_commit_sha)
      return describe(sandbox.id, user)
    },
  )

  app.post(
    '/api/v1/sandboxes/:id/make_git_sandbox',
    { onRequest: required, schema: { params, body: z.unknown().optional(), response: { 200: dataOf(sandboxSchema) } } },
    async (request) => {
      const user = userOf(request)
      const sandbox = await authorized(request.params.id, user, 'edit')
      await git.makeGitSandbox(user, sandbox)
      return describe(sandbox.id, user)
    },
  )
}

const presentPlace = ({ username, repo, branch, path, commitSha }: GitPlace) => ({
  username,
  repo,
  branch,
  path,
  commit_sha: commitSha,
})

function presentPull(pull: HostPull): z.infer<typeof pullAnswer> {
  return {
    number: pull.number,
    username: pull.headRepository?.owner ?? pull.author.login,
    repo: pull.headRepository?.name ?? '',
    branch: pull.headBranch,
    merged: pull.merged,
    state: pull.state,
    mergeable: pull.mergeable,
    mergeable_state: pull.mergeableState,
    // What can be merged can be rebased too, unless the host says something else when it is tried.
    rebaseable: pull.mergeable,
    commit_sha: pull.headSha,
    base_commit_sha: pull.baseSha,
    commits: pull.commits,
    additions: pull.additions,
    deletions: pull.deletions,
    changed_files: pull.changedFiles,
  }
}
