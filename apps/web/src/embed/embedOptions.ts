import { isFlagSet } from '@boxyard/api/is-flag-set'

export const embedViews = ['split', 'editor', 'preview'] as const
export type EmbedView = (typeof embedViews)[number]
export const embedThemes = ['auto', 'dark', 'light'] as const
export type EmbedTheme = (typeof embedThemes)[number]

/** How an embedded sandbox is shown; the parameters of its address. */
export interface EmbedOptions {
  view: EmbedView
  theme: EmbedTheme
  /** Path of the file that is opened, relative to the project; null for the first that is worth it. */
  file: string | null
  /** The texts can't be changed, not even for oneself. */
  readOnly: boolean
  /** The preview has no bar with its address. */
  hideNavigation: boolean
  /** The preview runs the file alone. */
  moduleView: boolean
  /** Nothing is compiled before somebody asks for it, for pages with many embedded sandboxes. */
  runOnClick: boolean
  /** Where the preview begins. */
  path: string
  /** Percent of the width, or of the height, that the editor has beside the preview. */
  editorSize: number
  /** Pixels. */
  fontSize: number
  /** Of a devbox: which port the preview shows. */
  port: number | null
}

export const defaultEmbedOptions: EmbedOptions = {
  view: 'split',
  theme: 'auto',
  file: null,
  readOnly: false,
  hideNavigation: false,
  moduleView: false,
  runOnClick: false,
  path: '/',
  editorSize: 50,
  fontSize: 13,
  port: null,
}

/** Reads the parameters of an address. What means nothing counts as absent: a typing mistake on somebody's page is no reason to show none. */
export function readEmbedOptions(search: string): EmbedOptions {
  const query = new URLSearchParams(search)
  const oneOf = <T extends string>(name: string, all: readonly T[], otherwise: T): T =>
    all.find((one) => one === query.get(name)) ?? otherwise
  const flag = (name: string) => isFlagSet(query.get(name))
  const number = (name: string, least: number, most: number): number | null => {
    const given = query.get(name) ?? ''
    const value = Number(given)
    return given !== '' && value >= least && value <= most ? value : null
  }
  const file = (query.get('file') ?? query.get('module') ?? '').replace(/^\/+/, '')
  const path = query.get('initialpath') ?? ''
  const port = number('port', 1, 65_535)
  return {
    view: oneOf('view', embedViews, defaultEmbedOptions.view),
    theme: oneOf('theme', embedThemes, defaultEmbedOptions.theme),
    file: file === '' ? null : file,
    readOnly: flag('readonly'),
    hideNavigation: flag('hidenavigation'),
    moduleView: flag('moduleview'),
    runOnClick: flag('runonclick'),
    path: /^\/(?![/\\])/.test(path) ? path : '/',
    editorSize: number('editorsize', 10, 90) ?? defaultEmbedOptions.editorSize,
    fontSize: number('fontsize', 8, 32) ?? defaultEmbedOptions.fontSize,
    port: port !== null && Number.isInteger(port) ? port : null,
  }
}

/** The address that shows a sandbox with these options; what is as by default is left out. */
export function embedAddress(origin: string, id: string, options: Partial<EmbedOptions>): string {
  const query = new URLSearchParams()
  const add = (name: string, key: keyof EmbedOptions) => {
    const value = options[key]
    if (value === undefined || value === null || value === defaultEmbedOptions[key]) return
    query.set(name, value === true ? '1' : String(value))
  }
  add('view', 'view')
  add('theme', 'theme')
  add('file', 'file')
  add('readonly', 'readOnly')
  add('hidenavigation', 'hideNavigation')
  add('moduleview', 'moduleView')
  add('runonclick', 'runOnClick')
  add('initialpath', 'path')
  add('editorsize', 'editorSize')
  add('fontsize', 'fontSize')
  add('port', 'port')
  const search = query.size === 0 ? '' : `?${query}`
  return `${origin}/embed/${encodeURIComponent(id)}${search}`
}

/** What somebody puts into their page. */
export function embedFrame(address: string, title: string): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return [
    `<iframe src="${escaped(address)}"`,
    `  title="${escaped(title)}"`,
    '  style="width: 100%; height: 500px; border: 0; border-radius: 4px; overflow: hidden"',
    '  allow="clipboard-write; fullscreen"',
    '  loading="lazy"></iframe>',
  ].join('\n')
}
