import type { Readable } from 'node:stream'
import { z } from 'zod'
import { contentOf, readArchive } from '../packs/readArchive.ts'
import type { TreeRoom } from '../packs/treeRoom.ts'
import { PACKAGE_LIMITS } from '../packs/unpackArchive.ts'

/** What a compiler has to know of a package to read its types. */
export interface PackageTypes {
  /** Declarations and the part of package.json that leads to them, by path in the package. */
  files: ReadonlyMap<string, string>
  /** Whether it has declarations of its own. */
  hasTypes: boolean
  /** Whether its declarations name this package. */
  mentions(name: string): boolean
}

/** More than this no package declares that people read. */
const MAX_BYTES = 12 * 1024 * 1024
const MANIFEST = /(?:^|\/)package\.json$/
const DECLARATION = /\.d(?:\.[\w-]+)?\.[cm]?ts$/
/** `from 'x'`, `import 'x'`, `import('x')`, `require('x')`, `declare module 'x'`, `/// <reference types="x" />`. */
const MENTION = /(?:from|import|require\(|import\(|module|types=)\s*["']([@\w][^"']*)["']/g

/** The part of package.json that has to do with where declarations are. */
const manifestSchema = z.object({
  name: z.unknown().optional(),
  version: z.unknown().optional(),
  type: z.unknown().optional(),
  main: z.unknown().optional(),
  module: z.unknown().optional(),
  types: z.unknown().optional(),
  typings: z.unknown().optional(),
  typesVersions: z.unknown().optional(),
  exports: z.unknown().optional(),
  imports: z.unknown().optional(),
})

/** Reads the declarations out of the archive of a package. What goes beyond the limit of one package is left out. */
export async function readTypes(archive: Readable, room: TreeRoom): Promise<PackageTypes> {
  const files = new Map<string, string>()
  const names = new Set<string>()
  let left = MAX_BYTES
  await readArchive(
    archive,
    { ...PACKAGE_LIMITS },
    async ({ path, header: { size = 0 }, content }) => {
      if (size > left) {
        for await (const part of content) void part
        return
      }
      left -= size
      const text = (await contentOf(content)).toString()
      const isManifest = !DECLARATION.test(path)
      const kept = isManifest ? shortManifest(text) : text
      if (kept === undefined) return
      files.set(path, kept)
      if (!isManifest) for (const [, specifier = ''] of text.matchAll(MENTION)) names.add(packageOf(specifier))
    },
    { isWanted: (path) => DECLARATION.test(path) || MANIFEST.test(path), room },
  )
  return {
    files,
    hasTypes: [...files.keys()].some((path) => DECLARATION.test(path)),
    mentions: (name) => names.has(name) || (name.startsWith('@types/') && names.has(unmangled(name))),
  }
}

/** The package that declares the types of one that has none: `@types/react`, `@types/scope__name`. */
export const typesPackageOf = (name: string): string =>
  `@types/${name.startsWith('@') ? name.slice(1).replace('/', '__') : name}`

function unmangled(name: string): string {
  const plain = name.slice('@types/'.length)
  return plain.includes('__') ? `@${plain.replace('__', '/')}` : plain
}

const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

/** Undefined for what is no JSON, which leads nowhere. */
function shortManifest(text: string): string | undefined {
  try {
    const parsed = manifestSchema.safeParse(JSON.parse(text))
    return parsed.success ? JSON.stringify(parsed.data) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
