import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RegistryMirror } from './registryMirror.ts'
import type { SafeFetch } from './safeFetch.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mirror-'))
})
afterEach(() => rm(folder, { recursive: true }))

test.each([
  ['{"error":"token expired"}', 'Could not fetch from registry. token expired'],
  ['{"errors":{"detail":"Unauthorized"}}', 'Could not fetch from registry. Unauthorized'],
  ['<html>', 'Could not fetch from registry. Make sure the right auth token and URL are set.'],
  ['{}', 'Could not fetch from registry. Make sure the right auth token and URL are set.'],
])('a registry that refuses with %s is told of', async (body, message) => {
  const fetch = async () => ({ status: 401, headers: {}, body: Readable.from([Buffer.from(body)]) })
  const mirror = new RegistryMirror({
    folder,
    registry: 'https://registry.example.org/',
    publicBase: 'http://mirror/npm',
    fetch: { fetch } as unknown as SafeFetch,
  })
  await expect(mirror.metadata('shape')).rejects.toMatchObject({ code: 'REGISTRY_REFUSED', message })
})
