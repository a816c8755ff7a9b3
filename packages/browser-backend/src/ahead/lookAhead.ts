import type { Dependencies } from '../common/projectManifest.ts'
import { declaredDependencies, readManifest, serverScriptOf, sourcesOf } from '../common/projectManifest.ts'
import type { CompiledForeignFile, ForeignFile, PreparedPage, ToRunner } from '../common/messages.ts'
import type { Compilation } from '../compile/compilation.ts'
import { Engine } from '../compile/engine.ts'
import type { ForeignCompilers } from '../compile/compileModule.ts'
import type { Oxc } from '../compile/oxc.ts'
import { compilerRequest } from '../compile/runnerCompilers.ts'
import type { PackQuestion } from '../compile/runnerCompilers.ts'

/** What the compilers of components import in what they make, beside what a component imports itself. */
const MADE_IMPORTS = {
  vue: ['vue'],
  svelte: ['svelte/internal/disclose-version', 'svelte/internal/client'],
  solid: ['solid-js/web', 'solid-refresh'],
  sass: [],
  tailwind: [],
  postcss: [],
  mdx: [],
} as const satisfies Record<ForeignFile['kind'], readonly string[]>

/** What is larger than this is compiled by whoever opens it. Characters. */
const MAX_PAGE = 4 * 1024 * 1024

/** The first page of a project, compiled. The packs of the page and of the compilation are still to be named. */
export interface PageAhead {
  page: Omit<PreparedPage, 'pack' | 'modules'>
  compilation: Compilation
}

export interface Ahead {
  /** What its preview asks the packer for when it opens. */
  questions: PackQuestion[]
  /** What its own server finds in node_modules when it starts by itself; null where none does. */
  sources: Dependencies | null
  /** The packages whose declarations its editor asks for; null without any. */
  types: Dependencies | null
  /** Null where packages of the project have to compile a part of it, where a file is no text, and where it does not compile. */
  ahead: PageAhead | null
}

/**
 * What the preview of a project needs, found out without a page and without running anything of the project. Files that packages of the
 * project compile are only looked through for what they import, so the questions for such a project are a good guess.
 */
export async function lookAhead(files: ReadonlyMap<string, string | Uint8Array>, oxc: Promise<Oxc>): Promise<Ahead> {
  const questions = new Map<string, PackQuestion>()
  const note = (question: PackQuestion) => questions.set(JSON.stringify(question), question)
  let isWhole = [...files.values()].every((content) => typeof content === 'string')
  const foreign: ForeignCompilers = {
    async compile(file, dependencies) {
      isWhole = false
      const question = compilerRequest(file, dependencies)
      if (question) note(question)
      return looked(file)
    },
  }
  let compilation: Compilation | undefined
  const engine = new Engine({
    oxc: () => oxc,
    store: { read: async () => undefined, write: async (written) => void (compilation = written) },
    foreign,
    // What is made of the answer is nobody's business here.
    pack: async (question) => {
      note(question)
      return { id: '', imports: {} }
    },
    // A project that does not compile asks for nothing.
    onStatus: () => undefined,
  })
  engine.fill(files)
  let run: Extract<ToRunner, { type: 'run' }> | undefined
  await engine.start({ post: (message) => void (run = message.type === 'run' ? message : run) }, '/', null)
  await engine.keep()
  return {
    questions: [...questions.values()],
    ...besideThePage(files),
    ahead: isWhole && run && compilation ? pageAhead(run, compilation) : null,
  }
}

function besideThePage(files: ReadonlyMap<string, string | Uint8Array>): Pick<Ahead, 'sources' | 'types'> {
  const text = files.get('/package.json')
  if (typeof text !== 'string') return { sources: null, types: null }
  const manifest = readManifest(text)
  const types = declaredDependencies(text) ?? {}
  return {
    sources: !files.has('/index.html') && serverScriptOf(manifest) !== undefined ? sourcesOf(manifest) : null,
    types: Object.keys(types).length === 0 ? null : types,
  }
}

function pageAhead(run: Extract<ToRunner, { type: 'run' }>, compilation: Compilation): PageAhead | null {
  const { html, entries, env, assets } = run
  const texts = [...assets].flatMap(([path, content]) =>
    typeof content === 'string' ? [[path, content] as const] : [],
  )
  const made: PageAhead = { page: { html, entries, env, assets: texts }, compilation }
  // Only what can be kept can be handed on.
  const isWhole = run.modules.length === compilation.modules.length
  return isWhole && JSON.stringify(made).length <= MAX_PAGE ? made : null
}

function looked({ kind, text, jsxImportSource }: ForeignFile): CompiledForeignFile {
  if (kind === 'sass' || kind === 'tailwind' || kind === 'postcss') return { script: '', css: '' }
  if (kind === 'mdx') {
    const own = text.match(/^(?:import|export)\s.*$/gm) ?? []
    return { script: `${own.join('\n')}\n${importsOf([`${jsxImportSource}/jsx-dev-runtime`])}`, css: '' }
  }
  // What a script imports its template uses.
  const scripts =
    kind === 'solid' ? [text] : [...text.matchAll(/<script\b[^>]*>([^]*?)<\/script>/g)].map(([, script = '']) => script)
  const imports = scripts.flatMap((script) => [...script.matchAll(/^\s*import\s[^'"]*['"]([^'"]+)['"]/gm)])
  return { script: importsOf([...MADE_IMPORTS[kind], ...imports.map(([, specifier = '']) => specifier)]), css: '' }
}

const importsOf = (specifiers: readonly string[]): string =>
  specifiers.map((specifier) => `import ${JSON.stringify(specifier)};`).join('\n')
