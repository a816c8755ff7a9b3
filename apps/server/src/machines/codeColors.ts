import { colorThemes } from '@boxyard/workbench/theme'
import { extname } from 'node:path'
import type { BundledLanguage, Highlighter } from 'shiki'

export type Scheme = keyof typeof colorThemes

/** What is seen without scrolling; coloring it takes milliseconds, and the server has other things to do. */
const COLORED_LINES = 80
const LONGEST_LINE = 1_000

/** A line as pairs: so many UTF-16 units in that color, by its number in `colors`. */
export type ColoredLine = number[]

export interface CodeColors {
  colors: string[]
  lines: ColoredLine[]
}

let opening: Promise<Highlighter> | undefined

/** The colors of the beginning of a text in our theme, as the editor will give them; none for languages that are not known. */
export async function codeColors(path: string, text: string, scheme: Scheme): Promise<CodeColors> {
  const shiki = await import('shiki')
  const language = extname(path).slice(1).toLowerCase()
  if (!isKnown(shiki, language)) return { colors: [], lines: [] }
  opening ??= shiki.createHighlighter({ themes: Object.values(colorThemes), langs: [] })
  const highlighter = await opening
  await highlighter.loadLanguage(language)
  const beginning = text.split('\n', COLORED_LINES).join('\n')
  const { tokens } = highlighter.codeToTokens(beginning, {
    lang: language,
    theme: colorThemes[scheme].name,
    tokenizeMaxLineLength: LONGEST_LINE,
  })
  const numbers = new Map<string, number>()
  const numberOf = (color: string) => {
    const known = numbers.get(color)
    if (known !== undefined) return known
    numbers.set(color, numbers.size)
    return numbers.size - 1
  }
  const lines = tokens.map((line) => line.flatMap(({ content, color = '' }) => [content.length, numberOf(color)]))
  return { colors: [...numbers.keys()], lines }
}

function isKnown({ bundledLanguages }: typeof import('shiki'), name: string): name is BundledLanguage {
  return name in bundledLanguages
}
