import JSON5 from 'json5'
import { parse as parseToml } from 'smol-toml'
import { parse as parseYaml } from 'yaml'

/** What a file of a project says about the format of its texts. */
export type FormatConfig =
  | { options: Record<string, unknown> }
  /** It says something that is not known here. */
  | { refused: string }

const programs = ['.prettierrc', 'prettier.config'].flatMap((name) =>
  ['js', 'ts', 'mjs', 'mts', 'cjs', 'cts'].map((extension) => `${name}.${extension}`),
)

/** In the order in which Prettier looks for them in a folder. */
export const formatConfigNames: readonly string[] = [
  'package.json',
  'package.yaml',
  '.prettierrc',
  '.prettierrc.json',
  '.prettierrc.yaml',
  '.prettierrc.yml',
  '.prettierrc.json5',
  ...programs,
  '.prettierrc.toml',
]

/** Reads a configuration by the name of its file; undefined when it says nothing, as a package.json without an entry for it. */
export function readFormatConfig(name: string, text: string): FormatConfig | undefined {
  let said: unknown
  try {
    said = readValue(name, text)
  } catch (error) {
    return { refused: `${name} can not be read: ${error instanceof Error ? error.message : String(error)}` }
  }
  if (name.startsWith('package.')) {
    said = (said as { prettier?: unknown } | null)?.prettier
    if (said === undefined) return undefined
  }
  if (said === program) {
    return { refused: `${name} is a program, which is not run here. What it says can stand in a .prettierrc` }
  }
  if (typeof said === 'string') {
    return { refused: `${name} takes its options from the package ${said}, which is not read here` }
  }
  // An empty file says that the defaults are meant.
  if (said === null || said === undefined) return { options: {} }
  if (typeof said !== 'object' || Array.isArray(said)) return { refused: `${name} holds no options` }
  const { $schema: _, ...options } = said as Record<string, unknown>
  return { options }
}

const program = Symbol('program')

function readValue(name: string, text: string): unknown {
  if (programs.includes(name)) return literalIn(text) ?? program
  if (name === 'package.json') return JSON.parse(text)
  if (name.endsWith('.toml')) return parseToml(text)
  if (name.endsWith('.json5')) return JSON5.parse(text)
  // Every JSON is YAML, except when tabs indent it.
  if (text.trimStart().startsWith('{')) return JSON5.parse(text)
  return parseYaml(text)
}

/** The value that a module exports, where that is written down as one literal and nothing is computed. */
function literalIn(source: string): unknown {
  const exported = /(?:export\s+default|module\.exports\s*=)\s*(\{|[\w$]+)/.exec(source)
  if (!exported) return undefined
  const name = exported[1]!
  const begin =
    name === '{'
      ? exported.index + exported[0].length - 1
      : (endOf(new RegExp(`\\b(?:const|let|var)\\s+${name.replaceAll('$', '\\$')}\\b[^={]*=\\s*\\{`).exec(source)) ??
          0) - 1
  if (begin < 0) return undefined
  let tries = 100
  // The shortest stretch that is a value: braces inside of texts and comments make longer ones necessary.
  for (let end = source.indexOf('}', begin); end !== -1 && tries > 0; end = source.indexOf('}', end + 1)) {
    tries -= 1
    try {
      return JSON5.parse(source.slice(begin, end + 1))
    } catch {
      // Not there yet.
    }
  }
  return undefined
}

function endOf(match: RegExpExecArray | null): number | undefined {
  return match ? match.index + match[0].length : undefined
}
