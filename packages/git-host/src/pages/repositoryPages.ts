import type { FastifyInstance, FastifyRequest } from 'fastify'
import { GitHostError } from '../errors.ts'
import type { GitHostContext } from '../gitHost.ts'
import { allows, permissionOf, repositoryIdsOf } from '../repositories/permissions.ts'
import type { Actor } from '../repositories/permissions.ts'
import { findRepository } from '../repositories/repositoryOperations.ts'
import type { HostParts } from '../rest/hostParts.ts'
import { hashSecret, newSecret } from '../secrets.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'

const SHOWN_COMMITS = 10
const PERSONAL_SCOPES = ['repo', 'read:org', 'workflow', 'user:email']

/** A small page for each repository, each pull request and each account, and one that makes access tokens for git. */
export function registerRepositoryPages(app: FastifyInstance, context: GitHostContext, parts: HostParts): void {
  const { prefix } = context

  app.get('/settings/tokens', async (request, reply) => {
    const session = await context.signedIn(request)
    if (!session)
      return reply.redirect(`${prefix}/login?return_to=${encodeURIComponent(`${prefix}/settings/tokens`)}`, 303)
    return context.send(
      reply,
      'Access tokens',
      tokenPage(context.form(request, reply, `${prefix}/settings/tokens`).csrf, null),
    )
  })

  app.post('/settings/tokens', async (request, reply) => {
    context.readForm(request)
    const session = await context.signedIn(request)
    if (!session) throw new GitHostError('FORBIDDEN')
    const token = newSecret('ghp_')
    await context.options.storage.addToken({
      tokenHash: hashSecret(token),
      accountId: session.account.id,
      clientId: 'personal',
      scopes: PERSONAL_SCOPES,
    })
    return context.send(
      reply,
      'Access tokens',
      tokenPage(context.form(request, reply, `${prefix}/settings/tokens`).csrf, token),
    )
  })

  app.get('/:owner', async (request, reply) => {
    const { owner } = request.params as { owner: string }
    const account = await parts.storage.findAccount(owner)
    const [organization] = account ? [] : await parts.storage.organizations.find({ key: owner.toLowerCase() })
    if (!account && !organization) throw new GitHostError('NOT_FOUND')
    const where = account
      ? { id: await repositoryIdsOf(parts.storage, account, ['owner']) }
      : { ownerKind: 'organization' as const, ownerId: organization!.id }
    const actor = await actorOf(request)
    const all = await parts.storage.repositories.find(where, { by: 'key' })
    const may = await Promise.all(all.map((record) => permissionOf(parts.storage, record, actor)))
    const shown = all.filter((_record, index) => allows(may[index]!, 'read'))
    const login = account?.login ?? organization!.login
    const body = html`<h1>${login}</h1>
      ${shown.length === 0 && html`<p>Nothing here that you can see.</p>`}
      <ul>
        ${shown.map(({ name }) => html`<li><a href="${prefix}/${login}/${name}">${name}</a></li>`)}
      </ul>`
    return context.send(reply, login, body)
  })

  app.get('/:owner/:repo', async (request, reply) => {
    const { record, git } = await open(request)
    const head = await git.resolve(`refs/heads/${record.defaultBranch}`)
    const entries = head === null ? [] : await git.tree(head, { recursive: false })
    const commits = head === null ? [] : await git.log({ head, limit: SHOWN_COMMITS })
    const pulls = await parts.storage.pulls.find({ repositoryId: record.id, state: 'open' })
    const name = `${record.ownerLogin}/${record.name}`
    const body = html`<h1>${name}</h1>
      <p>${record.description ?? (record.private ? 'A private repository.' : 'A public repository.')}</p>
      <p><code>git clone ${parts.publicUrl}/${name}.git</code></p>
      <h2>${record.defaultBranch}</h2>
      ${entries.length === 0 && html`<p>It is empty. Push a branch to begin.</p>`}
      <ul>
        ${entries.map(({ path, type }) => html`<li><code>${path}${type === 'tree' && '/'}</code></li>`)}
      </ul>
      ${commits.length > 0 && html`<h2>Last commits</h2>`}
      <ul>
        ${commits.map(({ sha, message }) => html`<li><code>${sha.slice(0, 7)}</code> ${message.split('\n', 1)[0]!}</li>`)}
      </ul>
      ${pulls.length > 0 && html`<h2>Pull requests</h2>`}
      <ul>
        ${pulls.map(({ number, title }) => html`<li><a href="${prefix}/${name}/pull/${number}">#${number} ${title}</a></li>`)}
      </ul>`
    return context.send(reply, name, body)
  })

  app.get('/:owner/:repo/pull/:number', async (request, reply) => {
    const { record } = await open(request)
    const number = Number((request.params as { number: string }).number)
    const [pull] = Number.isSafeInteger(number)
      ? await parts.storage.pulls.find({ repositoryId: record.id, number })
      : []
    if (!pull) throw new GitHostError('NOT_FOUND')
    const state = pull.merged ? 'Merged' : pull.state === 'closed' ? 'Closed' : pull.draft ? 'Draft' : 'Open'
    const name = `${record.ownerLogin}/${record.name}`
    const body = html`<h1>${pull.title}</h1>
      <p>${state}: <code>${pull.headLabel}</code> into <code>${pull.baseRef}</code></p>
      <p>${pull.body ?? ''}</p>
      <footer><a href="${prefix}/${name}">${name}</a></footer>`
    return context.send(reply, `#${pull.number} ${pull.title}`, body)
  })

  async function actorOf(request: FastifyRequest): Promise<Actor | null> {
    const session = await context.signedIn(request)
    return session && { account: session.account, scopes: null }
  }

  async function open(request: FastifyRequest) {
    const { owner, repo } = request.params as { owner: string; repo: string }
    const record = await findRepository(parts, owner, repo.replace(/\.git$/, ''))
    const permission = record ? await permissionOf(parts.storage, record, await actorOf(request)) : 'none'
    if (!record || !allows(permission, 'read')) throw new GitHostError('NOT_FOUND')
    return { record, git: parts.gitOf(record) }
  }

  function tokenPage(csrf: string, token: string | null): Html {
    return html`<h1>Access tokens</h1>
      <p>git asks for a user name and a password. Give your user name and a token from here.</p>
      ${token !== null && html`<p>Copy this token now. It is shown once: <br /><code>${token}</code></p>`}
      <form method="post" action="${prefix}/settings/tokens">
        <input type="hidden" name="csrf" value="${csrf}" />
        <button type="submit">Create a token</button>
      </form>
      <footer><a href="${prefix}/">Go to the start page</a></footer>`
  }
}
