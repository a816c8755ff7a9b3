import { existsSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RegistryMirror } from '../registryMirror.ts'
import { SafeFetch } from '../safeFetch.ts'
import { archiveOf, paxEntry, startFakeRegistry, tarEntry } from '../testing/fakeRegistry.ts'
import type { FakePackage } from '../testing/fakeRegistry.ts'
import { Packs } from './packs.ts'
import type { PackManifest } from './packs.ts'
import { unpackArchive } from './unpackArchive.ts'

const esm = (name: string, version: string, code: string, manifest: object = {}): FakePackage => ({
  name,
  version,
  manifest: { type: 'module', main: 'index.js', ...manifest },
  files: { 'index.js': code },
})

const needs = (name: string) => ({ dependencies: { [name]: '*' } })

let folder: string
let registry: Awaited<ReturnType<typeof startFakeRegistry>>
let fetcher: SafeFetch
let time: number
let waits: number[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packs-'))
  time = 1_000_000
  waits = []
  registry = await startFakeRegistry([])
  fetcher = new SafeFetch({ trustedOrigins: [registry.origin] })
})
afterEach(async () => {
  await fetcher.close()
  await registry.close()
  await rm(folder, { recursive: true })
})

const newPacks = () => {
  const options = { folder: join(folder, 'packages'), registry: registry.origin, publicBase: 'http://mirror/npm' }
  const mirror = new RegistryMirror({ ...options, fetch: fetcher, now: () => time })
  const wait = async (milliseconds: number) => {
    waits.push(milliseconds)
    if (waits.length === 2) registry.setAway(false)
  }
  return new Packs({ folder: join(folder, 'packs'), mirror, now: () => time, wait })
}
const publish = async (...packages: FakePackage[]) => {
  for (const one of packages) await registry.publish(one)
}
/** What a page gets when it imports a specifier of the pack. */
const load = async ({ id, imports }: PackManifest, specifier: string): Promise<Record<string, unknown>> =>
  import(pathToFileURL(join(folder, 'packs', 'packs', id.slice(0, 2), id.slice(2), imports[specifier]!.file!)).href)

describe('packs', () => {
  it('PK890: hands out a style sheet of a package by itself, with what only a preprocessor understands', async () => {
    await publish({
      name: 'look',
      version: '1.0.0',
      manifest: { exports: { './theme.css': './theme.css' } },
      files: { 'theme.css': '@theme { --a: 1px }\n@layer b { .c { @apply d; } }\n@tailwind utilities;\n' },
    })
    const { id, imports } = await newPacks().pack({
      dependencies: { look: '1.0.0' },
      specifiers: ['look/theme.css'],
    })
    const { file, css } = imports['look/theme.css']!
    expect(file).toBeNull()
    const sheet = (await newPacks().file(id, css!))?.toString().replace(/\s+/g, ' ')
    expect(sheet).toMatch(/@theme \{ --a: 1px;? \}/)
    expect(sheet).toMatch(/@apply d;/)
    expect(sheet).toContain('@tailwind utilities;')
  })

  it('PK40: bundles what is imported into modules that share one copy of everything', async () => {
    await publish(
      esm('shared', '1.0.0', 'export const mark = {}'),
      esm('a', '1.0.0', "export { mark } from 'shared'", { dependencies: { shared: '^1.0.0' } }),
      esm('b', '1.0.0', "export { mark } from 'shared'", { dependencies: { shared: '^1.0.0' } }),
    )
    const pack = await newPacks().pack({ dependencies: { a: '*', b: '*' }, specifiers: ['a', 'b'] })
    expect((await load(pack, 'a'))['mark']).toBe((await load(pack, 'b'))['mark'])
    expect(pack.versions).toEqual({ a: '1.0.0', b: '1.0.0', shared: '1.0.0' })
  })

  it('PK31, PK40: gives each package the version that it asks for', async () => {
    await publish(
      esm('dep', '1.0.0', 'export default 1'),
      esm('dep', '2.0.0', 'export default 2'),
      esm('old', '1.0.0', "export { default } from 'dep'", { dependencies: { dep: '^1.0.0' } }),
    )
    const pack = await newPacks().pack({ dependencies: { old: '1.0.0', dep: '^2.0.0' }, specifiers: ['old', 'dep'] })
    expect([(await load(pack, 'old'))['default'], (await load(pack, 'dep'))['default']]).toEqual([1, 2])
  })

  it('PK41: says which modules are CommonJS, and gives those as their default export', async () => {
    await publish({ name: 'cjs', version: '1.0.0', files: { 'index.js': 'exports.one = 1' } })
    const pack = await newPacks().pack({ dependencies: { cjs: '*' }, specifiers: ['cjs'] })
    expect(pack.imports['cjs']).toMatchObject({ interop: 'cjs' })
    expect((await load(pack, 'cjs'))['default']).toEqual({ one: 1 })
  })

  it('PK42: runs nothing of a package', async () => {
    const proof = join(folder, 'ran')
    const code = `import { writeFileSync } from 'node:fs'; export const ran = () => writeFileSync(${JSON.stringify(proof)}, '')`
    await publish({
      name: 'evil',
      version: '1.0.0',
      manifest: {
        type: 'module',
        scripts: { preinstall: `touch ${proof}`, install: `touch ${proof}`, postinstall: `touch ${proof}` },
      },
      files: { 'index.js': `${code}\nran()`, 'esbuild.config.js': code, 'tsconfig.json': '{"extends":"/etc/passwd"}' },
    })
    await newPacks().pack({ dependencies: { evil: '*' }, specifiers: ['evil'] })
    expect(existsSync(proof)).toBe(false)
  })

  it('PK43: keeps packs for good: the same question needs no registry after a restart, and another answer has another name', async () => {
    await publish(esm('a', '1.0.0', 'export default 1'))
    const request = { dependencies: { a: '^1.0.0' }, specifiers: ['a'] }
    const first = await newPacks().pack(request)
    registry.setAway(true)
    expect(await newPacks().pack(request)).toEqual(first)
    // Older than a day, and the registry does not answer: what it meant before still works.
    time += 25 * 60 * 60 * 1000
    expect(await newPacks().pack(request)).toEqual(first)
    time += 25 * 60 * 60 * 1000
    registry.setAway(false)
    await publish(esm('a', '1.1.0', 'export default 2'))
    const second = await newPacks().pack(request)
    expect(second.id).not.toBe(first.id)
    expect((await load(first, 'a'))['default']).toBe(1)
    expect((await load(second, 'a'))['default']).toBe(2)
  })

  it('PK961: another question in the same day is answered without the registry, which is asked for a version that is not known', async () => {
    await publish(esm('a', '1.0.0', 'export default 1'), esm('b', '1.0.0', "export * from 'a'", needs('a')))
    const packs = newPacks()
    await packs.pack({ dependencies: { a: '^1.0.0', b: '*' }, specifiers: ['a', 'b'] })
    await publish(esm('a', '1.1.0', 'export default 2'))
    time += 60 * 60 * 1000
    const asked = registry.requests.length
    const versionOf = async (range: string) =>
      (await packs.pack({ dependencies: { a: range }, specifiers: ['a'] })).versions['a']
    expect(await versionOf('>=1.0.0')).toBe('1.0.0')
    expect(registry.requests).toHaveLength(asked)
    expect(await versionOf('^1.1.0')).toBe('1.1.0')
    await publish(esm('a', '2.0.0', 'export default 3'))
    time += 60 * 60 * 1000
    expect(await versionOf('2.0.0')).toBe('2.0.0')
    await publish(esm('a', '3.0.0', 'export default 4'))
    time += 24 * 60 * 60 * 1000
    expect(await versionOf('>1.0.0')).toBe('3.0.0')
    await expect(versionOf('4.0.0')).rejects.toMatchObject({ code: 'VERSION_MISSING' })
  })

  it('PK44: does not pack an archive that does not match its checksum', async () => {
    const { path } = await registry.publish(esm('a', '1.0.0', 'export default 1'))
    registry.tamper(path, await archiveOf([{ name: 'package/index.js', content: 'export default "poison"' }]))
    const asked = newPacks().pack({ dependencies: { a: '*' }, specifiers: ['a'] })
    await expect(asked).rejects.toMatchObject({ code: 'INTEGRITY' })
    expect(existsSync(join(folder, 'packs', 'packs'))).toBe(false)
  })

  it('PK45: names a package that is imported and not declared', async () => {
    const asked = newPacks().pack({ dependencies: {}, specifiers: ['left/deep'] })
    await expect(asked).rejects.toMatchObject({ code: 'NOT_DECLARED', message: expect.stringContaining('left') })
    expect(registry.requests).toEqual([])
  })

  it('PK46: a package that a dependency needs and nobody brings fails when it is used, by name', async () => {
    await publish(esm('a', '1.0.0', "export const use = () => import('absent-peer'); export const fine = 1"))
    const pack = await newPacks().pack({ dependencies: { a: '*' }, specifiers: ['a'] })
    const { fine, use } = (await load(pack, 'a')) as { fine: number; use: () => Promise<unknown> }
    expect(fine).toBe(1)
    await expect(use()).rejects.toThrow('"absent-peer" is needed by a dependency')
  })

  it('PK46: what the project imports of a package and is not there is named, and the package is not taken for missing', async () => {
    await publish(esm('a', '1.0.0', 'export const fine = 1', { exports: { '.': './index.js' } }))
    const asked = newPacks().pack({ dependencies: { a: '*' }, specifiers: ['a', 'a/none'] })
    await expect(asked).rejects.toMatchObject({
      code: 'BUNDLE_FAILED',
      message: expect.stringContaining('there is no a/none in its package'),
    })
  })

  it.each([
    ['an absolute path', (secret: string) => secret],
    ['a path that leads upwards', (secret: string) => `../../../../../../../../../../../..${secret}`],
  ])('PK47: hands out no file of the machine that a package imports by %s', async (_, spell) => {
    for (const [file, content] of [
      ['secret.json', '{"key":"hush"}'],
      ['broken.json', '{hush'],
    ] as const) {
      const secret = join(folder, file)
      await writeFile(secret, content)
      await publish(esm('thief', '1.0.0', `export { default } from ${JSON.stringify(spell(secret))}`))
      const asked = newPacks().pack({ dependencies: { thief: '*' }, specifiers: ['thief'] })
      const error = await asked.then(
        () => undefined,
        (reason: Error) => reason,
      )
      expect(error).toMatchObject({ code: 'BUNDLE_FAILED' })
      expect(error?.message).not.toContain('hush')
      // Nothing half-made stays.
      expect(await readdir(join(folder, 'packs', 'work'))).toEqual([])
      expect(existsSync(join(folder, 'packs', 'packs'))).toBe(false)
      time += 400_000
    }
  })

  it('PK48: hands out files of packs and nothing else', async () => {
    await publish(esm('a', '1.0.0', 'export default 1'))
    const packs = newPacks()
    const { id } = await packs.pack({ dependencies: { a: '*' }, specifiers: ['a'] })
    expect((await packs.file(id, 'e0.js'))?.toString()).toContain('export')
    for (const [wrongId, name] of [
      [id, '../../requests'],
      [id, '..%2f'],
      [id, 'manifest.json'],
      ['..', 'e0.js'],
      [id.slice(1), 'e0.js'],
      ['0'.repeat(64), 'e0.js'],
    ] as const) {
      expect(await packs.file(wrongId, name)).toBeUndefined()
    }
  })

  it('PK49: ends the choice of versions for a package that pulls in more than any project has', async () => {
    // Every version needs the next package; without an end there would be ten thousand.
    const count = 40
    for (let level = 0; level < count; level += 1) {
      const dependencies = Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`bomb${index}`, `${level + 2}.0.0`]),
      )
      for (let index = 0; index < count; index += 1)
        await registry.publish(
          { name: `bomb${index}`, version: `${level + 1}.0.0`, manifest: { dependencies } },
          Buffer.alloc(0),
        )
    }
    const asked = newPacks().pack({ dependencies: { bomb0: '1.0.0' }, specifiers: ['bomb0'] })
    await expect(asked).rejects.toMatchObject({ code: 'TOO_LARGE' })
  })
})

describe('a registry that does not answer', () => {
  it('PK54: is asked again after 3 seconds, three times for metadata', async () => {
    await publish(esm('a', '1.0.0', 'export default 1'))
    registry.setAway(true)
    const pack = await newPacks().pack({ dependencies: { a: '*' }, specifiers: ['a'] })
    expect((await load(pack, 'a'))['default']).toBe(1)
    expect(waits).toEqual([3000, 3000])
  })

  it('PK54: is given up in the end, and what it refuses is not asked for again', async () => {
    const asked = newPacks().pack({ dependencies: { absent: '*' }, specifiers: ['absent'] })
    await expect(asked).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(waits).toEqual([])
  })
})

describe('archives', () => {
  const few = { bytes: 1000, entryBytes: 1000, files: 10 }
  const unpack = async (archive: Buffer | AsyncIterable<Buffer>, limits = few) => {
    const target = join(folder, 'target')
    await mkdir(target, { recursive: true })
    await unpackArchive(Readable.from(Buffer.isBuffer(archive) ? [archive] : archive), target, limits)
    return target
  }

  it('PK50: writes plain files without the folder around them, and long names whole', async () => {
    const long = `${'deep/'.repeat(30)}file.js`
    const target = await unpack(
      await archiveOf([
        { name: 'package/index.js', content: 'x' },
        { name: `package/${long}`, content: 'y' },
        { name: 'package/node_modules/react/index.js', content: 'shadow' },
        { name: 'package/link', type: 'symlink', linkname: '/etc/passwd' },
        { name: 'package/hard', type: 'link', linkname: '/etc/passwd' },
        { name: 'package/pipe', type: 'fifo' },
      ]),
      { ...few, files: 50 },
    )
    expect((await readdir(target)).toSorted()).toEqual(['deep', 'index.js'])
    expect(await readFile(join(target, long), 'utf8')).toBe('y')
  })

  it.each(['package/../../escaped', '/absolute', '../escaped', 'package/a\\..\\b'])(
    'PK51: refuses %j',
    async (name) => {
      await expect(unpack(await archiveOf([{ name, content: 'x' }]))).rejects.toMatchObject({ code: 'UNSAFE_ARCHIVE' })
      expect((await readdir(folder)).filter((entry) => entry.includes('escaped'))).toEqual([])
    },
  )

  it('PK52: stops at what unpacks to too much, or into too many files', async () => {
    const big = await archiveOf([{ name: 'package/zeros', content: Buffer.alloc(50_000_000) }])
    expect(big.length).toBeLessThan(100_000)
    await expect(unpack(big)).rejects.toMatchObject({ code: 'TOO_LARGE' })
    const many = await archiveOf(Array.from({ length: 11 }, (_, index) => ({ name: `package/${index}`, content: '' })))
    await expect(unpack(many)).rejects.toMatchObject({ code: 'TOO_LARGE' })
  })

  it('PK55: a large file is on disk part by part, before the rest of it has come', async () => {
    const whole = await archiveOf([{ name: 'package/large', content: randomBytes(4_000_000) }])
    const written = join(folder, 'target', 'large')
    const sizeOf = () =>
      stat(written).then(
        ({ size }) => size,
        () => 0,
      )
    async function* halves() {
      yield whole.subarray(0, whole.length / 2)
      while ((await sizeOf()) < 1_000_000) await new Promise((resolve) => setImmediate(resolve))
      yield whole.subarray(whole.length / 2)
    }
    await unpack(halves(), { ...few, bytes: 4_000_000, entryBytes: 4_000_000 })
    expect(await sizeOf()).toBe(4_000_000)
  })

  it('PK52: refuses a file that is too large, and folders without end, before they are there', async () => {
    const large = await archiveOf([{ name: 'package/large', content: Buffer.alloc(501) }])
    await expect(unpack(large, { ...few, entryBytes: 500 })).rejects.toThrow('a file that is too large')
    const deep = await archiveOf([{ name: `package/${'d/'.repeat(20)}file`, content: '' }])
    await expect(unpack(deep)).rejects.toThrow('too many folders')
    expect(await readdir(join(folder, 'target'), { recursive: true })).not.toContain('large')
  })

  it.each([
    [
      'a path of more than a thousand bytes',
      `package/${'deep/'.repeat(50)}${'x'.repeat(200)}/${'y'.repeat(200)}/${'z'.repeat(200)}/${'w'.repeat(200)}`,
    ],
    ['more than sixty folders in folders', `package/${'d/'.repeat(64)}file`],
    ['a name that no file system takes', `package/${'x'.repeat(256)}`],
  ])('PK56: refuses %s', async (_, name) => {
    const asked = unpack(await archiveOf([{ name, content: 'x' }]), { ...few, files: 1000 })
    await expect(asked).rejects.toMatchObject({ code: 'UNSAFE_ARCHIVE' })
    expect(await readdir(join(folder, 'target'))).toEqual([])
  })

  it.each([
    ['headers without a file', () => paxEntry('comment', 'x'.repeat(4_000_000))],
    ['emptiness', () => Buffer.alloc(4_000_000)],
  ])('PK57: refuses an archive that goes on with %s', async (_, made) => {
    const bomb = gzipSync(made())
    expect(bomb.length).toBeLessThan(50_000)
    await expect(unpack(bomb)).rejects.toMatchObject({ code: 'TOO_LARGE' })
  })

  it.each([
    ['no number', 'many', 'UNSAFE_ARCHIVE'],
    ['less than nothing', '-1', 'UNSAFE_ARCHIVE'],
    ['more than there is', '900', 'UNSAFE_ARCHIVE'],
    ['more than is allowed', '99999999999', 'TOO_LARGE'],
  ] as const)('PK57: ends at a file whose length is %s', async (_, size, code) => {
    const broken = gzipSync(Buffer.concat([paxEntry('size', size), tarEntry({ name: 'package/a' }), Buffer.alloc(512)]))
    await expect(unpack(broken)).rejects.toMatchObject({ code })
  })

  it('PK57: a folder with a length holds nothing up', async () => {
    const archive = gzipSync(
      Buffer.concat([paxEntry('size', '5'), tarEntry({ name: 'package/a', flag: '5' }), Buffer.alloc(1024)]),
    )
    expect(await readdir(await unpack(archive))).toEqual([])
  })

  it('PK57: refuses a file in the place of a folder', async () => {
    const archive = await archiveOf([
      { name: 'package/a', content: 'file' },
      { name: 'package/a/b', content: 'inside' },
    ])
    await expect(unpack(archive)).rejects.toMatchObject({ code: 'UNSAFE_ARCHIVE' })
  })

  it('PK53: refuses what is no archive', async () => {
    await expect(unpack(Buffer.from('not a gzip'))).rejects.toMatchObject({ code: 'UNSAFE_ARCHIVE' })
  })
})
