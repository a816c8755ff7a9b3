import type { CompiledForeignFile, ForeignFile } from '../common/messages.ts'
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
  mdx: [],
} as const satisfies Record<ForeignFile['kind'], readonly string[]>

/**
 * What the preview of a project asks the packer for when it opens, without a page and without running anything of the project. Files that
 * packages of the project compile are only looked through for what they import, so the question for such a project is a good guess.
 */
export async function packRequestsOf(
  files: ReadonlyMap<string, string | Uint8Array>,
  oxc: Promise<Oxc>,
): Promise<PackQuestion[]> {
  const questions = new Map<string, PackQuestion>()
  const note = (question: PackQuestion) => questions.set(JSON.stringify(question), question)
  const foreign: ForeignCompilers = {
    async compile(file, dependencies) {
      const question = compilerRequest(file, dependencies)
      if (question) note(question)
      return looked(file)
    },
  }
  const engine = new Engine({
    oxc: () => oxc,
    store: null,
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
  await engine.start({ post: () => undefined }, '/', null)
  return [...questions.values()]
}

function looked({ kind, text, jsxImportSource }: ForeignFile): CompiledForeignFile {
  if (kind === 'sass' || kind === 'tailwind') return { script: '', css: '' }
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
