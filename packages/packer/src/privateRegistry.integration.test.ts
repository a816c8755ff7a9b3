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
  const kept = await readFile(join(folder, own.origin.replace(/\W/g, ''), 'metadata', '%40acme%2Fbox.kept'), 'utf8')
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
  const own = ['@acme/box', '@ACME/box', '@types/acme__box', '@Types/ACME__box']
  const others = ['@acme-evil/box', 'acme', '@types/acme', '@types/acme_box', '@types/acmes__box', 'left']
  expect([...own, ...others].filter((name) => isPrivatePackage(name, scopes))).toEqual(own)
  expect(isPrivatePackage('@types/ac__me__box', { limitToScopes: true, enabledScopes: ['@Ac__me'] })).toBe(true)
  expect([...own, ...others].every((name) => isPrivatePackage(name, { limitToScopes: false, enabledScopes: [] }))).toBe(
    true,
  )
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
  [429, '{"error":"Slow down"}', 'Slow down'],
  [503, '{"errors":{"detail":"We are moving"}}', 'We are moving'],
  [500, '<html>', 'Make sure the right auth token and URL are set.'],
])('PK946: a private registry that answers %i is asked three times and quoted', async (status, body, detail) => {
  own.failWith({ status, body })
  await expect(newPacks('salt').pack(request)).rejects.toMatchObject({
    code: 'REGISTRY_AWAY',
    message: `Could not fetch from registry. ${detail}`,
  })
  expect(own.requests).toHaveLength(3)
})

it('PK946: a private registry that does not answer is told in the same words, and what is known of it stays', async () => {
  const mirror = newMirror(own.origin, KEY)
  own.setAway(true)
  await expect(mirror.metadata('@acme/box')).rejects.toMatchObject({
    code: 'REGISTRY_AWAY',
    message: 'Could not fetch from registry. Make sure the right auth token and URL are set.',
  })
  own.setAway(false)
  const { id } = await newPacks('salt').pack(request)
  own.failWith({ status: 503, body: '' })
  const archive = `${own.origin}/@acme/box/-/box-1.0.0.tgz`
  await rm(join(folder, own.origin.replace(/\W/g, ''), 'archives'), { recursive: true })
  await expect(newMirror(own.origin, KEY).tarball('@acme/box', 'box-1.0.0.tgz')).rejects.toMatchObject({
    code: 'ARCHIVE_AWAY',
    message: `Could not fetch ${archive}`,
  })
  const later = new RegistryMirror({
    folder: join(folder, own.origin.replace(/\W/g, '')),
    registry: own.origin,
    publicBase: 'http://mirror/npm',
    fetch: fetcher,
    private: { authorization: KEY },
    maxAge: 0,
  })
  expect((await later.metadata('@acme/box')).length).toBeGreaterThan(0)
  expect((await newPacks('salt').pack(request)).id).toBe(id)
})

it.each(['nonsense', 'file:///etc/passwd', 'http://[', 'http://user:secret@registry.test/box.tgz'])(
  'PK947: an archive at %j is refused, with a key and without',
  async (address) => {
    for (const [registry, authorization] of [
      [own, KEY],
      [usual, undefined],
    ] as const) {
      const { document } = await registry.publish(esm('@acme/odd', ''))
      for (const { dist } of Object.values(document.versions as Record<string, { dist: { tarball: string } }>))
        dist.tarball = `${address}/-/odd-1.0.0.tgz`
      const asked = newMirror(registry.origin, authorization).tarball('@acme/odd', 'odd-1.0.0.tgz')
      await expect(asked).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
    }
  },
)

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
