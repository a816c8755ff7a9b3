import type { Plugin } from 'prettier'
import { format } from 'prettier/standalone'
import type { FormatAnswer, FormatRequest } from './formatMessage.ts'

/** Each is fetched when a text needs it. */
const plugins = {
  babel: () => import('prettier/plugins/babel'),
  estree: () => import('prettier/plugins/estree'),
  glimmer: () => import('prettier/plugins/glimmer'),
  graphql: () => import('prettier/plugins/graphql'),
  html: () => import('prettier/plugins/html'),
  markdown: () => import('prettier/plugins/markdown'),
  postcss: () => import('prettier/plugins/postcss'),
  typescript: () => import('prettier/plugins/typescript'),
  yaml: () => import('prettier/plugins/yaml'),
} satisfies Record<string, () => Promise<unknown>>
type Name = keyof typeof plugins

const script: Name[] = ['babel', 'estree']
const embedded: Name[] = ['postcss', 'graphql', 'html', 'markdown']
const all = Object.keys(plugins) as Name[]

/** The plugins for a parser, and for what may stand in its texts. */
function needed(parser: string, text: string): Name[] {
  switch (parser) {
    case 'css':
    case 'less':
    case 'scss':
      return text.startsWith('---') ? ['postcss', 'yaml'] : ['postcss']
    case 'json':
    case 'json5':
    case 'jsonc':
    case 'json-stringify':
      return script
    case 'graphql':
      return ['graphql']
    case 'glimmer':
      return ['glimmer']
    case 'yaml':
      return ['yaml']
    case 'markdown':
      return /```|~~~|^---/m.test(text) ? all : ['markdown']
    case 'babel':
      return text.includes('`') ? [...script, ...embedded] : script
    case 'typescript':
      return text.includes('`') ? ['typescript', 'estree', ...embedded] : ['typescript', 'estree']
    default:
      return all
  }
}

async function answer({ id, text, options }: FormatRequest): Promise<FormatAnswer> {
  try {
    const names = needed(String(options['parser']), text)
    const loaded = await Promise.all(names.map((name) => plugins[name]() as Promise<{ default: Plugin } & Plugin>))
    return { id, text: await format(text, { ...options, plugins: loaded.map((one) => one.default ?? one) }) }
  } catch (error) {
    const { message, loc } = error as Error & { loc?: { start?: { line: number; column: number } } }
    // Behind the first line there is a drawing of the place.
    return { id, problem: { message: message.split('\n', 1)[0]!, line: loc?.start?.line, column: loc?.start?.column } }
  }
}

addEventListener('message', ({ data }: MessageEvent<FormatRequest>) => {
  void answer(data).then((message) => postMessage(message))
})
