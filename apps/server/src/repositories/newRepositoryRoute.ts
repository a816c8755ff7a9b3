import { ApiError, dataOf } from '@boxyard/api'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { egressAddress } from '../machines/boxEnvironment.ts'
import { requireExportable } from '../sandboxes/requireExportable.ts'
import { authorizeSandbox } from '../sandboxes/sandboxes.ts'
import type { GitHosts } from './gitHosts.ts'
import { boxRemoteOf } from './gitGateway.ts'
import { mintTicket } from './gitTickets.ts'
import { findBranch } from './projects.ts'
import type { SandboxGit } from './sandboxGit.ts'

const answer = z.object({
  owner: z.string(),
  repo: z.string(),
  branch: z.string(),
  /** Where its page is at the git host. */
  page_url: z.string(),
  /** Where the box pushes to, and with what; null where the server committed the files itself. */
  url: z.string().nullable(),
  credentials: z.object({ origin: z.string(), username: z.string(), password: z.string() }).nullable(),
})

/**
 * Makes a repository of a sandbox. A devbox has its files on its machine, so its box fills the repository with what comes back; what a
 * sandbox without a machine has saved is committed here.
 */
export function registerNewRepository(
  app: App,
  context: ServerContext,
  { hosts, sandboxGit }: { hosts: GitHosts; sandboxGit: SandboxGit },
): void {
  const { database, sealer } = context

  app.post(
    '/api/beta/sandboxes/:id/repository',
    {
      onRequest: app.authenticate.required,
      schema: {
        params: z.object({ id: z.string().min(1).max(100) }),
        body: z.object({
          name: z.string().regex(/^[A-Za-z0-9._-]{1,100}$/, 'Use letters, digits and . _ -, at most 100.'),
          organization: z.string().min(1).max(250).optional(),
          private: z.boolean().default(true),
        }),
        response: { 200: dataOf(answer) },
      },
    },
    async (request, reply) => {
      const user = userOf(request)
      const { organization = null, ...wish } = request.body
      const { sandbox } = await authorizeSandbox(database, request.params.id, user, 'edit')
      await requireExportable(database, sandbox)
      reply.header('cache-control', 'no-store')
      if (!sandbox.isV2) {
        const place = await sandboxGit.createRepository(user, sandbox, { ...wish, organization })
        const { username: owner, repo, branch } = place
        return {
          data: { owner, repo, branch, page_url: `${hosts.url}/${owner}/${repo}`, url: null, credentials: null },
        }
      }
      if (await findBranch(database, sandbox.id))
        throw new ApiError('CONFLICT', { detail: 'This devbox is a branch of a repository already' })
      const host = await hosts.as(user)
      const made = await host.createRepository({ ...wish, organization, description: sandbox.description })
      const repository = `${made.owner}/${made.name}`
      return {
        data: {
          owner: made.owner,
          repo: made.name,
          branch: made.defaultBranch,
          page_url: `${hosts.url}/${repository}`,
          url: boxRemoteOf(made),
          credentials: {
            origin: egressAddress,
            username: user.username,
            password: mintTicket(sealer, { userId: user.id, boxId: sandbox.id, repository }, new Date()),
          },
        },
      }
    },
  )
}
