import type { ForeignPlugin } from '../common/messages.ts'
import type { ProjectFiles } from '../common/projectFiles.ts'
import { browserTargets } from './browserTargets.ts'
import { readJson } from './readJson.ts'
import { SettingsScript } from './settingsScript.ts'
import type { Literal } from './settingsScript.ts'

export interface PostcssSettings {
  /** Where they are written; null without any. */
  path: string | null
  /** In their order. */
  plugins: readonly ForeignPlugin[]
  /** What of them is not followed here, each as a sentence. */
  notices: readonly string[]
}

const SETTINGS = /^\/(?:postcss\.config\.(?:[cm]?[jt]s|json)|\.postcssrc(?:\.\w+)?)$/
/** Their work is done here without them, or is about building alone. */
const OWN = /^(?:tailwindcss|@tailwindcss\/postcss|tailwindcss\/nesting|@tailwindcss\/nesting|postcss-import|cssnano)$/
/** What says which browsers are meant, by the plug-ins that read the list of a project from its folder. */
const TARGETS: Readonly<Record<string, string>> = {
  autoprefixer: 'overrideBrowserslist',
  'postcss-preset-env': 'browsers',
}
/** Of sheets that PostCSS writes, and of no concern to what a page shows. */
const UNSEEN = new Set(['map', 'from', 'to'])

/** Reads which plug-ins of PostCSS a project uses, as far as it is written out. Nothing of it is run. */
export function readPostcssSettings(files: ProjectFiles): PostcssSettings {
  const manifest = readJson('/package.json', files) as { postcss?: unknown } | undefined
  const path = [...files.keys()].find((name) => SETTINGS.test(name))
  if (manifest?.postcss !== undefined)
    return read('/package.json', `export default ${JSON.stringify(manifest.postcss)}`, files)
  const text = path === undefined ? undefined : files.get(path)
  if (path === undefined || typeof text !== 'string') return { path: null, plugins: [], notices: [] }
  return read(path, /^\s*\{/.test(text) ? `export default ${text}` : text, files)
}

function read(path: string, text: string, files: ProjectFiles): PostcssSettings {
  const script = new SettingsScript(text)
  const settings = script.exported
  const plugins: ForeignPlugin[] = []
  const notices: string[] = []
  const unread = (what: string) =>
    notices.push(
      `${path.slice(1)}: ${what} would have to be run to be known, which needs a devbox. It is not used here.`,
    )
  const add = (name: string, options: Literal | undefined) => {
    if (OWN.test(name)) return
    const given = options === undefined ? {} : valueOf(options, script)
    if (given === undefined || /^[./]/.test(name)) return unread(`the plug-in "${name}"`)
    if (given.value === false || given.value === null) return
    const targets = TARGETS[name] === undefined ? undefined : browserTargets(files)
    const plain = given.value === true ? undefined : given.value
    plugins.push({
      name,
      options: targets ? { [TARGETS[name]!]: targets, ...(plain as object | undefined) } : plain,
    })
  }
  if (settings.kind !== 'object') {
    unread('what it exports')
    return { path, plugins, notices }
  }
  if (!settings.isWhole) unread('a part of what it exports')
  for (const key of settings.members.keys()) if (key !== 'plugins' && !UNSEEN.has(key)) unread(`"${key}"`)
  const listed = settings.members.get('plugins')
  const wanted = listed?.kind === 'name' ? script.constant(listed.name) : listed
  if (wanted?.kind === 'object') {
    for (const [name, options] of wanted.members) add(name, options)
    if (!wanted.isWhole) unread('a part of "plugins"')
  } else if (wanted?.kind === 'list') {
    wanted.items.forEach((item, index) => {
      const found = pluginOf(item, script)
      if (found) add(found.name, found.options)
      else unread(`plug-in ${index + 1}`)
    })
  } else if (wanted) unread('"plugins"')
  return { path, plugins, notices }
}

/** The package that an item of a list means, and what its plug-in is given. */
function pluginOf(item: Literal, script: SettingsScript): { name: string; options: Literal | undefined } | undefined {
  if (item.kind === 'plain')
    return typeof item.value === 'string' ? { name: item.value, options: undefined } : undefined
  if (item.kind === 'list') {
    const [first, options] = item.items
    const found = first && pluginOf(first, script)
    return found && { name: found.name, options }
  }
  if (item.kind === 'name') {
    const name = packageOf(item.name, script)
    return name === undefined ? undefined : { name, options: undefined }
  }
  if (item.kind !== 'call' || item.given.length > 1) return undefined
  if (item.name === 'require') {
    const name = required(item)
    return name === undefined || (item.again?.length ?? 0) > 1 ? undefined : { name, options: item.again?.[0] }
  }
  const name = packageOf(item.name, script)
  return name === undefined ? undefined : { name, options: item.given[0] }
}

function packageOf(name: string, script: SettingsScript): string | undefined {
  return script.packages.get(name) ?? required(script.constant(name))
}

function required(literal: Literal): string | undefined {
  if (literal.kind !== 'call' || literal.name !== 'require') return undefined
  const [name] = literal.given
  return name?.kind === 'plain' && typeof name.value === 'string' ? name.value : undefined
}

/** The value that is written out; undefined when a part of it would have to be run. */
function valueOf(literal: Literal, script: SettingsScript, depth = 0): { value?: unknown } | undefined {
  if (depth > 20) return undefined
  switch (literal.kind) {
    case 'plain':
      return { value: literal.value }
    case 'name':
      return literal.name === 'undefined' ? {} : valueOf(script.constant(literal.name), script, depth + 1)
    case 'list': {
      const items = literal.items.map((item) => valueOf(item, script, depth + 1))
      return items.includes(undefined) ? undefined : { value: items.map((item) => item!.value) }
    }
    case 'object': {
      if (!literal.isWhole) return undefined
      const members = [...literal.members].map(([key, member]) => [key, valueOf(member, script, depth + 1)] as const)
      if (members.some(([, member]) => member === undefined)) return undefined
      return { value: Object.fromEntries(members.map(([key, member]) => [key, member!.value])) }
    }
    default:
      return undefined
  }
}
