import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { extract } from 'tar-stream'
import type { Headers } from 'tar-stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PackerError } from '../errors.ts'
import { RegistryMirror } from '../registryMirror.ts'
import { SafeFetch } from '../safeFetch.ts'
import { archiveOf, startFakeRegistry } from '../testing/fakeRegistry.ts'
import { InstalledTrees } from './installedTrees.ts'
import { planTree } from './treePlan.ts'
import type { TreeRequest } from './treePlan.ts'

const platform = { os: 'linux', cpu: 'x64', libc: 'glibc' } as const
type Entry = TreeRequest['lockfile']['packages'][string]

let folder: string
let registry: Awaited<ReturnType<typeof startFakeRegistry>>
let mirror: RegistryMirror
let failures: unknown[]

const sri = (bytes: Buffer): string => `sha512-${createHash('sha512').update(bytes).digest('base64')}`
const requestOf = (packages: Record<string, Entry>): TreeRequest => ({
  lockfile: { lockfileVersion: 3, packages: { '': {}, ...packages } },
  platform,
})

async function publish(name: string, entries: Parameters<typeof archiveOf>[0], more: Entry = {}): Promise<Entry> {
  const bytes = await archiveOf(entries)
  await registry.publish({ name, version: '1.0.0' }, bytes)
  return { version: '1.0.0', integrity: sri(bytes), ...more }
}

function newTrees(options: Partial<ConstructorParameters<typeof InstalledTrees>[0]> = {}): InstalledTrees {
  return new InstalledTrees({
    folder: join(folder, 'trees'),
    mirror,
    onFailure: (error) => failures.push(error),
    ...options,
  })
}

async function contentOf(tree: FileHandle): Promise<Map<string, Headers & { text: string }>> {
  const entries = extract()
  tree.createReadStream().pipe(entries)
  const found = new Map<string, Headers & { text: string }>()
  for await (const entry of entries) {
    found.set(entry.header.name, { ...entry.header, text: (await buffer(entry)).toString() })
  }
  return found
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boxyard-trees-'))
  registry = await startFakeRegistry([])
  failures = []
  mirror = new RegistryMirror({
    folder,
    registry: registry.origin,
    publicBase: 'http://mirror/npm',
    fetch: new SafeFetch({ trustedOrigins: [registry.origin] }),
    maxAge: 0,
  })
})

afterEach(async () => {
  await registry.close()
  await rm(folder, { recursive: true })
})

describe('a plan', () => {
  const integrity = sri(Buffer.from('bytes'))
  const plain: Entry = { version: '1.0.0', integrity }
  const refusal = (packages: Record<string, Entry>): string => {
    try {
      planTree(requestOf(packages))
    } catch (error) {
      if (error instanceof PackerError) return error.code
      throw error
    }
    return 'planned'
  }

  it('BX420: is made of packages of the registry with strong checksums alone; the rest is for npm', () => {
    expect(refusal({ 'node_modules/a': plain, 'node_modules/@s/b/node_modules/a': plain })).toBe('planned')
    for (const [path, entry] of Object.entries<Entry>({
      'node_modules/../../etc': plain,
      'node_modules/a/../b': plain,
      'packages/a': plain,
      'node_modules/A/node_modules/.bin': { ...plain, link: true },
      'node_modules/linked': { ...plain, link: true },
      'node_modules/git': { ...plain, resolved: 'git+ssh://git@host.test/a/b.git#1' },
      'node_modules/file': { ...plain, resolved: 'file:../a.tgz' },
      'node_modules/weak': { version: '1.0.0', integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' },
      'node_modules/unchecked': { version: '1.0.0' },
      'node_modules/outside': { ...plain, bin: { tool: '../../x.js' } },
      'node_modules/named': { ...plain, bin: { '../tool': 'x.js' } },
      'node_modules/absolute': { ...plain, bin: '/bin/sh' },
      'node_modules/mac': { ...plain, os: ['darwin'] },
    })) {
      expect(refusal({ [path]: entry }), path).toBe('NOT_PLAIN')
    }
    const many = Object.fromEntries(Array.from({ length: 3_001 }, (_, index) => [`node_modules/p${index}`, plain]))
    expect(refusal(many)).toBe('TOO_LARGE')
  })

  it('BX421: names everything that gets into the tree, and leaves out what is optional and for other machines', () => {
    const ofThis = planTree(
      requestOf({
        'node_modules/a': plain,
        'node_modules/mac': { ...plain, optional: true, os: ['darwin'] },
        'node_modules/arm': { ...plain, optional: true, cpu: ['arm64'] },
        'node_modules/musl': { ...plain, optional: true, libc: ['musl'] },
        'node_modules/not-windows': { ...plain, optional: true, os: ['!win32'] },
      }),
    )
    expect(ofThis.packages.map(({ place }) => place)).toEqual(['a', 'not-windows'])
    const id = (entry: Entry): string => planTree(requestOf({ 'node_modules/a': entry })).id
    expect(id({ ...plain, resolved: 'https://somewhere.test/a-1.0.0.tgz' })).toBe(id(plain))
    for (const other of [
      { ...plain, integrity: sri(Buffer.from('other')) },
      { ...plain, version: '1.0.1' },
      { ...plain, bin: 'x.js' },
      { ...plain, bundleDependencies: true },
      { ...plain, name: 'alias' },
    ]) {
      expect(id(other), JSON.stringify(other)).not.toBe(id(plain))
    }
  })
})

describe('a tree', () => {
  it('BX422: is not there the first time, made by the platform, and the same for whoever asks', async () => {
    const a = await publish('a', [{ name: 'package/index.js', content: 'a' }])
    const trees = newTrees()
    await trees.open()
    const plan = planTree(requestOf({ 'node_modules/a': { ...a, resolved: 'https://one.test/a-1.0.0.tgz' } }))
    expect(await trees.find(plan)).toBeNull()
    await trees.settled()
    // It needs neither the registry nor the box that asked first.
    registry.setAway(true)
    const again = newTrees()
    await again.open()
    const found = await again.find(planTree(requestOf({ 'node_modules/a': a })))
    const content = await contentOf(found!)
    expect([...content.keys()]).toEqual(['a/index.js', '.tree-is-whole'])
    expect(failures).toEqual([])
  })

  it('BX423: holds files with their rights to be run, links to programs and what bundles bring, and nothing of the lockfile', async () => {
    const tool = await publish(
      '@scope/tool',
      [
        { name: 'package/cli.js', content: 'tool', mode: 0o644 },
        { name: 'package/native', content: 'machine', mode: 0o755 },
        { name: 'package/index.js', content: 'module', mode: 0o644 },
        { name: 'package/link', type: 'symlink', linkname: '/etc/passwd' },
        { name: 'package/node_modules/hidden/index.js', content: 'hidden' },
      ],
      { bin: { tool: './cli.js' } },
    )
    const bundle = await publish(
      'bundle',
      [
        { name: 'package/index.js', content: 'bundle' },
        { name: 'package/node_modules/inside/index.js', content: 'inside' },
      ],
      { bundleDependencies: ['inside'] },
    )
    const trees = newTrees()
    await trees.open()
    const plan = planTree(
      requestOf({
        'node_modules/@scope/tool': tool,
        'node_modules/bundle': bundle,
        'node_modules/bundle/node_modules/inside': { version: '1.0.0', inBundle: true },
        'node_modules/bundle/node_modules/@scope/tool': { ...tool, funding: 'SECRET-OF-THE-FIRST-BOX' } as Entry,
      }),
    )
    await trees.find(plan)
    await trees.settled()
    expect(failures).toEqual([])
    const content = await contentOf((await trees.find(plan))!)
    expect(
      [...content].map(([name, { mode, linkname, text }]) => [name, (mode ?? 0).toString(8), linkname ?? text]),
    ).toEqual([
      ['@scope/tool/cli.js', '755', 'tool'],
      ['@scope/tool/native', '755', 'machine'],
      ['@scope/tool/index.js', '644', 'module'],
      ['bundle/index.js', '644', 'bundle'],
      ['bundle/node_modules/inside/index.js', '644', 'inside'],
      ['bundle/node_modules/@scope/tool/cli.js', '755', 'tool'],
      ['bundle/node_modules/@scope/tool/native', '755', 'machine'],
      ['bundle/node_modules/@scope/tool/index.js', '644', 'module'],
      ['.bin/tool', '777', '../@scope/tool/cli.js'],
      ['bundle/node_modules/.bin/tool', '777', '../@scope/tool/cli.js'],
      // Last of all, so that a box knows that it has the whole of it.
      ['.tree-is-whole', '644', ''],
    ])
    const bytes = await buffer((await trees.find(plan))!.createReadStream())
    expect(bytes.includes('SECRET-OF-THE-FIRST-BOX')).toBe(false)
  })

  it('BX424: is never made of an archive that is not the one of the lockfile, however it is asked for', async () => {
    const a = await publish('a', [{ name: 'package/index.js', content: 'a' }])
    const trees = newTrees({ limits: { bytes: 1_000, files: 10 } })
    await trees.open()
    const refused = async (packages: Record<string, Entry>, code: string): Promise<void> => {
      failures = []
      const plan = planTree(requestOf(packages))
      expect(await trees.find(plan)).toBeNull()
      await trees.settled()
      expect(failures).toMatchObject([{ code }])
      expect(await readdir(join(folder, 'trees', 'sealed'))).toEqual([])
      expect(await readdir(join(folder, 'trees', 'incoming'))).toEqual([])
    }
    await refused({ 'node_modules/a': { ...a, integrity: sri(Buffer.from('what a box claims')) } }, 'INTEGRITY')
    await refused({ 'node_modules/b': { ...a, name: 'b' } }, 'NOT_FOUND')
    const escaping = await publish('escaping', [{ name: 'package/../../x', content: 'x' }])
    await refused({ 'node_modules/escaping': escaping }, 'UNSAFE_ARCHIVE')
    const large = await publish('large', [{ name: 'package/x', content: 'x'.repeat(1_001) }])
    await refused({ 'node_modules/large': large }, 'TOO_LARGE')
    const tampered = await publish('tampered', [{ name: 'package/x', content: 'x' }])
    registry.tamper('/tampered/-/tampered-1.0.0.tgz', await archiveOf([{ name: 'package/x', content: 'evil' }]))
    await refused({ 'node_modules/tampered': tampered }, 'INTEGRITY')
  })

  it('BX425: makes room for others when all together take too much, those that nobody asked for first', async () => {
    const plans = []
    for (const name of ['one', 'two', 'three']) {
      const entry = await publish(name, [{ name: 'package/x', content: name.repeat(1_000) }])
      plans.push(planTree(requestOf({ [`node_modules/${name}`]: entry })))
    }
    const trees = newTrees({ keptBytes: 13_000 })
    await trees.open()
    for (const [index, plan] of plans.slice(0, 2).entries()) {
      await trees.find(plan)
      await trees.settled()
      const at = new Date(Date.UTC(2020, 0, 1 + index))
      await utimes(join(folder, 'trees', 'sealed', plan.id), at, at)
    }
    await (await trees.find(plans[0]!))?.close()
    await trees.find(plans[2]!)
    await trees.settled()
    expect(failures).toEqual([])
    expect((await readdir(join(folder, 'trees', 'sealed'))).toSorted()).toEqual([plans[0]!.id, plans[2]!.id].toSorted())
  })
})
