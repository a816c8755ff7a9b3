import { z } from 'zod'
import { isBranchName } from '../git/names.ts'
import { allows, permissionOf, repositoryIdsOf } from '../repositories/permissions.ts'
import type { RepositoryRecord } from '../repositories/records.ts'
import { createRepository, forkRepository, removeRepository } from '../repositories/repositoryOperations.ts'
import type { RepositoryOwner } from '../repositories/repositoryOperations.ts'
import { DuplicateRecord } from '../repositories/repositoryStorage.ts'
import { moment, presentSimpleUser } from './presenter.ts'
import { parse } from './restApi.ts'
import type { RestApi } from './restApi.ts'
import { RestError } from './restError.ts'

const loginText = z.string().regex(/^[A-Za-z0-9](?:[A-Za-z0-9]|-(?=[A-Za-z0-9])){0,38}$/)
const newRepository = z.object({
  name: z.string().max(100),
  description: z.string().max(350).nullish(),
  private: z.boolean().default(false),
  visibility: z.enum(['public', 'private']).optional(),
  auto_init: z.boolean().default(false),
})
const listQuery = z.object({
  affiliation: z.string().default('owner,collaborator,organization_member'),
  visibility: z.enum(['all', 'public', 'private']).default('all'),
  type: z.string().optional(),
  sort: z.enum(['created', 'updated', 'pushed', 'full_name']).default('full_name'),
  direction: z.enum(['asc', 'desc']).optional(),
})
type ListQuery = z.infer<typeof listQuery>
const affiliations = ['owner', 'collaborator', 'organization_member'] as const

/** People, organizations and repositories. */
export function registerRepositoryRoutes(api: RestApi): void {
  const { app, parts, present } = api
  const { storage } = parts

  app.get('/user/repos', async (request, reply) => {
    const actor = api.actor(request)
    const query = parse(listQuery, request.query)
    const wanted = affiliations.filter((affiliation) => query.affiliation.split(',').includes(affiliation))
    const ids = await repositoryIdsOf(storage, actor.account, wanted)
    return sendList(request, reply, await storage.repositories.find({ id: ids }), query)
  })

  app.post('/user/repos', async (request, reply) => {
    const account = api.accountWith(request, 'repo', 'public_repo')
    return create(request, reply, { kind: 'account', id: account.id, login: account.login })
  })

  app.get('/users/:login', async (request) => {
    const { login } = request.params as { login: string }
    const account = await storage.findAccount(login)
    if (account) {
      return {
        ...presentSimpleUser(account, parts.publicUrl),
        name: account.name,
        created_at: moment(account.insertedAt),
      }
    }
    return present.organization(await organizationNamed(login))
  })

  app.get('/users/:login/repos', async (request, reply) => {
    const { login } = request.params as { login: string }
    const account = await storage.findAccount(login)
    if (!account) throw RestError.notFound()
    const found = await storage.repositories.find({ ownerKind: 'account', ownerId: account.id })
    return sendList(request, reply, found, parse(listQuery, request.query))
  })

  app.get('/user/orgs', async (request, reply) => {
    const { account, scopes } = api.actor(request)
    // Without the scope nobody learns what someone belongs to.
    const shown = scopes === null || scopes.some((scope) => scope === 'read:org' || scope === 'repo')
    const memberships = shown ? await storage.memberships.find({ accountId: account.id }) : []
    const ids = memberships.map(({ organizationId }) => organizationId)
    const organizations = await storage.organizations.find({ id: ids }, { by: 'key' })
    return api.page(request, reply, organizations.length, (offset, limit) =>
      organizations.slice(offset, offset + limit).map((organization) => present.organization(organization)),
    )
  })

  app.get('/user/memberships/orgs', async (request) => {
    const { account } = api.actor(request)
    const memberships = await storage.memberships.find({ accountId: account.id })
    const organizations = await storage.organizations.find({
      id: memberships.map(({ organizationId }) => organizationId),
    })
    return memberships.map(({ role, organizationId }) => ({
      role,
      state: 'active',
      organization: present.organization(organizations.find(({ id }) => id === organizationId)!),
      user: presentSimpleUser(account, parts.publicUrl),
    }))
  })

  // The platform is part of this installation, so it is installed everywhere its people are.
  app.get('/user/installations', async (request) => {
    const { account } = api.actor(request)
    const memberships = await storage.memberships.find({ accountId: account.id })
    const organizations = await storage.organizations.find({
      id: memberships.map(({ organizationId }) => organizationId),
    })
    const accounts = [
      presentSimpleUser(account, parts.publicUrl),
      ...organizations.map((each) => present.organization(each)),
    ]
    return {
      total_count: accounts.length,
      installations: accounts.map((each) => ({
        id: each.id,
        account: each,
        app_slug: 'boxyard',
        repository_selection: 'all',
      })),
    }
  })

  // GitHub Enterprise Server's way to make an organization; there its administrators do it.
  app.post('/admin/organizations', async (request, reply) => {
    const account = api.accountWith(request, 'admin:org', 'repo')
    const body = parse(
      z.object({ login: loginText, admin: loginText, profile_name: z.string().max(100).nullish() }),
      request.body,
    )
    if (!account.administrator) throw new RestError(403, 'Must be a site administrator')
    const admin = await storage.findAccount(body.admin)
    if (!admin || (await storage.findAccount(body.login))) {
      throw RestError.invalid('Organization', admin ? 'login' : 'admin', 'invalid')
    }
    const organization = await duplicateIs(RestError.invalid('Organization', 'login', 'already_exists'), () =>
      storage.transaction(async (tx) => {
        const created = await tx.organizations.insert({
          login: body.login,
          key: body.login.toLowerCase(),
          name: body.profile_name ?? null,
          description: null,
          insertedAt: parts.now(),
        })
        await tx.memberships.insert({ organizationId: created.id, accountId: admin.id, role: 'admin' })
        return created
      }),
    )
    return reply.code(201).send(present.organization(organization))
  })

  app.get('/orgs/:login', async (request) =>
    present.organization(await organizationNamed((request.params as { login: string }).login)),
  )

  app.get('/orgs/:login/repos', async (request, reply) => {
    const { id } = await organizationNamed((request.params as { login: string }).login)
    const found = await storage.repositories.find({ ownerKind: 'organization', ownerId: id })
    return sendList(request, reply, found, parse(listQuery, request.query))
  })

  app.post('/orgs/:login/repos', async (request, reply) => {
    const account = api.accountWith(request, 'repo', 'public_repo')
    const { id, login } = await organizationNamed((request.params as { login: string }).login)
    await requireMember(id, account.id)
    return create(request, reply, { kind: 'organization', id, login })
  })

  app.put('/orgs/:login/memberships/:member', async (request) => {
    const account = api.accountWith(request, 'admin:org', 'repo')
    const { login, member } = request.params as { login: string; member: string }
    const organization = await organizationNamed(login)
    const [mine] = await storage.memberships.find({ organizationId: organization.id, accountId: account.id })
    if (mine?.role !== 'admin') throw new RestError(403, 'You must be an admin of the organization')
    const { role } = parse(z.object({ role: z.enum(['admin', 'member']).default('member') }), request.body)
    const added = await storage.findAccount(member)
    if (!added) throw RestError.notFound()
    const where = { organizationId: organization.id, accountId: added.id }
    const changed = await storage.memberships.update(where, { role })
    if (changed.length === 0) await storage.memberships.insert({ ...where, role })
    return {
      role,
      state: 'active',
      organization: present.organization(organization),
      user: presentSimpleUser(added, parts.publicUrl),
    }
  })

  app.get('/search/repositories', async (request, reply) => {
    const { q } = parse(z.object({ q: z.string().max(256) }), request.query)
    const owners = [...q.matchAll(/(?:^|\s)(?:user|org):(\S+)/g)].map(([, login]) => login!.toLowerCase())
    const words = q
      .replace(/\S+:\S+/g, ' ')
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
    const visible = await readable(request, await storage.repositories.find({}))
    const found = visible.filter(
      ({ key, ownerLogin, description }) =>
        (owners.length === 0 || owners.includes(ownerLogin.toLowerCase())) &&
        words.every((word) => key.includes(word) || description?.toLowerCase().includes(word)),
    )
    const items = await api.page(request, reply, found.length, (offset, limit) =>
      Promise.all(found.slice(offset, offset + limit).map((record) => shown(request, record))),
    )
    return { total_count: found.length, incomplete_results: false, items }
  })

  app.get('/repos/:owner/:repo', async (request) => {
    const { record, permission } = await api.open(request)
    const [parent] = record.parentId === null ? [] : await storage.repositories.find({ id: record.parentId })
    const around = parent
      ? { parent: present.repository(parent, 'read'), source: present.repository(parent, 'read') }
      : {}
    return {
      ...present.repository(record, permission),
      ...around,
      allow_merge_commit: true,
      allow_squash_merge: true,
      allow_rebase_merge: true,
    }
  })

  app.patch('/repos/:owner/:repo', async (request) => {
    const { record, git, permission } = await api.open(request, 'admin')
    const body = parse(
      z.object({
        description: z.string().max(350).nullable().optional(),
        private: z.boolean().optional(),
        default_branch: z.string().refine(isBranchName).optional(),
        archived: z.boolean().optional(),
      }),
      request.body,
    )
    const { default_branch: defaultBranch } = body
    if (defaultBranch !== undefined) {
      if ((await git.resolve(`refs/heads/${defaultBranch}`)) === null) {
        throw RestError.invalid('Repository', 'default_branch', 'invalid', 'The branch was not found')
      }
      await git.setDefaultBranch(defaultBranch)
    }
    const { description, private: isPrivate, archived } = body
    const change = {
      ...(description === undefined ? {} : { description }),
      ...(isPrivate === undefined ? {} : { private: isPrivate }),
      ...(archived === undefined ? {} : { archived }),
      ...(defaultBranch === undefined ? {} : { defaultBranch }),
    }
    const [changed] = await storage.repositories.update({ id: record.id }, { ...change, updatedAt: parts.now() })
    return present.repository(changed!, permission)
  })

  app.delete('/repos/:owner/:repo', async (request, reply) => {
    api.accountWith(request, 'delete_repo', 'repo')
    await removeRepository(parts, (await api.open(request, 'admin')).record)
    return reply.code(204).send()
  })

  app.get('/repos/:owner/:repo/forks', async (request, reply) => {
    const { record } = await api.open(request)
    const forks = await readable(request, await storage.repositories.find({ parentId: record.id }))
    return api.page(request, reply, forks.length, (offset, limit) =>
      Promise.all(forks.slice(offset, offset + limit).map((fork) => shown(request, fork))),
    )
  })

  app.post('/repos/:owner/:repo/forks', async (request, reply) => {
    const { record } = await api.open(request)
    const account = api.accountWith(request, 'repo', ...(record.private ? [] : ['public_repo']))
    const body = parse(
      z.object({
        organization: z.string().optional(),
        name: z.string().optional(),
        default_branch_only: z.boolean().default(false),
      }),
      request.body,
    )
    let owner: RepositoryOwner = { kind: 'account', id: account.id, login: account.login }
    if (body.organization !== undefined && body.organization.toLowerCase() !== account.login.toLowerCase()) {
      const { id, login } = await organizationNamed(body.organization)
      await requireMember(id, account.id)
      owner = { kind: 'organization', id, login }
    }
    if (owner.kind === record.ownerKind && owner.id === record.ownerId) {
      throw new RestError(403, 'A repository can not be forked to its own owner')
    }
    const options = { name: body.name ?? record.name, defaultBranchOnly: body.default_branch_only }
    return reply.code(202).send(await shown(request, await forkRepository(parts, record, owner, options)))
  })

  app.get('/repos/:owner/:repo/collaborators', async (request) => {
    const { record } = await api.open(request, 'write')
    const collaborators = await storage.collaborators.find({ repositoryId: record.id })
    const user = await present.users(collaborators.map(({ accountId }) => accountId))
    const list = collaborators.map(({ accountId, permission }) => ({ ...user(accountId), role_name: permission }))
    return [{ ...present.owner(record), role_name: 'admin' }, ...list]
  })

  app.put('/repos/:owner/:repo/collaborators/:login', async (request, reply) => {
    const { record } = await api.open(request, 'admin')
    const account = await storage.findAccount((request.params as { login: string }).login)
    if (!account) throw RestError.notFound()
    const { permission } = parse(
      z.object({ permission: z.enum(['pull', 'triage', 'push', 'maintain', 'admin']).default('push') }),
      request.body,
    )
    const granted = ({ pull: 'read', triage: 'read', push: 'write', maintain: 'admin', admin: 'admin' } as const)[
      permission
    ]
    const where = { repositoryId: record.id, accountId: account.id }
    const changed = await storage.collaborators.update(where, { permission: granted })
    if (changed.length === 0) await storage.collaborators.insert({ ...where, permission: granted })
    return reply.code(204).send()
  })

  app.delete('/repos/:owner/:repo/collaborators/:login', async (request, reply) => {
    const { record } = await api.open(request, 'admin')
    const account = await storage.findAccount((request.params as { login: string }).login)
    if (account) await storage.collaborators.remove({ repositoryId: record.id, accountId: account.id })
    return reply.code(204).send()
  })

  app.get('/repos/:owner/:repo/collaborators/:login/permission', async (request) => {
    const { record } = await api.open(request)
    const account = await storage.findAccount((request.params as { login: string }).login)
    if (!account) throw RestError.notFound()
    const permission = await permissionOf(storage, record, { account, scopes: null })
    return { permission, role_name: permission, user: presentSimpleUser(account, parts.publicUrl) }
  })

  async function organizationNamed(login: string) {
    const [organization] = await storage.organizations.find({ key: login.toLowerCase() })
    if (!organization) throw RestError.notFound()
    return organization
  }

  async function requireMember(organizationId: number, accountId: number): Promise<void> {
    const members = await storage.memberships.count({ organizationId, accountId })
    if (members === 0) throw new RestError(403, 'You are not a member of this organization')
  }

  async function create(
    request: Parameters<RestApi['open']>[0],
    reply: Parameters<RestApi['page']>[1],
    owner: RepositoryOwner,
  ) {
    const body = parse(newRepository, request.body)
    const { account, scopes } = api.actor(request)
    const isPrivate = body.private || body.visibility === 'private'
    if (isPrivate && scopes !== null && !scopes.includes('repo')) {
      throw new RestError(403, 'This token needs the scope repo for a private repository')
    }
    const values = {
      name: body.name,
      description: body.description ?? null,
      private: isPrivate,
      autoInit: body.auto_init,
    }
    return reply.code(201).send(await shown(request, await createRepository(parts, owner, values, account)))
  }

  async function shown(request: Parameters<RestApi['open']>[0], record: RepositoryRecord) {
    return present.repository(record, await permissionOf(storage, record, request.gitActor))
  }

  async function readable(
    request: Parameters<RestApi['open']>[0],
    records: RepositoryRecord[],
  ): Promise<RepositoryRecord[]> {
    const may = await Promise.all(records.map((record) => permissionOf(storage, record, request.gitActor)))
    return records.filter((_record, index) => allows(may[index]!, 'read'))
  }

  async function sendList(
    request: Parameters<RestApi['open']>[0],
    reply: Parameters<RestApi['page']>[1],
    records: RepositoryRecord[],
    query: ListQuery,
  ) {
    const visible = (await readable(request, records))
      .filter((record) => query.visibility === 'all' || record.private === (query.visibility === 'private'))
      .toSorted(orderOf(query))
    return api.page(request, reply, visible.length, (offset, limit) =>
      Promise.all(visible.slice(offset, offset + limit).map((record) => shown(request, record))),
    )
  }
}

/** By name upwards, by moments downwards, unless the other way is asked for. */
function orderOf({ sort, direction }: ListQuery): (a: RepositoryRecord, b: RepositoryRecord) => number {
  const sign = (direction ?? (sort === 'full_name' ? 'asc' : 'desc')) === 'asc' ? 1 : -1
  const moments = { created: 'insertedAt', updated: 'updatedAt', pushed: 'pushedAt' } as const
  if (sort === 'full_name') return (a, b) => sign * (a.key < b.key ? -1 : 1)
  return (a, b) => sign * (a[moments[sort]].getTime() - b[moments[sort]].getTime())
}

async function duplicateIs<T>(refusal: RestError, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DuplicateRecord) throw refusal
    throw error
  }
}
