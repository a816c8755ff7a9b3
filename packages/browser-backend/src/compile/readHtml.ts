import { normalizePath } from '../common/projectFiles.ts'
import type { ProjectFiles } from '../common/projectFiles.ts'

export interface ProjectPage {
  /** Path of the page, or null for one that was made up. */
  path: string | null
  html: string
  /** What its module scripts name, as written. */
  scripts: readonly string[]
  /** Bodies of module scripts without a `src`, in their order. */
  inline: readonly string[]
}

const MADE_UP =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"></head><body><div id="root"></div><div id="app"></div></body></html>'
const ENTRIES = ['/src/index', '/src/main', '/index', '/main', '/src/App']
const SCRIPT_EXTENSIONS = ['.tsx', '.ts', '.jsx', '.js', '.mjs']

/** The page that a project shows for an address: its index.html, or another page of that name, or one made up around its main script. */
export function readPage(files: ProjectFiles, address: string, main: string | null): ProjectPage {
  const wanted = normalizePath(address.split(/[?#]/, 1)[0]!)
  const candidates = [wanted, `${wanted}.html`, `${wanted}/index.html`, '/index.html', '/public/index.html']
  for (const candidate of candidates.map(normalizePath)) {
    const html = files.get(candidate)
    if (typeof html !== 'string' || !candidate.endsWith('.html')) continue
    const page = readScripts(candidate, html.replaceAll('%PUBLIC_URL%', ''))
    // A page of Create React App names no script; the build adds the main one.
    if (page.scripts.length + page.inline.length > 0 || candidate !== '/public/index.html') return page
    return { ...page, scripts: mainScript(files, main) }
  }
  return { path: null, html: MADE_UP, scripts: mainScript(files, main), inline: [] }
}

/** A page that runs one file and nothing else of the project; another page is shown as it is. */
export function pageOfModule(files: ProjectFiles, module: string, main: string | null): ProjectPage {
  const path = normalizePath(`/${module}`)
  if (path.endsWith('.html') && files.has(path)) return readPage(files, path, main)
  const page = readPage(files, '/', main)
  return { ...page, html: withoutOwnScripts(page.html), scripts: [path], inline: [] }
}

/** Scripts of other hosts stay: files of the project may lean on what they make. */
function withoutOwnScripts(html: string): string {
  return html.replace(/<script\b([^>]*)>[\s\S]*?<\/script\s*>/gi, (whole, attributes: string) =>
    /\bsrc\s*=\s*["']?(?:https?:)?\/\//i.test(attributes) ? whole : '',
  )
}

function mainScript(files: ProjectFiles, main: string | null): string[] {
  const candidates = ENTRIES.flatMap((entry) => SCRIPT_EXTENSIONS.map((extension) => entry + extension))
  const found =
    candidates.find((candidate) => files.has(candidate)) ?? (main !== null && files.has(main) ? main : undefined)
  return found === undefined ? [] : [found]
}

function readScripts(path: string, html: string): ProjectPage {
  const scripts: string[] = []
  const inline: string[] = []
  for (const [, attributes = '', body = ''] of html
    .replace(/<!--[\s\S]*?-->/g, '')
    .matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi)) {
    if (!/\btype\s*=\s*(?:"module"|'module'|module\b)/i.test(attributes)) continue
    const source = /\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(attributes)
    if (source) scripts.push(source[1] ?? source[2] ?? source[3] ?? '')
    else inline.push(body)
  }
  return { path, html, scripts, inline }
}
