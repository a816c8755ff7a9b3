import { limits } from './agentMessages.ts'

/** One module as the runner gets it. */
export interface RunnerModule {
  /** Path in the project, with the query it was imported by. */
  id: string
  /** Body of an async function, see moduleParameters. */
  code: string
  /** What each import of it means: a module by id, or a part of the pack. */
  imports: Readonly<Record<string, { module: string } | { packed: string }>>
  /** The modules of the workers that it starts, by the path that it starts them by. */
  workers: Readonly<Record<string, string>>
}

/** Where the packed dependencies are. */
export interface RunnerPack {
  id: string
  imports: Readonly<
    Record<string, { file: string | null; css: string | null; interop: 'esm' | 'cjs'; chunks: readonly string[] }>
  >
}

/** Something is wrong with a file of the project. */
export interface ProjectProblem {
  message: string
  file: string | null
  line: number | null
  column: number | null
  /** The lines around it, with a mark. */
  frame: string | null
}

/** A file that is compiled on the origin of the preview, by a package of the project or beside it. */
export interface ForeignFile {
  kind: 'vue' | 'svelte' | 'sass' | 'mdx' | 'solid' | 'tailwind' | 'postcss'
  path: string
  text: string
  /** Where the text came from when it was compiled from something else before: a source map. */
  map?: string
  /** Where JSX comes from. */
  jsxImportSource: string
  /** Other files of the project that it may be made of, by path. */
  files: ReadonlyMap<string, string>
  /** Parts of packages that it is made of beside its compiler. */
  packages: readonly string[]
  /** What may be a name of a class somewhere in the project. */
  classes: readonly string[]
  /** What changes it, of those packages. */
  plugins: readonly ForeignPlugin[]
}

/** A plug-in of a compiler, by its package, with the value that it is given. */
export interface ForeignPlugin {
  name: string
  options: unknown
}

export interface CompiledForeignFile {
  script: string
  css: string
  /** From the script to where it came from: a source map. */
  map?: string
  /** The other files that it is made of. */
  includes?: readonly string[]
}

/** From the engine to the page of the preview. */
export type ToRunner =
  | {
      type: 'run'
      html: string
      /** Modules to run, in their order. */
      entries: readonly string[]
      modules: readonly RunnerModule[]
      pack: RunnerPack | null
      env: Readonly<Record<string, string | boolean>>
      /** What the page may fetch, by path: images, styles and data of the project. */
      assets: ReadonlyMap<string, string | Uint8Array>
    }
  | { type: 'update'; modules: readonly RunnerModule[]; assets: ReadonlyMap<string, string | Uint8Array> }
  /** What changed can't be taken in while it runs. */
  | { type: 'reload' }
  | { type: 'problem'; problem: ProjectProblem }
  /** The page is to open again when no server answers. */
  | { type: 'keep' }
  /** Compile a file: with a part of a pack, or with the script of ours for its kind. */
  | (ForeignFile & { type: 'compile'; id: number; compiler: { pack: RunnerPack; specifier: string } | null })

/** What a page of the preview runs before anybody compiles for it: the project as it was saved. */
export interface PreparedPage extends Pick<
  Extract<ToRunner, { type: 'run' }>,
  'html' | 'entries' | 'modules' | 'pack' | 'env'
> {
  assets: readonly (readonly [path: string, text: string])[]
}

/** The element of a page that holds a prepared page as JSON. */
export const PREPARED_ID = 'boxyard-prepared'

/** From the page of the preview to the engine. */
export type FromRunner =
  | { type: 'start' }
  | { type: 'console'; level: 'log' | 'info' | 'warn' | 'error' | 'debug'; text: string }
  | { type: 'problem'; problem: ProjectProblem }
  | { type: 'rendered' }
  | { type: 'address'; path: string }
  | { type: 'open'; file: string; line: number; column: number }
  | ({ type: 'compiled'; id: number } & CompiledForeignFile)
  | { type: 'compiled'; id: number; problem: ProjectProblem }

/** What goes between the pages, before there is a port: the preview says where it is, and gets its port. */
export interface Hello {
  type: 'boxyard:preview-hello'
  path: string
}
export const CONNECT = 'boxyard:preview-connect'
/** What was prepared is on the page, whether or not anybody compiles for it yet. */
export const PREPARED_SHOWN = 'boxyard:preview-prepared-shown'

export function isHello(data: unknown): data is Hello {
  if (typeof data !== 'object' || data === null) return false
  const { type, path } = data as Partial<Hello>
  return type === 'boxyard:preview-hello' && typeof path === 'string' && isAddressPath(path)
}

/** A path on the origin of the page: one that begins with two slashes, or with what browsers take for them, is another server. */
export function isAddressPath(path: string): boolean {
  return path.length <= limits.path && /^\/(?![/\\])/.test(path)
}

/** The names a module's code finds what it needs under, in their order. */
export const moduleParameters = [
  '__vite_ssr_exports__',
  '__vite_ssr_import__',
  '__vite_ssr_dynamic_import__',
  '__vite_ssr_exportAll__',
  '__vite_ssr_import_meta__',
  '$RefreshReg$',
  '$RefreshSig$',
  '__boxyard_style__',
] as const
