import { folderOf, joinPath, normalizePath } from '../common/projectFiles.ts'
import type { ProjectFiles } from '../common/projectFiles.ts'
import { prefixAlias } from './alias.ts'
import type { Alias } from './alias.ts'
import { SettingsScript } from './settingsScript.ts'
import type { Literal } from './settingsScript.ts'

export interface ViteSettings {
  aliases: readonly Alias[]
  /** What stands for names in scripts: expressions. */
  define: Readonly<Record<string, string>>
  envPrefixes: readonly string[]
  /** Where files are that the page gets as they are. */
  publicDir: string
  /** What of it is not followed here, each as a sentence. */
  notices: readonly string[]
}

/** In the order in which Vite looks for them. */
const NAMES = ['js', 'mjs', 'ts', 'cjs', 'mts', 'cts'].map((ending) => `/vite.config.${ending}`)
/** What these do is done here without them, or is about building alone. */
const OWN_PLUGINS =
  /^(?:@vitejs\/plugin-(?:react|react-swc|react-oxc|vue|vue-jsx|basic-ssl|legacy)|@sveltejs\/vite-plugin-svelte|vite-plugin-solid|@preact\/preset-vite|@prefresh\/vite|@tailwindcss\/vite|@mdx-js\/rollup|vite-tsconfig-paths)$/
/** What a script of settings may import that is no plug-in. */
const NO_PLUGINS = /^(?:node:.*|path|url|fs|vite|vitest\/config)$/

/** Reads what a project sets in its vite.config, as far as it is written out. Nothing of it is run. */
export function readViteSettings(files: ProjectFiles): ViteSettings {
  const path = NAMES.find((name) => files.has(name))
  const text = path === undefined ? undefined : files.get(path)
  const nothing = { aliases: [], define: {}, envPrefixes: ['VITE_'], publicDir: '/public', notices: [] }
  if (path === undefined || typeof text !== 'string') return nothing
  const name = path.slice(1)
  const script = new SettingsScript(text)
  const settings = script.exported
  const notices: string[] = []
  const unread = (what: string) =>
    notices.push(`${name}: ${what} would have to be run to be known, which needs a devbox. It is not used here.`)
  if (settings.kind !== 'object') {
    unread('what it exports')
    return { ...nothing, notices }
  }
  if (!settings.isWhole) unread('a part of what it exports')
  const plain = (literal: Literal): Literal => (literal.kind === 'name' ? script.constant(literal.name) : literal)
  const member = (of: Literal | undefined, key: string): Literal | undefined => {
    const found = of?.kind === 'object' ? of.members.get(key) : undefined
    return found && (found.kind === 'name' ? plain(found) : found)
  }

  const aliases: Alias[] = []
  const addAlias = (find: Literal | undefined, replacement: Literal | undefined, label: string) => {
    const from = find?.kind === 'plain' ? String(find.value) : prefixOf(find)
    const to = replacement && pathOf(replacement, script)
    if (from === undefined || to === undefined) unread(`the alias ${label}`)
    else aliases.push(prefixAlias(from, to))
  }
  const alias = member(member(settings, 'resolve'), 'alias')
  if (alias?.kind === 'object') {
    for (const [find, replacement] of alias.members) addAlias({ kind: 'plain', value: find }, replacement, `"${find}"`)
    if (!alias.isWhole) unread('a part of "resolve.alias"')
  } else if (alias?.kind === 'list') {
    alias.items.forEach((item, index) =>
      addAlias(
        member(item, 'find'),
        item.kind === 'object' ? item.members.get('replacement') : undefined,
        `${index + 1}`,
      ),
    )
  } else if (alias) unread('"resolve.alias"')

  const define: Record<string, string> = {}
  const defined = member(settings, 'define')
  if (defined?.kind === 'object') {
    for (const [key, value] of defined.members) {
      const expression = expressionOf(value)
      if (expression === undefined) unread(`"define" of ${key}`)
      else define[key] = expression
    }
    if (!defined.isWhole) unread('a part of "define"')
  } else if (defined) unread('"define"')

  const prefix = member(settings, 'envPrefix')
  const prefixes = prefix?.kind === 'list' ? prefix.items : prefix ? [prefix] : []
  // An empty one would give every secret to the page; Vite refuses it as well.
  const envPrefixes = prefixes.flatMap((one) =>
    one.kind === 'plain' && typeof one.value === 'string' && one.value !== '' ? [one.value] : [],
  )
  if (envPrefixes.length !== prefixes.length) unread('"envPrefix"')

  const folder = member(settings, 'publicDir')
  let publicDir = '/public'
  if (folder?.kind === 'plain' && typeof folder.value === 'string' && folder.value !== '') {
    publicDir = normalizePath(folder.value)
    const matches = (specifier: string) => (specifier.startsWith('/') ? specifier.slice(1) : undefined)
    aliases.push({ matches, targets: [joinPath(publicDir, '*')], isFinal: false })
  } else if (folder) unread('"publicDir"')

  const root = settings.members.get('root')
  if (root && pathOf(root, script) !== '/') notices.push(`${name}: another "root" needs a devbox. It is not used here.`)

  for (const plugin of new Set(settings.names.map((word) => script.packages.get(word)))) {
    if (plugin === undefined || OWN_PLUGINS.test(plugin) || NO_PLUGINS.test(plugin)) continue
    notices.push(`${name}: the plug-in "${plugin}" needs a devbox. It is not used here.`)
  }
  return { aliases, define, envPrefixes: envPrefixes.length > 0 ? envPrefixes : ['VITE_'], publicDir, notices }
}

/** A pattern that only says how an import begins. */
function prefixOf(find: Literal | undefined): string | undefined {
  if (find?.kind !== 'pattern') return undefined
  return /^\/\^((?:[\w@~#-]|\\\/)+)\/$/.exec(find.source)?.[1]?.replaceAll('\\/', '/')
}

function expressionOf(literal: Literal): string | undefined {
  // A text is an expression, as Vite takes it.
  if (literal.kind === 'plain') return typeof literal.value === 'string' ? literal.value : JSON.stringify(literal.value)
  if (literal.kind === 'object' || literal.kind === 'list') return jsonOf(literal)
  return literal.kind === 'call' && literal.name === 'JSON.stringify' && literal.given.length === 1
    ? jsonOf(literal.given[0]!)
    : undefined
}

function jsonOf(literal: Literal): string | undefined {
  if (literal.kind === 'plain') return JSON.stringify(literal.value)
  if (literal.kind === 'list') {
    const items = literal.items.map(jsonOf)
    return items.includes(undefined) ? undefined : `[${items.join(',')}]`
  }
  if (literal.kind !== 'object' || !literal.isWhole) return undefined
  const members = [...literal.members].map(([key, value]) => [JSON.stringify(key), jsonOf(value)] as const)
  if (members.some(([, value]) => value === undefined)) return undefined
  return `{${members.map(([key, value]) => `${key}:${value}`).join(',')}}`
}

/** The place in the project, or the name of a package, that an expression means; undefined when that is not plain. */
function pathOf(literal: Literal, script: SettingsScript, depth = 0): string | undefined {
  if (depth > 10) return undefined
  if (literal.kind === 'plain') {
    if (typeof literal.value !== 'string') return undefined
    return /^[./]/.test(literal.value) ? joinPath('/', literal.value) : literal.value
  }
  if (literal.kind === 'name') {
    if (literal.name === '__dirname' || literal.name === 'import.meta.dirname') return '/'
    if (literal.name === 'import.meta.url' || literal.name === '__filename') return '/vite.config.js'
    return pathOf(script.constant(literal.name), script, depth + 1)
  }
  if (literal.kind !== 'call') return undefined
  const parts = literal.given.map((given) => pathOf(given, script, depth + 1))
  if (parts.includes(undefined)) return undefined
  const [first = '/', ...rest] = parts as string[]
  switch (literal.name.replace(/^(?:path|url)\./, '')) {
    case 'process.cwd':
      return '/'
    case 'resolve':
    case 'join':
      return normalizePath([first, ...rest].join('/'))
    case 'new URL':
      return normalizePath(first)
    case 'dirname':
      return folderOf(first)
    case 'fileURLToPath':
    case 'normalizePath':
      return first
    default:
      return undefined
  }
}
