import { ApiError, dataOf } from '@boxyard/api'
import {
  packManifestSchema,
  packRequestSchema,
  sourceTreeManifestSchema,
  sourceTreeRequestSchema,
  typePackManifestSchema,
  typePackRequestSchema,
} from '@boxyard/packer'
import type { PackManifest, PackRequest } from '@boxyard/packer'
import { z } from 'zod'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { limitConcurrency } from '../limitConcurrency.ts'
import { authorizeSandbox } from '../sandboxes/index.ts'
import type { SandboxAccess } from '../sandboxes/index.ts'
import { makersFor } from './makersFor.ts'
import type { PackMakers } from './packMakers.ts'
import { readableFailure } from './readableFailure.ts'

/** A pack keeps a core busy for seconds; what is there already does not wait. */
const MOST_PACKS = 2
const sandboxParams = z.object({ id: z.string().min(1).max(100) })

/** The pack for a sandbox, as far as whoever opens it may have it. */
export type PackFor = (access: SandboxAccess, request: PackRequest) => Promise<PackManifest>

/** What sandboxes of the browser ask for: packs of their dependencies, the sources and the declarations of these. */
export function registerPackRoutes(app: App, { database, log }: ServerContext, makers: PackMakers): { pack: PackFor } {
  const making = limitConcurrency(MOST_PACKS)
  /** A package that nobody has, or a registry that is away, is said as people read it. */
  const make = async <Made>(
    what: string,
    work: () => Promise<Made>,
    known: () => Promise<Made | null> = async () => null,
  ): Promise<Made> => {
    try {
      return (await known()) ?? (await making(work))
    } catch (error) {
      const failure = readableFailure(error, 'PACK_FAILED')
      if (failure !== error) log.info({ err: error }, `${what} could not be packed`)
      throw failure
    }
  }
  const pack: PackFor = async (access, request) => {
    const { packs } = await makersFor(database, makers, access, request.dependencies)
    return make(
      'dependencies',
      () => packs.pack(request),
      () => packs.known(request),
    )
  }

  app.post(
    '/api/v1/sandboxes/:id/packs',
    {
      onRequest: app.authenticate.optional,
      schema: {
        params: sandboxParams,
        body: packRequestSchema,
        response: { 200: dataOf(packManifestSchema) },
      },
    },
    async (request) => {
      const access = await authorizeSandbox(database, request.params.id, request.user, 'open')
      return { data: await pack(access, request.body) }
    },
  )

  // What a program in a browser finds in node_modules; its files come from the host of the preview.
  app.post(
    '/api/v1/sandboxes/:id/sources',
    {
      onRequest: app.authenticate.optional,
      schema: {
        params: sandboxParams,
        body: sourceTreeRequestSchema,
        response: { 200: dataOf(sourceTreeManifestSchema) },
      },
    },
    async (request) => {
      const access = await authorizeSandbox(database, request.params.id, request.user, 'open')
      const { sources } = await makersFor(database, makers, access, request.body.dependencies)
      return { data: await make('sources', () => sources.tree(request.body)) }
    },
  )

  // What the compiler in the editor of a sandbox knows its packages from.
  app.post(
    '/api/v1/sandboxes/:id/types',
    {
      onRequest: app.authenticate.optional,
      schema: {
        params: sandboxParams,
        body: typePackRequestSchema,
        response: { 200: dataOf(typePackManifestSchema) },
      },
    },
    async (request) => {
      const access = await authorizeSandbox(database, request.params.id, request.user, 'open')
      const chosen = await makersFor(database, makers, access, request.body.dependencies)
      return { data: await make('types', () => chosen.typePacks.pack(request.body)) }
    },
  )

  app.get(
    '/api/v1/types/:id',
    {
      schema: {
        params: z.object({ id: z.string().max(100) }),
        response: { 200: z.instanceof(Buffer).describe('The declarations of the packages, as gzip of JSON') },
      },
    },
    async (request, reply) => {
      const content = await makers.usual.typePacks.file(request.params.id)
      if (!content) throw new ApiError('NOT_FOUND', { detail: 'There are no types of that name' })
      return reply
        .type('application/json')
        .header('content-encoding', 'gzip')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(content)
    },
  )

  return { pack }
}
