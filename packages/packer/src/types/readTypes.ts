import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

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
const MAX_DEPTH = 12
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

/** Reads the declarations of an unpacked package. What goes beyond the limit is left out. */
export async function readTypes(folder: string): Promise<PackageTypes> {
  const files = new Map<string, string>()
  const names = new Set<string>()
  let bytes = 0
  for await (const path of walk(folder, '', 0)) {
    const isManifest = path === 'package.json' || path.endsWith('/package.json')
    if (!isManifest && !DECLARATION.test(path)) continue
    const text = await readFile(join(folder, path), 'utf8')
    const kept = isManifest ? shortManifest(text) : text
    if (kept === undefined) continue
    bytes += kept.length
    if (bytes > MAX_BYTES) break
    files.set(path, kept)
    if (!isManifest) for (const [, specifier = ''] of text.matchAll(MENTION)) names.add(packageOf(specifier))
  }
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

async function* walk(root: string, folder: string, depth: number): AsyncGenerator<string> {
  if (depth > MAX_DEPTH) return
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isFile()) yield path
    else if (entry.isDirectory() && entry.name !== 'node_modules') yield* walk(root, path, depth + 1)
  }
}
