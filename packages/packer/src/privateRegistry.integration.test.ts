import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Packs } from './packs/packs.ts'
import { registryDetail } from './registryDetail.ts'
import { RegistryMirror } from './registryMirror.ts'
import { SafeFetch } from './safeFetch.ts'
import { isPrivatePackage, scopedMirror } from './scopedMirror.ts'
import { startFakeRegistry } from './testing/fakeRegistry.ts'
import type { FakePackage } from './testing/fakeRegistry.ts'

const KEY = 'Bearer company-key'
const scopes = { limitToScopes: true, enabledScopes: ['@acme'] }
const esm = (name: string, code: string, manifest: object = {}): FakePackage => ({
  name,
  version: '1.0.0',
  manifest: { type: 'module', main: 'index.js', ...manifest },
  files: { 'index.js': code },
})

let folder: string
let usual: Awaited<ReturnType<typeof startFakeRegistry>>
let own: Awaited<ReturnType<typeof startFakeRegistry>>
let fetcher: SafeFetch

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'private-'))
  usual = await startFakeRegistry([
    esm('left', 'export const left = 1'),
    esm('@acme/box', 'export const box = "planted"'),
  ])
  own = await startFakeRegistry(
    [esm('@acme/box', 'export { left } from "left"; export const box = "ours"', { dependencies: { left: '1' } })],
    KEY,
  )
  fetcher = new SafeFetch({ trustedOrigins: [usual.origin, own.origin] })
})
afterEach(async () => {
  await fetcher.close()
  await usual.close()
  await own.close()
  await rm(folder, { recursive: true })
})

const newMirror = (registry: string, authorization?: string | null) =>
  new RegistryMirror({
    folder: join(folder, registry.replace(/\W/g, '')),
    registry,
    publicBase: 'http://mirror/npm',
    fetch: fetcher,
    ...(authorization !== undefined && { private: { authorization } }),
  })
const newPacks = (salt: string, authorization = KEY) => {
  const mirror = scopedMirror(newMirror(usual.origin), newMirror(own.origin, authorization), scopes)
  // Nothing is waited for: what is tried again fails at once.
  return new Packs({ folder: join(folder, 'packs'), mirror, salt, wait: async () => undefined })
}
const request = { dependencies: { '@acme/box': '1', left: '1' }, specifiers: ['@acme/box'] }

it('PK910, PK911: a pack has the packages of private scopes from their registry, asked with its key, and the others from the usual one', async () => {
  const packs = newPacks('salt')
  const { id, imports } = await packs.pack(request)
  const code = (await packs.file(id, imports['@acme/box']!.file!))!.toString()
  expect(code).toContain('ours')
  expect(code).not.toContain('planted')
  expect(usual.requests.some((path) => path.includes('acme'))).toBe(false)
  expect(own.requests.every((path) => path.includes('acme'))).toBe(true)
  const kept = await readFile(join(folder, own.origin.replace(/\W/g, ''), 'metadata', '%40acme%2Fbox.json'), 'utf8')
  expect(kept).not.toContain('company-key')
})

it('PK910: the key is not sent to another origin, where an archive may be', async () => {
  const elsewhere = await startFakeRegistry([], 'never')
  const { document } = await own.publish(esm('@acme/far', ''))
  const { tarball } = Object.values(document.versions as Record<string, { dist: { tarball: string } }>)[0]!.dist
  Object.values(document.versions as Record<string, { dist: { tarball: string } }>)[0]!.dist.tarball = tarball.replace(
    own.origin,
    elsewhere.origin,
  )
  const trusting = new SafeFetch({ trustedOrigins: [own.origin, elsewhere.origin] })
  const seen: Record<string, string>[] = []
  const watched = {
    fetch: (url: string, headers: Record<string, string>) => {
      if (url.startsWith(elsewhere.origin)) seen.push(headers)
      return trusting.fetch(url, headers)
    },
  } as SafeFetch
  const options = { folder: join(folder, 'far'), registry: own.origin, publicBase: 'http://mirror/npm', fetch: watched }
  const mirror = new RegistryMirror({ ...options, private: { authorization: KEY } })
  await expect(mirror.tarball('@acme/far', 'far-1.0.0.tgz')).rejects.toThrow(/^Could not fetch http/)
  expect(seen).toEqual([{ accept: '*/*' }])
  await trusting.close()
  await elsewhere.close()
})

it('PK911: declarations made for a private package are not looked for elsewhere, and without scopes everything is private', () => {
  const names = ['@acme/box', '@ACME/box', '@types/acme__box', '@acme-evil/box', 'acme', '@types/acme', 'left']
  expect(names.filter((name) => isPrivatePackage(name, scopes))).toEqual(['@acme/box', '@ACME/box', '@types/acme__box'])
  expect(names.every((name) => isPrivatePackage(name, { limitToScopes: false, enabledScopes: [] }))).toBe(true)
})

it('PK912: a refusal is told in the words of the registry, once', async () => {
  await expect(newPacks('salt', 'Bearer wrong').pack(request)).rejects.toMatchObject({
    code: 'REGISTRY_REFUSED',
    message: 'Could not fetch from registry. This key opens nothing.',
  })
  expect(own.requests.length).toBeLessThanOrEqual(2)
  const { path } = await own.publish(esm('@acme/gone', ''))
  own.forget(path)
  await expect(newMirror(own.origin, KEY).tarball('@acme/gone', 'gone-1.0.0.tgz')).rejects.toMatchObject({
    code: 'ARCHIVE_REFUSED',
    message: `Could not fetch ${own.origin}${path}`,
  })
})

it.each([
  ['{"error":"Not yours"}', 'Not yours'],
  ['{"errors":{"detail":"Ask ada"}}', 'Ask ada'],
  ['{"errors":[]}', 'Make sure the right auth token and URL are set.'],
  ['<html>', 'Make sure the right auth token and URL are set.'],
  ['', 'Make sure the right auth token and URL are set.'],
  [`{"error":"${'x'.repeat(100_000)}"}`, 'Make sure the right auth token and URL are set.'],
])('PK912: of a refusal %.30s it is said: %s', async (body, detail) => {
  expect(await registryDetail(Readable.from([Buffer.from(body)]))).toBe(detail)
})

it('PK913: what is made for one workspace has another name than the same made for another', async () => {
  const [one, other] = [await newPacks('one').pack(request), await newPacks('other').pack(request)]
  expect(one.id).not.toBe(other.id)
  expect(one.versions).toEqual(other.versions)
})
