import ignore from 'ignore'
import { Glob } from '../files/Glob.ts'
import type { EditorConfigSection } from '../editorConfig/editorConfigText.ts'
import { EditorConfigFiles } from '../editorConfig/EditorConfigFiles.ts'
import { readFormatConfig, formatConfigNames, type FormatConfig } from './formatConfig.ts'

/** Options of Prettier, by their names there. */
export type FormatOptions = Readonly<Record<string, unknown>>

export interface WorkspaceFiles {
  workspacePath: string
  /** The names in a folder. */
  names(folder: string): Promise<string[]>
  /** @returns undefined when there is no such file. */
  read(path: string): Promise<string | undefined>
}

/** What a project says about the format of one of its files. */
export type ProjectFormat =
  /** It is not to be formatted; `why` when that is no wish of the project, for the person. */
  | { kind: 'no'; why?: string }
  /** `isSaid`: the project says something; what it does not say follows the text. `missing`: plugins that it names and that are not here. */
  | { kind: 'yes'; options: FormatOptions; isSaid: boolean; missing: readonly string[] }

/** Asks the files of the project anew each time: formatting is rare, and they are few. */
export async function projectFormat(path: string, files: WorkspaceFiles): Promise<ProjectFormat> {
  const { workspacePath, read } = files
  if (!path.startsWith(`${workspacePath}/`)) return { kind: 'yes', options: {}, isSaid: false, missing: [] }
  const relative = path.slice(workspacePath.length + 1)
  if (relative.split('/').includes('node_modules')) return { kind: 'no' }
  const ignored = await read(`${workspacePath}/.prettierignore`)
  if (ignored !== undefined && ignore().add(ignored).ignores(relative)) return { kind: 'no' }
  const [sections, found] = await Promise.all([
    new EditorConfigFiles({ workspacePath, read }).sectionsFor(path),
    nearestConfig(path, files),
  ])
  const fromEditorConfig = editorConfigOptions(sections)
  if (found && 'refused' in found.config) return { kind: 'no', why: found.config.refused }
  const own = found && 'options' in found.config ? optionsFor(path, found.folder, found.config.options) : {}
  const { plugins, ...options } = { ...fromEditorConfig, ...own } as Record<string, unknown>
  const missing = Array.isArray(plugins) ? plugins.map(String) : []
  const isSaid = found !== undefined || Object.keys(fromEditorConfig).length > 0
  return { kind: 'yes', options, isSaid, missing }
}

async function nearestConfig(
  path: string,
  { workspacePath, names, read }: WorkspaceFiles,
): Promise<{ folder: string; config: FormatConfig } | undefined> {
  for (let folder = folderOf(path); folder.startsWith(workspacePath); folder = folderOf(folder)) {
    const there = new Set(await names(folder))
    for (const name of formatConfigNames) {
      if (!there.has(name)) continue
      const text = await read(`${folder}/${name}`)
      const config = text === undefined ? undefined : readFormatConfig(name, text)
      if (config) return { folder, config }
    }
  }
  return undefined
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** The options of a configuration with those of its `overrides` that mean the file, the later ones above. */
function optionsFor(path: string, folder: string, { overrides, ...options }: Record<string, unknown>): FormatOptions {
  const relative = path.slice(folder.length + 1)
  const means = (patterns: unknown) =>
    [patterns].flat().some((one) => typeof one === 'string' && new Glob(one.replace(/^\.\//, '/')).matches(relative))
  const meant = (Array.isArray(overrides) ? (overrides as Record<string, unknown>[]) : []).filter(
    (one) => means(one['files']) && !means(one['excludeFiles']),
  )
  return Object.assign({}, options, ...meant.map((one) => one['options'])) as FormatOptions
}

function editorConfigOptions(sections: readonly EditorConfigSection[]): FormatOptions {
  const said = new Map(sections.flatMap(({ properties }) => [...properties]).map(([k, v]) => [k, v.toLowerCase()]))
  const options: Record<string, unknown> = {}
  const style = said.get('indent_style')
  const size = said.get('indent_size')
  if (style === 'tab' || (style === undefined && size === 'tab')) options['useTabs'] = true
  else if (style === 'space') options['useTabs'] = false
  const width = [size, said.get('tab_width')].find((one) => one !== undefined && /^[1-9]\d?$/.test(one))
  if (width !== undefined) options['tabWidth'] = Number(width)
  const length = said.get('max_line_length')
  if (length === 'off') options['printWidth'] = Number.POSITIVE_INFINITY
  else if (length !== undefined && /^[1-9]\d*$/.test(length)) options['printWidth'] = Number(length)
  const quotes = said.get('quote_type')
  if (quotes === 'single' || quotes === 'double') options['singleQuote'] = quotes === 'single'
  return options
}
