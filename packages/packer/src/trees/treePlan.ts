import { createHash } from 'node:crypto'
import { z } from 'zod'
import { checksumOf } from '../contentStore.ts'
import { PackerError } from '../errors.ts'
import { isPackageName } from '../packageName.ts'

/** Counts up when the same plan leads to other files. */
const FORMAT = 2
const MAX_PACKAGES = 3_000
const BIN_NAME = /^[\w@+-][\w@.+-]{0,99}$/
const PLACE = /^node_modules\/(.+)$/

const list = z.array(z.string().max(100)).max(100)
const entrySchema = z.looseObject({
  name: z.string().max(214).optional(),
  version: z.string().max(256).optional(),
  resolved: z.string().max(2_000).optional(),
  integrity: z.string().max(1_000).optional(),
  link: z.boolean().optional(),
  inBundle: z.boolean().optional(),
  optional: z.boolean().optional(),
  devOptional: z.boolean().optional(),
  bundleDependencies: z.union([z.boolean(), list]).optional(),
  os: list.optional(),
  cpu: list.optional(),
  libc: list.optional(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
})

export const treeRequestSchema = z.object({
  lockfile: z.object({
    lockfileVersion: z.union([z.literal(2), z.literal(3)]),
    packages: z.record(z.string().max(2_000), entrySchema),
  }),
  platform: z.object({
    os: z.string().max(20),
    cpu: z.string().max(20),
    libc: z.enum(['glibc', 'musl']).nullable(),
  }),
})
export type TreeRequest = z.infer<typeof treeRequestSchema>
type Entry = z.infer<typeof entrySchema>
type Platform = TreeRequest['platform']

/** One archive and where it is unpacked to. */
export interface PlannedPackage {
  /** Below node_modules, with `/node_modules/` between a package and one inside of it. */
  place: string
  name: string
  file: string
  /** sha512, in hex. */
  checksum: string
  /** The archive brings packages of its own. */
  isBundle: boolean
  /** Paths of programs in the package, by name. */
  programs: readonly (readonly [name: string, path: string])[]
}

export interface TreePlan {
  /** The same for the same content, whoever asks. */
  id: string
  packages: readonly PlannedPackage[]
}

/**
 * What npm would unpack for a lockfile on a platform. Everything that gets into the tree is in the plan, and so in its id: nothing else of a
 * lockfile, which a box may have written to deceive another, is used. Throws NOT_PLAIN for what only npm itself can install.
 */
export function planTree({ lockfile, platform }: TreeRequest): TreePlan {
  const packages: PlannedPackage[] = []
  for (const [path, entry] of Object.entries(lockfile.packages)) {
    if (path === '' || entry.inBundle) continue
    if (!suits(entry, platform)) {
      if (entry.optional || entry.devOptional) continue
      throw new PackerError('NOT_PLAIN', `${path} is not made for ${platform.os} on ${platform.cpu}`)
    }
    packages.push(plannedPackage(path, entry))
  }
  if (packages.length > MAX_PACKAGES) throw new PackerError('TOO_LARGE', 'more than 3,000 packages')
  packages.sort((a, b) => (a.place < b.place ? -1 : 1))
  const content = JSON.stringify([FORMAT, packages])
  return { id: createHash('sha256').update(content).digest('hex'), packages }
}

function plannedPackage(path: string, entry: Entry): PlannedPackage {
  const place = PLACE.exec(path)?.[1]
  const names = place?.split('/node_modules/')
  if (place === undefined || names === undefined || !names.every(isPackageName) || entry.link)
    throw new PackerError('NOT_PLAIN', `${path} is not a package of the registry`)
  const name = entry.name ?? names.at(-1)!
  const { resolved, integrity, version } = entry
  const checksum = integrity === undefined ? undefined : checksumOf({ integrity })
  if (checksum?.algorithm !== 'sha512') throw new PackerError('NOT_PLAIN', `${path} has no strong checksum`)
  if (!isPackageName(name) || (resolved !== undefined && !/^https?:\/\//.test(resolved)))
    throw new PackerError('NOT_PLAIN', `${path} is not a package of the registry`)
  const file =
    resolved === undefined
      ? `${name.split('/').at(-1)}-${version ?? ''}.tgz`
      : (resolved.split(/[?#]/, 1)[0]!.split('/').at(-1) ?? '')
  const isBundle =
    entry.bundleDependencies === true ||
    (Array.isArray(entry.bundleDependencies) && entry.bundleDependencies.length > 0)
  return { place, name, file, checksum: checksum.hex, isBundle, programs: programsOf(path, name, entry.bin) }
}

function programsOf(path: string, name: string, bin: Entry['bin']): PlannedPackage['programs'] {
  const all = typeof bin === 'string' ? { [name.split('/').at(-1)!]: bin } : (bin ?? {})
  return Object.entries(all).map(([program, target]) => {
    const parts = target.split('/').filter((part) => part !== '' && part !== '.')
    if (
      !BIN_NAME.test(program) ||
      parts.length === 0 ||
      parts.includes('..') ||
      target.startsWith('/') ||
      /[\0\\]/.test(target)
    )
      throw new PackerError('NOT_PLAIN', `${path} names a program that lies elsewhere`)
    return [program, parts.join('/')] as const
  })
}

function suits({ os, cpu, libc }: Entry, platform: Platform): boolean {
  return (
    isListed(os, platform.os) &&
    isListed(cpu, platform.cpu) &&
    (platform.libc === null || isListed(libc, platform.libc))
  )
}

/** As npm reads such lists: names that are allowed, or names after `!` that are not. */
function isListed(names: readonly string[] | undefined, wanted: string): boolean {
  if (names === undefined || names.length === 0 || (names.length === 1 && names[0] === 'any')) return true
  if (names.includes(`!${wanted}`)) return false
  return names.includes(wanted) || names.every((name) => name.startsWith('!'))
}
