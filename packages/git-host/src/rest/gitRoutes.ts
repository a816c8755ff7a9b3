import { z } from 'zod'
import { NO_COMMIT } from '../git/bareRepository.ts'
import type { Signature } from '../git/commits.ts'
import { isBranchName, isCommitId, isPushableRef, isTreePath } from '../git/names.ts'
import { afterRefChanges } from '../pulls/afterRefChanges.ts'
import { parse } from './restApi.ts'
import type { OpenRepository, RestApi } from './restApi.ts'
import { RestError } from './restError.ts'

const shaText = z.string().refine(isCommitId, 'is not a full commit id')
const LARGEST_BLOB = 100 * 1024 * 1024
const MOST_TREE_ENTRIES = 100_000
const MOST_COMPARED = 250
const person = z.object({
  name: z.string().min(1).max(200),
  email: z.string().max(300),
  date: z.coerce.date().optional(),
})

/** Branches, refs, objects, files and comparisons. */
export function registerGitRoutes(api: RestApi): void {
  const { app, parts, present } = api

  const urlOf = ({ record }: OpenRepository, path: string) =>
    `${parts.apiUrl}/repos/${record.ownerLogin}/${record.name}/${path}`
  const wildcard = (request: { params: unknown }) => (request.params as { '*': string })['*']

  // A ref that moved is followed by pull requests and hooks before anyone is answered.
  async function moveRef(repository: OpenRepository, ref: string, after: string, before: string): Promise<void> {
    await parts.queue.run(repository.record.id, async () => {
      await repository.git.updateRef(ref, after, before)
      await afterRefChanges(parts, repository.record, [{ ref, before, after }], api.accountOf(repository))
    })
  }

  async function requireUnprotected({ record }: OpenRepository, branch: string): Promise<void> {
    const protections = await parts.storage.protections.count({ repositoryId: record.id, branch })
    if (protections > 0) throw new RestError(403, 'This branch is protected')
  }

  async function branchOf(repository: OpenRepository, name: string): Promise<{ name: string; sha: string }> {
    const sha = isBranchName(name) ? await repository.git.resolve(`refs/heads/${name}`) : null
    if (sha === null) throw new RestError(404, 'Branch not found')
    return { name, sha }
  }

  app.get('/repos/:owner/:repo/branches', async (request, reply) => {
    const repository = await api.open(request)
    const branches = [...(await repository.git.branches())]
    const guarded = await parts.storage.protections.find({ repositoryId: repository.record.id })
    return api.page(request, reply, branches.length, (offset, limit) =>
      branches.slice(offset, offset + limit).map(([name, sha]) => ({
        name,
        commit: { sha, url: urlOf(repository, `commits/${sha}`) },
        protected: guarded.some(({ branch }) => branch === name),
      })),
    )
  })

  app.get('/repos/:owner/:repo/branches/*', async (request) => {
    const repository = await api.open(request)
    const path = wildcard(request)
    const guarded = async (branch: string) =>
      (await parts.storage.protections.count({ repositoryId: repository.record.id, branch })) > 0
    if (path.endsWith('/protection')) {
      const name = path.slice(0, -'/protection'.length)
      if (!(await guarded(name))) throw new RestError(404, 'Branch not protected')
      return {
        url: urlOf(repository, `branches/${path}`),
        allow_force_pushes: { enabled: false },
        allow_deletions: { enabled: false },
      }
    }
    const { name, sha } = await branchOf(repository, path)
    const commit = present.commit(repository.record, await repository.git.commit(sha))
    return { name, commit, protected: await guarded(name) }
  })

  app.put('/repos/:owner/:repo/branches/*', async (request) => {
    const repository = await api.open(request, 'admin')
    const path = wildcard(request)
    if (!path.endsWith('/protection')) throw RestError.notFound()
    const { name: branch } = await branchOf(repository, path.slice(0, -'/protection'.length))
    const record = { repositoryId: repository.record.id, branch }
    if ((await parts.storage.protections.count(record)) === 0) await parts.storage.protections.insert(record)
    return {
      url: urlOf(repository, `branches/${path}`),
      allow_force_pushes: { enabled: false },
      allow_deletions: { enabled: false },
    }
  })

  app.delete('/repos/:owner/:repo/branches/*', async (request, reply) => {
    const { record } = await api.open(request, 'admin')
    const path = wildcard(request)
    const branch = path.endsWith('/protection') ? path.slice(0, -'/protection'.length) : null
    const removed = branch === null ? 0 : await parts.storage.protections.remove({ repositoryId: record.id, branch })
    if (removed === 0) throw RestError.notFound()
    return reply.code(204).send()
  })

  app.post('/repos/:owner/:repo/branches/*', async (request, reply) => {
    const repository = await api.open(request, 'write')
    const path = wildcard(request)
    if (!path.endsWith('/rename')) throw RestError.notFound()
    const { name, sha } = await branchOf(repository, path.slice(0, -'/rename'.length))
    const { new_name: next } = parse(
      z.object({ new_name: z.string().refine(isBranchName, 'is not a branch name') }),
      request.body,
    )
    const { record, git } = repository
    if (name === record.defaultBranch && repository.permission !== 'admin') {
      throw new RestError(403, 'Must have admin rights to Repository.')
    }
    if ((await git.resolve(`refs/heads/${next}`)) !== null) {
      throw RestError.invalid('Branch', 'new_name', 'already_exists', `Branch ${next} already exists`)
    }
    await parts.queue.run(record.id, async () => {
      await git.updateRef(`refs/heads/${next}`, sha, NO_COMMIT)
      if (name === record.defaultBranch) {
        await git.setDefaultBranch(next)
        await parts.storage.repositories.update({ id: record.id }, { defaultBranch: next })
      }
      await git.updateRef(`refs/heads/${name}`, NO_COMMIT, sha)
      await parts.storage.transaction(async (tx) => {
        // Open pull requests go on with the new name, as at GitHub.
        await tx.pulls.update(
          { headRepositoryId: record.id, headRef: name, state: 'open' },
          { headRef: next, headLabel: `${record.ownerLogin}:${next}` },
        )
        await tx.pulls.update({ repositoryId: record.id, baseRef: name, state: 'open' }, { baseRef: next })
        await tx.protections.update({ repositoryId: record.id, branch: name }, { branch: next })
      })
      const changes = [
        { ref: `refs/heads/${next}`, before: NO_COMMIT, after: sha },
        { ref: `refs/heads/${name}`, before: sha, after: NO_COMMIT },
      ]
      await afterRefChanges(parts, record, changes, api.accountOf(repository))
    })
    return reply.code(201).send({ name: next, commit: present.commit(record, await git.commit(sha)), protected: false })
  })

  const presentRef = (repository: OpenRepository, ref: string, sha: string) => ({
    ref,
    node_id: Buffer.from(`Ref:${ref}`).toString('base64'),
    url: urlOf(repository, `git/${ref}`),
    object: { type: 'commit', sha, url: urlOf(repository, `git/commits/${sha}`) },
  })

  app.get('/repos/:owner/:repo/git/ref/*', async (request) => {
    const repository = await api.open(request)
    const ref = `refs/${wildcard(request)}`
    const sha = isPushableRef(ref) ? await repository.git.resolve(ref) : null
    if (sha === null) throw RestError.notFound()
    return presentRef(repository, ref, sha)
  })

  app.get('/repos/:owner/:repo/git/matching-refs/*', async (request, reply) => {
    const repository = await api.open(request)
    const prefix = `refs/${wildcard(request)}`
    const all = [...(await repository.git.refs('refs/heads/')), ...(await repository.git.refs('refs/tags/'))]
    const found = all.filter(([ref]) => ref.startsWith(prefix))
    return api.page(request, reply, found.length, (offset, limit) =>
      found.slice(offset, offset + limit).map(([ref, sha]) => presentRef(repository, ref, sha)),
    )
  })

  app.post('/repos/:owner/:repo/git/refs', async (request, reply) => {
    const repository = await api.open(request, 'write')
    const { ref, sha } = parse(z.object({ ref: z.string(), sha: shaText }), request.body, 'Reference')
    if (!isPushableRef(ref)) throw new RestError(422, 'Reference name is not valid')
    if ((await repository.git.resolve(sha)) === null) throw new RestError(422, 'Object does not exist')
    if ((await repository.git.resolve(ref)) !== null) throw new RestError(422, 'Reference already exists')
    await moveRef(repository, ref, sha, NO_COMMIT)
    return reply.code(201).send(presentRef(repository, ref, sha))
  })

  app.patch('/repos/:owner/:repo/git/refs/*', async (request) => {
    const repository = await api.open(request, 'write')
    const ref = `refs/${wildcard(request)}`
    const { sha, force } = parse(
      z.object({ sha: shaText, force: z.boolean().default(false) }),
      request.body,
      'Reference',
    )
    const { git } = repository
    const before = isPushableRef(ref) ? await git.resolve(ref) : null
    if (before === null) throw new RestError(422, 'Reference does not exist')
    if ((await git.resolve(sha)) === null) throw new RestError(422, 'Object does not exist')
    if (!(await git.isAncestor(before, sha))) {
      if (!force) throw new RestError(422, 'Update is not a fast forward')
      await requireUnprotected(repository, ref.slice('refs/heads/'.length))
    }
    await moveRef(repository, ref, sha, before)
    return presentRef(repository, ref, sha)
  })

  app.delete('/repos/:owner/:repo/git/refs/*', async (request, reply) => {
    const repository = await api.open(request, 'write')
    const ref = `refs/${wildcard(request)}`
    const before = isPushableRef(ref) ? await repository.git.resolve(ref) : null
    if (before === null) throw new RestError(422, 'Reference does not exist')
    const branch = ref.slice('refs/heads/'.length)
    if (ref.startsWith('refs/heads/') && branch === repository.record.defaultBranch) {
      throw new RestError(422, 'Cannot delete the default branch')
    }
    await requireUnprotected(repository, branch)
    await moveRef(repository, ref, NO_COMMIT, before)
    return reply.code(204).send()
  })

  app.post('/repos/:owner/:repo/git/blobs', async (request, reply) => {
    const repository = await api.open(request, 'write')
    const body = parse(
      z.object({ content: z.string(), encoding: z.enum(['utf-8', 'base64']).default('utf-8') }),
      request.body,
    )
    const sha = await repository.git.writeBlob(
      Buffer.from(body.content, body.encoding === 'base64' ? 'base64' : 'utf8'),
    )
    return reply.code(201).send({ sha, url: urlOf(repository, `git/blobs/${sha}`) })
  })

  app.get('/repos/:owner/:repo/git/blobs/:sha', async (request) => {
    const repository = await api.open(request)
    const sha = parse(shaText, (request.params as { sha: string }).sha)
    const content = await repository.git.blob(sha, LARGEST_BLOB).catch(() => null)
    if (content === null) throw RestError.notFound()
    return {
      sha,
      size: content.length,
      encoding: 'base64',
      content: content.toString('base64'),
      url: urlOf(repository, `git/blobs/${sha}`),
    }
  })

  app.post('/repos/:owner/:repo/git/trees', async (request, reply) => {
    const repository = await api.open(request, 'write')
    const body = parse(
      z.object({
        base_tree: shaText.optional(),
        tree: z
          .array(
            z.object({
              path: z.string().refine(isTreePath, 'is not a path'),
              mode: z.enum(['100644', '100755', '120000']),
              sha: shaText.nullish(),
              content: z.string().optional(),
            }),
          )
          .max(10_000),
      }),
      request.body,
      'Tree',
    )
    const changes = await Promise.all(
      body.tree.map(async ({ path, mode, sha, content }) => ({
        path,
        mode,
        sha: content === undefined ? (sha ?? null) : await repository.git.writeBlob(Buffer.from(content)),
      })),
    )
    const sha = await repository.git.writeTree(body.base_tree ?? null, changes)
    return reply.code(201).send({
      sha,
      url: urlOf(repository, `git/trees/${sha}`),
      tree: await repository.git.tree(sha, { recursive: false }),
      truncated: false,
    })
  })

  app.get('/repos/:owner/:repo/git/trees/*', async (request) => {
    const repository = await api.open(request)
    const revision = wildcard(request)
    const { recursive } = request.query as { recursive?: string }
    const sha = isCommitId(revision) ? revision : await api.commitOf(repository, revision)
    const entries =
      sha === null ? null : await repository.git.tree(sha, { recursive: recursive !== undefined }).catch(() => null)
    if (sha === null || entries === null) throw RestError.notFound()
    const tree = entries
      .slice(0, MOST_TREE_ENTRIES)
      .map(({ size, ...entry }) => ({ ...entry, ...(size === null ? {} : { size }) }))
    return { sha, url: urlOf(repository, `git/trees/${sha}`), tree, truncated: entries.length > tree.length }
  })

  app.post('/repos/:owner/:repo/git/commits', async (request, reply) => {
    const repository = await api.open(request, 'write')
    const body = parse(
      z.object({
        message: z.string().min(1),
        tree: shaText,
        parents: z.array(shaText).max(16).default([]),
        author: person.optional(),
        committer: person.optional(),
      }),
      request.body,
      'Commit',
    )
    const self = parts.signatureOf(api.accountOf(repository))
    const signed = (given: z.infer<typeof person> | undefined): Signature => ({
      ...self,
      ...given,
      date: given?.date ?? self.date,
    })
    const author = signed(body.author)
    const { tree, parents, message } = body
    const sha = await repository.git
      .writeCommit({ tree, parents, message, author, committer: body.committer ? signed(body.committer) : author })
      .catch(() => null)
    if (sha === null) throw new RestError(422, 'Tree SHA or parent SHA does not exist')
    return reply.code(201).send(presentGitCommit(repository, await repository.git.commit(sha)))
  })

  app.get('/repos/:owner/:repo/git/commits/:sha', async (request) => {
    const repository = await api.open(request)
    const sha = await repository.git.resolve(parse(shaText, (request.params as { sha: string }).sha))
    if (sha === null) throw RestError.notFound()
    return presentGitCommit(repository, await repository.git.commit(sha))
  })

  function presentGitCommit(repository: OpenRepository, commit: Parameters<typeof present.commit>[1]) {
    const { sha, node_id, html_url, commit: inner, parents } = present.commit(repository.record, commit)
    return { sha, node_id, html_url, ...inner, parents }
  }

  app.get('/repos/:owner/:repo/contents', async (request) => contents(await api.open(request), '', request.query))
  app.get('/repos/:owner/:repo/contents/*', async (request) =>
    contents(await api.open(request), wildcard(request), request.query),
  )

  async function contents(repository: OpenRepository, path: string, query: unknown) {
    const { ref } = query as { ref?: string }
    const { git, record } = repository
    const clean = path.replace(/\/+$/, '')
    const commit = await api.commitOf(repository, ref ?? record.defaultBranch)
    if (commit === null || (clean !== '' && !isTreePath(clean))) throw RestError.notFound()
    const [entry] = clean === '' ? [] : await git.tree(commit, { recursive: false, path: clean })
    if (clean !== '' && !entry) throw RestError.notFound()
    const shown = (
      { path: at, sha, size, type, mode }: Awaited<ReturnType<typeof git.tree>>[number],
      full: string,
    ) => ({
      type: type === 'tree' ? 'dir' : type === 'commit' ? 'submodule' : mode === '120000' ? 'symlink' : 'file',
      name: at.split('/').at(-1)!,
      path: full,
      sha,
      size: size ?? 0,
      url: urlOf(repository, `contents/${full}?ref=${commit}`),
      git_url: urlOf(repository, `git/${type}s/${sha}`),
    })
    if (entry?.type === 'blob') {
      const content = await git.blob(entry.sha, LARGEST_BLOB)
      return { ...shown(entry, clean), encoding: 'base64', content: content.toString('base64') }
    }
    const entries = await git.tree(entry?.sha ?? commit, { recursive: false })
    return entries.map((each) => shown(each, clean === '' ? each.path : `${clean}/${each.path}`))
  }

  const fileChange = z.object({
    message: z.string().min(1),
    content: z.base64().optional(),
    sha: shaText.optional(),
    branch: z.string().refine(isBranchName).optional(),
    author: person.optional(),
    committer: person.optional(),
  })

  for (const method of ['put', 'delete'] as const) {
    app[method]('/repos/:owner/:repo/contents/*', async (request, reply) => {
      const repository = await api.open(request, 'write')
      const { record, git } = repository
      const path = wildcard(request)
      const body = parse(fileChange, { ...(request.query as object), ...(request.body as object | undefined) })
      if (!isTreePath(path) || (method === 'put' && body.content === undefined))
        throw new RestError(422, 'Path or content is not valid')
      const ref = `refs/heads/${body.branch ?? record.defaultBranch}`
      const before = await git.resolve(ref)
      const [present_] = before === null ? [] : await git.tree(before, { recursive: false, path })
      if (present_ && present_.sha !== body.sha)
        throw new RestError(409, `${path} does not match ${body.sha ?? 'a missing sha'}`)
      if (!present_ && (method === 'delete' || body.sha !== undefined)) throw RestError.notFound()
      const sha = method === 'delete' ? null : await git.writeBlob(Buffer.from(body.content!, 'base64'))
      const tree = await git.writeTree(before, [{ path, mode: present_?.mode ?? '100644', sha }])
      const self = parts.signatureOf(api.accountOf(repository))
      const author = { ...self, ...body.author, date: body.author?.date ?? self.date }
      const parents = before === null ? [] : [before]
      const commit = await git.writeCommit({ tree, parents, message: body.message, author, committer: author })
      await moveRef(repository, ref, commit, before ?? NO_COMMIT)
      const shown = presentGitCommit(repository, await git.commit(commit))
      return reply
        .code(present_ || method === 'delete' ? 200 : 201)
        .send({ content: sha === null ? null : { path, sha }, commit: shown })
    })
  }

  app.get('/repos/:owner/:repo/commits', async (request, reply) => {
    const repository = await api.open(request)
    const { sha, path } = parse(
      z.object({ sha: z.string().optional(), path: z.string().refine(isTreePath).optional() }),
      request.query,
    )
    const head = await api.commitOf(repository, sha ?? repository.record.defaultBranch)
    if (head === null)
      throw (await repository.git.branches()).size === 0
        ? new RestError(409, 'Git Repository is empty.')
        : RestError.notFound()
    const total = path === undefined ? await repository.git.count(head, null) : MOST_TREE_ENTRIES
    return api.page(request, reply, total, async (skip, limit) =>
      (await repository.git.log({ head, skip, limit, path: path ?? null })).map((commit) =>
        present.commit(repository.record, commit),
      ),
    )
  })

  app.get('/repos/:owner/:repo/commits/:ref', async (request) => {
    const repository = await api.open(request)
    const sha = await api.commitOf(repository, (request.params as { ref: string }).ref)
    if (sha === null) throw new RestError(422, 'No commit found for SHA')
    const commit = await repository.git.commit(sha)
    const files = await repository.git.diff(commit.parents[0] ?? null, sha)
    return { ...present.commit(repository.record, commit), files: files.map((file) => present.file(file)) }
  })

  app.get('/repos/:owner/:repo/compare/*', async (request) => {
    const repository = await api.open(request)
    const [base, head] = wildcard(request).split('...')
    const [from, to] = [await api.commitOf(repository, base ?? ''), await api.commitOf(repository, head ?? '')]
    if (from === null || to === null) throw RestError.notFound()
    const { git, record } = repository
    const merge = await git.mergeBase(from, to)
    const [ahead, behind] = [await git.count(to, from), await git.count(from, to)]
    const commits = await git.log({ head: to, base: from, limit: MOST_COMPARED })
    const files = await git.diff(merge, to)
    return {
      status: ahead > 0 ? (behind > 0 ? 'diverged' : 'ahead') : behind > 0 ? 'behind' : 'identical',
      ahead_by: ahead,
      behind_by: behind,
      total_commits: ahead,
      base_commit: present.commit(record, await git.commit(from)),
      merge_base_commit: merge && present.commit(record, await git.commit(merge)),
      commits: commits.toReversed().map((commit) => present.commit(record, commit)),
      files: files.map((file) => present.file(file)),
    }
  })

  app.get('/rate_limit', async (_request, reply) => {
    const header = (name: string) => Number(reply.getHeader(`x-ratelimit-${name}`))
    const core = {
      limit: header('limit'),
      used: header('used'),
      remaining: header('remaining'),
      reset: header('reset'),
    }
    return { resources: { core }, rate: core }
  })
}
