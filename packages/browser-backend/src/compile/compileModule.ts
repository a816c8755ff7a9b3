import type { CompiledForeignFile, ForeignFile } from '../common/messages.ts'
import { extensionOf } from '../common/projectFiles.ts'
import type { ProjectFiles } from '../common/projectFiles.ts'
import { dataUrl } from './assets.ts'
import type { ClassNames } from './classNames.ts'
import { compileScript, withoutTypes } from './compileScript.ts'
import type { Before } from './compileScript.ts'
import { compileStyle } from './compileStyle.ts'
import type { StyleContext } from './compileStyle.ts'
import { CompileError } from './errors.ts'
import { expandAssets } from './expandAssets.ts'
import { expandGlobs } from './expandGlobs.ts'
import type { Oxc } from './oxc.ts'
import { plainStyles } from './plainStyles.ts'
import type { ProjectSettings } from './projectSettings.ts'
import { resolveImport } from './resolveImport.ts'
import { packagesOfTailwind, usesTailwind } from './tailwind.ts'

export interface CompiledModule {
  code: string
  imports: readonly string[]
  /** Other files that its text is made of. */
  includes?: readonly string[]
  /** The scripts of workers that it starts, as written. */
  workers?: readonly string[]
}

/** What compiles files away from the app: those of a framework in the version that the project has. */
export interface ForeignCompilers {
  /** Script and style, both as the project's other files are written. */
  compile(file: ForeignFile, dependencies: Readonly<Record<string, string>>): Promise<CompiledForeignFile>
}

export interface CompileContext {
  /** Asked for with the first file that it has to compile. */
  oxc(): Promise<Oxc>
  files: ProjectFiles
  settings: ProjectSettings
  foreign: ForeignCompilers
  classNames: ClassNames
}

const SCRIPTS = new Set(['.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.tsx'])

/** Compiles one file, by its name and by the query it is imported with, to a module. */
export async function compileModule(id: string, context: CompileContext): Promise<CompiledModule> {
  const [path = '', query = ''] = id.split('?', 2)
  const content = context.files.get(path)
  if (content === undefined) throw new CompileError({ message: `${path} does not exist anymore`, file: path })
  const wants = (name: string) => query.split('&').includes(name)
  if (wants('raw')) return constant(typeof content === 'string' ? content : new TextDecoder().decode(content))
  if (wants('worker')) return worker(path, wants('url'), context)
  if (wants('sharedworker')) {
    throw new CompileError({
      message:
        'Shared workers can not be started in the browser yet. Use a worker, or convert the sandbox to a devbox.',
      file: path,
    })
  }
  if (wants('url')) return constant(dataUrl(path, content))
  const extension = extensionOf(path)
  if (typeof content !== 'string') return constant(dataUrl(path, content))
  const script = async (text: string, name = id, before?: Before) =>
    compileScript(
      await context.oxc(),
      name,
      expandAssets(path, expandGlobs(path, text, [...context.files.keys()]), (asset) => context.files.has(asset)),
      context.settings,
      before,
    )
  if (isSolid(extension, context)) {
    const plain = withoutTypes(await context.oxc(), path, content)
    const made = await foreign('solid', path, plain.code, context, { map: plain.map })
    return script(made.script, id, beforeOf(path, content, made))
  }
  if (SCRIPTS.has(extension)) return script(content)
  switch (extension) {
    case '.css': {
      const { css, includes } = await tailwind(path, content, context)
      return style(path, await plugged(path, css, context), includes, context, wants('inline'))
    }
    case '.json':
      return json(path, content, context)
    case '.vue':
    case '.svelte': {
      const { text, includes } = await plainStyles(path, content, (block, style) =>
        foreign('sass', block, style, context),
      )
      const made = await foreign(extension === '.vue' ? 'vue' : 'svelte', path, text, context)
      const compiled = await script(made.script, `${path}.ts`, beforeOf(path, content, made))
      if (made.css === '') return { ...compiled, includes }
      const plain = await tailwind(path, made.css, context)
      const urls = urlsOf(path, context)
      const sheet = await compileStyle(`${path}.css`, await plugged(path, plain.css, context), urls)
      return {
        ...compiled,
        code: `__boxyard_style__(${JSON.stringify(sheet.css)});\n${compiled.code}`,
        includes: [...includes, ...plain.includes, ...urls.used],
      }
    }
    case '.scss':
    case '.sass': {
      const { css, includes = [] } = await foreign('sass', path, content, context)
      return style(path, await plugged(path, css, context), includes, context, wants('inline'))
    }
    case '.mdx': {
      const made = await foreign('mdx', path, content, context)
      return script(made.script, `${path}.js`, beforeOf(path, content, made))
    }
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

function beforeOf(path: string, text: string, { map }: CompiledForeignFile): Before | undefined {
  return map === undefined ? undefined : { path, text, map }
}

/** Solid gives JSX a meaning of its own, in files of these names only. */
function isSolid(extension: string, { settings }: CompileContext): boolean {
  return settings.jsxImportSource === 'solid-js' && (extension === '.jsx' || extension === '.tsx')
}

/** A function that starts the worker of this file, or the address that it is started by. */
async function worker(path: string, isAddress: boolean, { oxc, settings }: CompileContext): Promise<CompiledModule> {
  const address = `new URL(${JSON.stringify(path)}, import.meta.url)`
  const code = isAddress
    ? `export default ${address}.href`
    : `export default function (options) { return new Worker(${address}, options) }`
  return { ...compileScript(await oxc(), `${path}.js`, code, settings), workers: [path] }
}

/** What only Tailwind CSS understands, made plain; everything else as it is. */
async function tailwind(
  path: string,
  text: string,
  context: CompileContext,
): Promise<{ css: string; includes: readonly string[] }> {
  const { files, settings, classNames } = context
  if (!usesTailwind(path, text, settings.dependencies)) return { css: text, includes: [] }
  const { css, includes = [] } = await foreign('tailwind', path, text, context, {
    packages: packagesOfTailwind(path, text, files),
    classes: classNames.of(files),
  })
  // A name of a class may come and go in every file that has some.
  return { css, includes: [...includes, ...classNames.sources] }
}

/** What the plug-ins of PostCSS that the project names make of a style sheet. */
async function plugged(path: string, text: string, context: CompileContext): Promise<string> {
  const { postcss, dependencies } = context.settings
  if (postcss.plugins.length === 0) return text
  const packages = postcss.plugins.map(({ name }) => name)
  for (const name of packages) {
    if (name.split('/', name.startsWith('@') ? 2 : 1).join('/') in dependencies) continue
    throw new CompileError({
      message: `"${name}" is a plug-in of PostCSS here and not among the dependencies. Add it to package.json.`,
      file: postcss.path,
    })
  }
  return (await foreign('postcss', path, text, context, { packages, plugins: postcss.plugins })).css
}

/** Whose compilers use other files: which ones. */
const USES: Partial<Record<ForeignFile['kind'], RegExp>> = { sass: /\.(?:scss|sass|css)$/, tailwind: /\.css$/ }

function foreign(
  kind: ForeignFile['kind'],
  path: string,
  text: string,
  { foreign: compilers, files, settings }: CompileContext,
  more: Partial<ForeignFile> = {},
): Promise<CompiledForeignFile> {
  const used = new Map<string, string>()
  const uses = USES[kind]
  for (const [name, content] of uses ? files : [])
    if (typeof content === 'string' && uses!.test(name)) used.set(name, content)
  const { dependencies, jsxImportSource } = settings
  const file = { kind, path, text, files: used, jsxImportSource, packages: [], classes: [], plugins: [], ...more }
  return compilers.compile(file, dependencies)
}

async function style(
  path: string,
  text: string,
  madeOf: readonly string[],
  context: CompileContext,
  isInline: boolean,
): Promise<CompiledModule> {
  const urls = urlsOf(path, context)
  const { css, imports, classes } = await compileStyle(path, text, urls)
  const includes = [...madeOf, ...urls.used]
  if (isInline) return { ...constant(css), includes }
  const specifiers = imports.map((specifier) =>
    /^[./@]/.test(specifier) || hasPackage(specifier, context) || isFile(specifier, path, context)
      ? specifier
      : `./${specifier}`,
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
  return { ...compileScript(await context.oxc(), `${path}.js`, code, context.settings), includes }
}

function hasPackage(specifier: string, { settings }: CompileContext): boolean {
  const [name = ''] = specifier.split('/', 1)
  return name in settings.dependencies
}

/** Whether settings of the project make it one of its files. */
function isFile(specifier: string, path: string, { files, settings }: CompileContext): boolean {
  return resolveImport(specifier, path, files, settings.aliases)?.kind === 'file'
}

/** What stands for the addresses in a style sheet, and the files that were put in their place. */
function urlsOf(path: string, context: CompileContext): StyleContext & { used: ReadonlySet<string> } {
  const { files, settings } = context
  const used = new Set<string>()
  return {
    used,
    urlOf(reference) {
      if (/^(?:data:|blob:|#|[a-z]+:\/\/)/i.test(reference)) return undefined
      const plain = reference.split(/[?#]/, 1)[0]!
      const found = resolveImport(
        /^[./]/.test(plain) || isFile(plain, path, context) ? plain : `./${plain}`,
        path,
        files,
        settings.aliases,
      )
      const content = found?.kind === 'file' ? files.get(found.id) : undefined
      if (found?.kind !== 'file' || content === undefined) return undefined
      used.add(found.id)
      return dataUrl(found.id, content)
    },
  }
}

async function json(path: string, text: string, { oxc, settings }: CompileContext): Promise<CompiledModule> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new CompileError({ message: `This is not valid JSON: ${(cause as Error).message}`, file: path })
  }
  const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
  const named = members.filter(([name]) => /^[A-Za-z_$][\w$]*$/.test(name) && !isReserved(name))
  const lines = named.map(([name, member]) => `export const ${name} = ${JSON.stringify(member)};`)
  return compileScript(
    await oxc(),
    `${path}.js`,
    `${lines.join('\n')}\nexport default ${JSON.stringify(value)};`,
    settings,
  )
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
