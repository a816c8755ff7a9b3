import { branchPolicies, holdsOnBranch, mayDo } from '@boxyard/api'
import type { RepositoryName } from '@boxyard/git-host'
import { request as httpRequest } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { ServerContext } from '../context.ts'
import { findUser } from '../accounts/users.ts'
import type { User } from '../accounts/users.ts'
import { egressAddress } from '../machines/boxEnvironment.ts'
import { accessSandbox } from '../sandboxes/sandboxes.ts'
import { findCredential, openToken } from './gitCredentials.ts'
import { openTicket } from './gitTickets.ts'
import { branchRole, findBranch } from './projects.ts'

/** The path at which a box finds the git host, beside the package registries. */
export const GIT_PATH = '/git/'
const pattern =
  /^\/git\/([^/?]+)\/([^/?]+?)\.git\/(info\/refs\?service=git-(upload|receive)-pack|git-(upload|receive)-pack)$/

/** The address of `origin` in a box. */
export const boxRemoteOf = ({ owner, name }: RepositoryName) => `${egressAddress}${GIT_PATH}${owner}/${name}.git`

/**
 * Git of a box to the git host: for the repository of its branch alone, in the name of whoever's ticket comes with the call. The
 * person's own token is put in here and never comes near the box.
 */
export function createGitGateway(context: ServerContext, host: { url: string }) {
  const { database, sealer, configuration, log } = context

  async function mayReach(
    boxId: string,
    found: Awaited<ReturnType<typeof findBranch>>,
    user: User,
    writes: boolean,
  ): Promise<boolean> {
    if (!found) {
      const access = await accessSandbox(database, boxId, user)
      return access !== null && mayDo(access.role, 'edit') && !access.sandbox.isFrozen
    }
    const role = await branchRole(database, found.branch, found.project, user)
    const state = { isProtected: found.branch.protected, isContribution: found.branch.contribution }
    const operation = writes ? 'edit' : 'open'
    return branchPolicies.mayDo(role, operation) && holdsOnBranch(operation, state)
  }

  return async function answer(boxId: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refuse = (status: number, text: string, headers: Record<string, string> = {}) => {
      request.resume()
      response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(`${text}\n`)
    }
    const match = pattern.exec(request.url ?? '')
    if (!match) return refuse(404, 'This is no address of a repository.')
    const [, owner, name, rest] = match
    const writes = (match[4] ?? match[5]) === 'receive'
    const found = await findBranch(database, boxId)
    const wanted = `${owner}/${name}`.toLowerCase()
    const ticket = openTicket(sealer, passwordOf(request.headers.authorization) ?? '', new Date())
    const isOfBox = ticket?.boxId === boxId
    // A devbox has no branch: the ticket says which repository was made from it.
    const own = found ? `${found.project.owner}/${found.project.name}` : isOfBox ? ticket.repository : undefined
    const askToSignIn = () =>
      refuse(401, 'Pull and push from the source control view, which signs you in.', {
        'www-authenticate': 'Basic realm="git"',
      })
    // Git asks without a ticket first, and brings it when it is asked for one.
    if (!found && request.headers.authorization === undefined) return askToSignIn()
    if (own?.toLowerCase() !== wanted) return refuse(404, 'This box works with the repository of its own branch only.')
    if (!isOfBox) return askToSignIn()
    const user = await findUser(database, ticket.userId)
    if (!user || !(await mayReach(boxId, found, user, writes))) return refuse(403, 'You are not allowed to do this.')
    const credential = await findCredential(database, user.id)
    if (!credential)
      return refuse(403, 'Your account at the git host is not connected. Connect it on the page of repositories.')
    const token = openToken(sealer, credential)

    // To git in the box a contribution's fork and its source are one remote: it reads from the one and writes to the other.
    const at = writes && found?.branch.contribution && ticket.pushTo !== undefined ? ticket.pushTo : own
    const target = new URL(`${host.url}/${at}.git/${rest}`)
    const isOwn = target.origin === configuration.appOrigin
    const send = !isOwn && target.protocol === 'https:' ? httpsRequest : httpRequest
    const upstream = send({
      method: request.method,
      // Our own host name may mean nothing on this machine.
      host: isOwn ? localAddress(configuration.host) : target.hostname,
      port: isOwn ? configuration.port : target.port,
      path: target.pathname + target.search,
      headers: {
        ...passed(request),
        host: target.host,
        authorization: `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`,
      },
      agent: false,
    })
    upstream.once('response', (answered) => {
      const { 'content-type': type, 'cache-control': cache } = answered.headers
      response.writeHead(answered.statusCode ?? 502, {
        ...(type ? { 'content-type': type } : {}),
        ...(cache ? { 'cache-control': cache } : {}),
      })
      answered.pipe(response)
    })
    upstream.once('error', (error) => {
      log.warn({ err: error, box: boxId }, 'the git host did not answer a box')
      if (response.headersSent) response.destroy()
      else refuse(502, 'The git host does not answer. Try again in a moment.')
    })
    response.once('close', () => upstream.destroy())
    request.pipe(upstream)
  }
}

function passwordOf(authorization: string | undefined): string | null {
  const encoded = /^basic (\S+)$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  return text.slice(text.indexOf(':') + 1)
}

function passed({ headers }: IncomingMessage): Record<string, string> {
  const names = [
    'content-type',
    'content-encoding',
    'content-length',
    'transfer-encoding',
    'accept',
    'accept-encoding',
    'git-protocol',
    'user-agent',
  ]
  return Object.fromEntries(names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])))
}

function localAddress(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}
