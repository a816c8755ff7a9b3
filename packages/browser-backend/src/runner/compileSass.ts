/** What of the package `sass` is used here. */
export interface SassCompiler {
  compileString(
    text: string,
    options: { syntax: Syntax; url: URL; importer: Importer; importers: readonly Importer[]; style: 'expanded' },
  ): { css: string; loadedUrls: URL[] }
}
type Syntax = 'scss' | 'indented' | 'css'
interface Importer {
  canonicalize(url: string): URL | null
  load(url: URL): { contents: string; syntax: Syntax } | null
}

/** Where the files of the project are, for the compiler: it tells places by addresses. */
const PROJECT = 'project:'
const ENDINGS = ['.scss', '.sass', '.css']

/** Compiles a style sheet with everything it uses of the project. `includes` are the files that it is made of beside its own. */
export function compileSass(
  compiler: SassCompiler,
  path: string,
  text: string,
  files: ReadonlyMap<string, string>,
): { script: string; css: string; includes: string[] } {
  const addressOf = (found: string) => new URL(`${PROJECT}//${encodeURI(found)}`)
  const importer: Importer = {
    canonicalize(url) {
      // A name that is not relative counts from the top of the project, after the folder of the file.
      const wanted = url.startsWith(`${PROJECT}//`) ? pathOf(new URL(url)) : `/${url.replace(/^\/+/, '')}`
      const found = candidates(wanted).find((candidate) => files.has(candidate))
      return found === undefined ? null : addressOf(found)
    },
    load(url) {
      const found = pathOf(url)
      const contents = files.get(found)
      return contents === undefined ? null : { contents, syntax: syntaxOf(found) }
    },
  }
  const url = addressOf(path)
  const options = { syntax: syntaxOf(path), url, importer, importers: [importer], style: 'expanded' } as const
  const { css, loadedUrls } = compiler.compileString(text, options)
  return { script: '', css, includes: loadedUrls.map(pathOf).filter((loaded) => loaded !== path) }
}

/** The files that a name may mean, as Sass looks for them. */
function candidates(path: string): string[] {
  const cut = path.lastIndexOf('/') + 1
  const partial = `${path.slice(0, cut)}_${path.slice(cut)}`
  if (ENDINGS.some((ending) => path.endsWith(ending))) return [partial, path]
  return [partial, path, `${path}/_index`, `${path}/index`].flatMap((name) => ENDINGS.map((ending) => name + ending))
}

const pathOf = ({ pathname }: URL): string => decodeURI(pathname)

function syntaxOf(path: string): Syntax {
  if (path.endsWith('.sass')) return 'indented'
  return path.endsWith('.css') ? 'css' : 'scss'
}
