import type { CompiledForeignFile, ForeignFile } from '../common/messages.ts'
import { extensionOf } from '../common/projectFiles.ts'
import type { ProjectFiles } from '../common/projectFiles.ts'
import { dataUrl } from './assets.ts'
import { compileScript } from './compileScript.ts'
import { compileStyle } from './compileStyle.ts'
import { CompileError } from './errors.ts'
import { expandGlobs } from './expandGlobs.ts'
import type { Oxc } from './oxc.ts'
import { plainStyles } from './plainStyles.ts'
import type { ProjectSettings } from './projectSettings.ts'
import { resolveImport } from './resolveImport.ts'

export interface CompiledModule {
  code: string
  imports: readonly string[]
  /** Other files that its text is made of. */
  includes?: readonly string[]
}

/** What compiles the files of a framework in the version that the project has, away from the app. */
export interface ForeignCompilers {
  /** Script and style, both as the project's other files are written. */
  compile(file: ForeignFile, dependencies: Readonly<Record<string, string>>): Promise<CompiledForeignFile>
}

export interface CompileContext {
  oxc: Oxc
  files: ProjectFiles
  settings: ProjectSettings
  foreign: ForeignCompilers
}

const SCRIPTS = new Set(['.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.tsx'])

/** Compiles one file, by its name and by the query it is imported with, to a module. */
export async function compileModule(id: string, context: CompileContext): Promise<CompiledModule> {
  const [path = '', query = ''] = id.split('?', 2)
  const content = context.files.get(path)
  if (content === undefined) throw new CompileError({ message: `${path} does not exist anymore`, file: path })
  const wants = (name: string) => query.split('&').includes(name)
  if (wants('raw')) return constant(typeof content === 'string' ? content : new TextDecoder().decode(content))
  if (wants('url')) return constant(dataUrl(path, content))
  const extension = extensionOf(path)
  if (typeof content !== 'string') return constant(dataUrl(path, content))
  const script = (text: string, name = id) =>
    compileScript(context.oxc, name, expandGlobs(path, text, [...context.files.keys()]), context.settings)
  if (SCRIPTS.has(extension)) return script(content)
  switch (extension) {
    case '.css':
      return style(path, content, context, wants('inline'))
    case '.json':
      return json(path, content, context)
    case '.vue':
    case '.svelte': {
      const { text, includes } = await plainStyles(path, content, (block, style) =>
        foreign('sass', block, style, context),
      )
      const made = await foreign(extension === '.vue' ? 'vue' : 'svelte', path, text, context)
      const compiled = { ...script(made.script, `${path}.ts`), includes }
      if (made.css === '') return compiled
      const sheet = await compileStyle(`${path}.css`, made.css, { urlOf: urlsOf(path, context) })
      return { ...compiled, code: `__boxyard_style__(${JSON.stringify(sheet.css)});\n${compiled.code}` }
    }
    case '.scss':
    case '.sass': {
      const { css, includes = [] } = await foreign('sass', path, content, context)
      return { ...(await style(path, css, context, wants('inline'))), includes }
    }
    case '.mdx':
      return script((await foreign('mdx', path, content, context)).script, `${path}.js`)
    case '.less':
    case '.styl':
      throw new CompileError({
        message: `Files of the kind ${extension} can not be compiled in the browser yet. Convert the sandbox to a devbox to use them.`,
        file: path,
      })
    default:
      return constant(dataUrl(path, content))
  }
}

function foreign(
  kind: ForeignFile['kind'],
  path: string,
  text: string,
  { foreign: compilers, files, settings }: CompileContext,
): Promise<CompiledForeignFile> {
  const styles = new Map<string, string>()
  if (kind === 'sass') {
    for (const [name, content] of files)
      if (typeof content === 'string' && /\.(?:scss|sass|css)$/.test(name)) styles.set(name, content)
  }
  const { dependencies, jsxImportSource } = settings
  return compilers.compile({ kind, path, text, files: styles, jsxImportSource }, dependencies)
}

async function style(path: string, text: string, context: CompileContext, isInline: boolean): Promise<CompiledModule> {
  const { css, imports, classes } = await compileStyle(path, text, { urlOf: urlsOf(path, context) })
  if (isInline) return constant(css)
  const specifiers = imports.map((specifier) =>
    /^[./@]/.test(specifier) || hasPackage(specifier, context) ? specifier : `./${specifier}`,
  )
  const before = specifiers.map((specifier) => `import ${JSON.stringify(specifier)};`).join('\n')
  const names = Object.entries(classes ?? {})
  const exported = [
    ...names
      .filter(([name]) => /^[A-Za-z_$][\w$]*$/.test(name) && !isReserved(name))
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`),
    `export default ${classes === null ? JSON.stringify(css) : JSON.stringify(classes)};`,
  ].join('\n')
  const accept = classes === null ? 'import.meta.hot.accept();' : ''
  const code = `${before}\n__boxyard_style__(${JSON.stringify(css)});\n${accept}\n${exported}`
  return compileScript(context.oxc, `${path}.js`, code, context.settings)
}

function hasPackage(specifier: string, { settings }: CompileContext): boolean {
  const [name = ''] = specifier.split('/', 1)
  return name in settings.dependencies
}

function urlsOf(path: string, { files, settings }: CompileContext) {
  return (reference: string): string | undefined => {
    if (/^(?:data:|blob:|#|[a-z]+:\/\/)/i.test(reference)) return undefined
    const plain = reference.split(/[?#]/, 1)[0]!
    const found = resolveImport(/^[./]/.test(plain) ? plain : `./${plain}`, path, files, settings.aliases)
    const content = found?.kind === 'file' ? files.get(found.id) : undefined
    return found?.kind === 'file' && content !== undefined ? dataUrl(found.id, content) : undefined
  }
}

function json(path: string, text: string, { oxc, settings }: CompileContext): CompiledModule {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new CompileError({ message: `This is not valid JSON: ${(cause as Error).message}`, file: path })
  }
  const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
  const named = members.filter(([name]) => /^[A-Za-z_$][\w$]*$/.test(name) && !isReserved(name))
  const lines = named.map(([name, member]) => `export const ${name} = ${JSON.stringify(member)};`)
  return compileScript(oxc, `${path}.js`, `${lines.join('\n')}\nexport default ${JSON.stringify(value)};`, settings)
}

const RESERVED = new Set(
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield'.split(
    ' ',
  ),
)
const isReserved = (name: string): boolean => RESERVED.has(name)

function constant(value: string): CompiledModule {
  return {
    code: `Object.defineProperty(__vite_ssr_exports__, "default", { enumerable: true, configurable: true, value: ${JSON.stringify(value)} });`,
    imports: [],
  }
}
