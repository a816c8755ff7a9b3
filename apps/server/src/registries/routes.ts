import { ApiError } from '@boxyard/api'
import { isPackageName, PackerError, SafeFetch } from '@boxyard/packer'
import { z } from 'zod'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { authorizeSandbox } from '../sandboxes/sandboxes.ts'
import type { PrivateRegistryRow } from './graphqlTypes.ts'
import { findRegistries, openKey } from './registries.ts'

/** What the private registry of a workspace says of a package, for the browser of whoever may change the sandbox. The key stays here. */
export function registerRegistries(app: App, { database, registries, sealer }: ServerContext): void {
  const fetch = new SafeFetch({ trustedOrigins: registries.npm === null ? [] : [registries.npm] })
  app.addHook('onClose', () => fetch.close())

  app.get(
    '/api/v1/sandboxes/:id/npm_registry/*',
    {
      onRequest: app.authenticate.required,
      schema: { params: z.object({ id: z.string().min(1).max(100), '*': z.string().min(1).max(300) }) },
    },
    async (request, reply) => {
      const { sandbox } = await authorizeSandbox(database, request.params.id, request.user, 'edit')
      const name = request.params['*']
      const [registry] = await findRegistries(database, [sandbox.teamId])
      // One without an address of its own is the registry of this installation, by its kind.
      const base = registry && (registry.registryUrl ?? (registry.registryType === 'npm' ? registries.npm : null))
      if (!isPackageName(name) || !registry || base == null || !isServed(registry, name)) {
        throw new ApiError('NOT_FOUND', { detail: 'The private registry of this workspace does not have this package' })
      }
      const key = openKey(sealer, registry)
      const scheme = registry.authType === 'basic' ? 'Basic' : 'Bearer'
      try {
        const answer = await fetch.fetch(`${base.replace(/\/+$/, '')}/${name.replace('/', '%2f')}`, {
          accept: 'application/vnd.npm.install-v1+json, application/json',
          ...(key === null ? {} : { authorization: `${scheme} ${key}` }),
        })
        if (answer.status !== 200) {
          answer.body.resume()
          throw refusal(answer.status)
        }
        return reply.header('cache-control', 'no-store').type('application/json').send(answer.body)
      } catch (error) {
        if (!(error instanceof PackerError)) throw error
        throw new ApiError('UNAVAILABLE', { detail: `The private registry: ${error.message}`, cause: error })
      }
    },
  )
}

function isServed({ limitToScopes, enabledScopes }: PrivateRegistryRow, name: string): boolean {
  return !limitToScopes || enabledScopes.some((scope) => name.startsWith(`${scope}/`))
}

function refusal(status: number): ApiError {
  if (status === 404) return new ApiError('NOT_FOUND', { detail: 'The private registry does not have this package' })
  const detail = `The private registry answered ${status}. An administrator of the workspace can look at its key`
  return new ApiError('UNAVAILABLE', { detail })
}
