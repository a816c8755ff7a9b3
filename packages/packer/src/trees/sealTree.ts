import { createWriteStream } from 'node:fs'
import { posix } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pack } from 'tar-stream'
import type { Headers, Pack } from 'tar-stream'
import { PackerError } from '../errors.ts'
import { readArchive } from '../packs/readArchive.ts'
import type { ArchiveLimits } from '../packs/readArchive.ts'
import { PACKAGE_LIMITS } from '../packs/unpackArchive.ts'
import type { RegistryMirror } from '../registryMirror.ts'
import type { PlannedPackage, TreePlan } from './treePlan.ts'

export interface TreeLimits {
  bytes: number
  files: number
}

/** So that every tree of the same plan has the same bytes. */
const MOMENT = new Date(Date.UTC(1985, 9, 26))

/** No name of a package. Whoever unpacks a tree has all of it when this is there: programs take an archive that is cut off for its end. */
const LAST_ENTRY = '.tree-is-whole'

/**
 * Writes the content of node_modules as one archive, from package archives that the mirror has checked. Nothing of a package is run. An
 * archive whose checksum is not the one of the lockfile is INTEGRITY.
 */
export async function sealTree(
  plan: TreePlan,
  file: string,
  mirror: Pick<RegistryMirror, 'tarball'>,
  limits: TreeLimits,
): Promise<void> {
  const tree = pack()
  const left = { ...limits, entryBytes: PACKAGE_LIMITS.entryBytes }
  const writing = pipeline(tree, createWriteStream(file, { flags: 'wx' }))
  writing.catch(() => undefined)
  try {
    for (const planned of plan.packages) {
      const { etag, stream } = await mirror.tarball(planned.name, planned.file)
      if (etag !== `"${planned.checksum}"`)
        throw new PackerError('INTEGRITY', `${planned.name}/${planned.file} is another than the lockfile names`)
      await addPackage(tree, planned, stream(), left)
    }
    for (const [link, target] of programLinks(plan)) {
      await addEntry(tree, { name: link, type: 'symlink', linkname: target, mode: 0o777, mtime: MOMENT })
    }
    await addEntry(tree, { name: LAST_ENTRY, mode: 0o644, mtime: MOMENT }, Buffer.alloc(0))
    tree.finalize()
    await writing
  } catch (error) {
    tree.destroy()
    await writing.catch(() => undefined)
    throw error
  }
}

async function addPackage(tree: Pack, planned: PlannedPackage, archive: Readable, left: ArchiveLimits): Promise<void> {
  const programs = new Set(planned.programs.map(([, path]) => path))
  await readArchive(
    archive,
    left,
    async ({ path, header: { mode = 0, size = 0 }, content }) => {
      const runs = programs.has(path) || (mode & 0o111) !== 0
      const header = { name: `${planned.place}/${path}`, mode: runs ? 0o755 : 0o644, mtime: MOMENT, size }
      await addEntry(tree, header, content)
    },
    planned,
  )
}

/** Resolves when the entry is taken, so that neither a tree nor a large file of one stands in memory as a whole. */
async function addEntry(tree: Pack, header: Headers, content?: Buffer | AsyncIterable<Buffer>): Promise<void> {
  if (content !== undefined && !Buffer.isBuffer(content)) return pipeline(content, tree.entry(header))
  await new Promise<void>((resolve, reject) => {
    tree.entry(header, content, (error) => (error ? reject(error) : resolve()))
  })
}

/** Links in the `.bin` beside each package, to its programs. Of two programs with one name the first package's stands. */
function programLinks({ packages }: TreePlan): Map<string, string> {
  const links = new Map<string, string>()
  for (const { place, programs } of packages) {
    const scoped = /(?:^|\/)@[^/]+\/[^/]+$/.test(place)
    const beside = posix.dirname(scoped ? posix.dirname(place) : place)
    for (const [program, path] of programs) {
      const link = posix.join(beside, '.bin', program)
      if (!links.has(link)) links.set(link, posix.relative(posix.dirname(link), posix.join(place, path)))
    }
  }
  return links
}
