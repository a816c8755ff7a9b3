import { ApiError, dataOf } from '@boxyard/api'
import { isPackageName, MirrorIndexes, pickVersion } from '@boxyard/packer'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import type { App } from '../http/app.ts'
import type { PackMakers } from './packMakers.ts'
import { readableFailure } from './readableFailure.ts'

/** Which version of a package a tag or a range means. */
export function registerDependencyRoutes(app: App, { mirror }: Pick<PackMakers, 'mirror'>): void {
  const indexes = new MirrorIndexes(mirror, (ms) => setTimeout(ms))

  app.get(
    '/api/v1/dependencies/*',
    {
      onRequest: app.authenticate.optional,
      schema: {
        params: z.object({ '*': z.string().min(1).max(400) }),
        response: { 200: dataOf(z.object({ name: z.string(), version: z.string() })) },
      },
    },
    async (request) => {
      const [, name = '', range = 'latest'] = /^(@?[^@]+)(?:@(.*))?$/.exec(request.params['*']) ?? []
      if (!isPackageName(name)) throw new ApiError('NOT_FOUND', { detail: 'This is not the name of a package' })
      try {
        return { data: { name, version: pickVersion(name, range, await indexes.get(name)) } }
      } catch (error) {
        throw readableFailure(error, 'NOT_FOUND')
      }
    },
  )
}
