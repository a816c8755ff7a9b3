import * as z from 'zod/mini'
import type { RunnerModule } from '../common/messages.ts'

export type FileContent = string | Uint8Array

/** A compiled module, and what it is made of. */
export interface KeptModule {
  content: FileContent
  module: RunnerModule
  /** Other files that it is made of, as they were. */
  includes: ReadonlyMap<string, FileContent | undefined>
}

/** What a project was compiled to, for the next visit. Hashes are those of contents; null for a file that was not there. */
export interface Compilation {
  /** Hash of what every module depends on: the names of all files, and the settings. */
  project: string
  /** The packages that it was compiled for, by their pack; null for none. */
  pack: string | null
  modules: readonly {
    module: RunnerModule
    content: string
    includes: Readonly<Record<string, string | null>>
  }[]
}

/** Where it is kept. */
export interface CompilationStore {
  /** What was written last, if anything was. It may have been written by another version of this program. */
  read(): Promise<unknown>
  write(compilation: Compilation): Promise<void>
}

const meaningSchema = z.union([z.object({ module: z.string() }), z.object({ packed: z.string() })])
const compilationSchema = z.object({
  project: z.string(),
  pack: z.nullable(z.string()),
  modules: z.array(
    z.object({
      module: z.object({
        id: z.string(),
        code: z.string(),
        imports: z.record(z.string(), meaningSchema),
        workers: z.record(z.string(), z.string()),
      }),
      content: z.string(),
      includes: z.record(z.string(), z.nullable(z.string())),
    }),
  ),
})

/** Files that are no text need no compiler, and are not kept. */
export async function compilationOf(
  kept: Iterable<KeptModule>,
  project: ProjectParts,
  pack: string | null,
): Promise<Compilation> {
  const hashes = new Hashes()
  const texts = [...kept].filter(({ content }) => typeof content === 'string')
  return {
    project: await projectHash(project, hashes),
    pack,
    modules: await Promise.all(
      texts.map(async ({ content, module, includes }) => ({
        module,
        content: await hashes.of(content),
        includes: Object.fromEntries(
          await Promise.all([...includes].map(async ([path, part]) => [path, await hashes.ofPart(part)] as const)),
        ),
      })),
    ),
  }
}

/** Those of its modules that are made of the same as now; undefined when everything may mean something else. */
export async function recall(
  written: unknown,
  project: ProjectParts,
  contentOf: (path: string) => FileContent | undefined,
): Promise<{ pack: string | null; modules: KeptModule[] } | undefined> {
  const parsed = compilationSchema.safeParse(written)
  if (!parsed.success) return undefined
  const hashes = new Hashes()
  const { pack, modules, project: before } = parsed.data
  if ((await projectHash(project, hashes)) !== before) return undefined
  const found = modules.map(async ({ module, content: hash, includes }): Promise<KeptModule | undefined> => {
    const content = contentOf(module.id.split('?', 1)[0]!)
    if (content === undefined || (await hashes.of(content)) !== hash) return undefined
    const parts = new Map(Object.keys(includes).map((path) => [path, contentOf(path)]))
    for (const [path, part] of parts) if ((await hashes.ofPart(part)) !== includes[path]) return undefined
    return { content, module, includes: parts }
  })
  return { pack, modules: (await Promise.all(found)).filter((module) => module !== undefined) }
}

/** What every module of a project depends on. */
export interface ProjectParts {
  names: readonly string[]
  settings: ReadonlyMap<string, FileContent>
}

async function projectHash({ names, settings }: ProjectParts, hashes: Hashes): Promise<string> {
  const texts = [...settings].map(async ([path, content]) => [path, await hashes.of(content)] as const)
  const parts = (await Promise.all(texts)).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return hashes.of(JSON.stringify([names.toSorted(), parts]))
}

/** Each content is hashed once, also when many modules include it. */
class Hashes {
  readonly #known = new Map<FileContent, Promise<string>>()

  of(content: FileContent): Promise<string> {
    const known = this.#known.get(content) ?? sha256(content)
    this.#known.set(content, known)
    return known
  }

  async ofPart(content: FileContent | undefined): Promise<string | null> {
    return content === undefined ? null : this.of(content)
  }
}

async function sha256(content: FileContent): Promise<string> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : Uint8Array.from(content)
  const hash = await crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
