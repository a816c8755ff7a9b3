import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { namesIn } from './namesIn.ts'
import { unlessMissing } from './unlessMissing.ts'

/** What files are called until they are whole: their name and a random one. */
const TEMPORARY = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
export const isTemporary = (name: string): boolean => TEMPORARY.test(name)

/** Folders of the two stores in which all is half-made, and those in which files get their name when they are whole. */
const HALF_MADE = {
  packs: ['work', 'trash', 'unpacked/incoming'],
  packages: ['archives/incoming'],
}
const WHOLE = {
  packs: ['requests', 'source-requests', 'type-requests', 'sources/*', 'types/*', 'unpacked/*'],
  packages: ['metadata'],
}

export interface LeftOverOptions {
  /** The store of what was made. */
  packs: string
  /** The store of metadata and archives; those of private registries stand in its folder `private`. */
  packages: string
  /** What is older was begun by a server that is no more. Milliseconds. */
  startedAt: number
}

/** Clears away what a server that was killed has left half-made. Whoever works now is not disturbed. */
export async function clearLeftOvers({ packs, packages, startedAt }: LeftOverOptions): Promise<void> {
  const mirrors = [packages, ...(await matching(packages, 'private/*'))]
  const inAll = async (patterns: typeof WHOLE): Promise<string[]> => {
    const found = [
      ...patterns.packs.map((pattern) => matching(packs, pattern)),
      ...mirrors.flatMap((mirror) => patterns.packages.map((pattern) => matching(mirror, pattern))),
    ]
    return (await Promise.all(found)).flat()
  }
  for (const folder of await inAll(HALF_MADE)) await clear(folder, startedAt, () => true)
  for (const folder of await inAll(WHOLE)) await clear(folder, startedAt, isTemporary)
}

async function clear(folder: string, startedAt: number, isLeftOver: (name: string) => boolean): Promise<void> {
  for (const name of (await namesIn(folder)).filter(isLeftOver)) {
    const path = join(folder, name)
    // Whoever works now may be done with it meanwhile.
    const found = await stat(path).catch(unlessMissing)
    if (found && found.mtimeMs < startedAt) await rm(path, { recursive: true, force: true })
  }
}

/** A last part `*` stands for every folder in the one before. */
async function matching(root: string, pattern: string): Promise<string[]> {
  if (!pattern.endsWith('/*')) return [join(root, pattern)]
  const folder = join(root, pattern.slice(0, -2))
  return (await namesIn(folder)).map((name) => join(folder, name))
}
