import { colorThemes } from '@boxyard/workbench/theme'
import { extname } from 'node:path'
import type { BundledLanguage, GrammarState, Highlighter } from 'shiki'

export type Scheme = keyof typeof colorThemes

/** What is seen without scrolling. */
const COLORED_LINES = 80
/** UTF-16 units; longer lines stay plain. */
const LONGEST_LINE = 400
/** Milliseconds for all lines together, and for one: the text is a stranger's, and the server has other things to do. */
const budgets = { all: 300, line: 200 }

/** A line as pairs: so many UTF-16 units in that color, by its number in `colors`. */
export type ColoredLine = number[]

export interface CodeColors {
  colors: string[]
  lines: ColoredLine[]
}

let opening: Promise<Highlighter> | undefined

/** The colors of the beginning of a text in our theme, as the editor will give them; none for languages that are not known. */
export async function codeColors(
  path: string,
  text: string,
  scheme: Scheme,
  { all, line: ofLine } = budgets,
): Promise<CodeColors> {
  const shiki = await import('shiki')
  const language = extname(path).slice(1).toLowerCase()
  if (!isKnown(shiki.bundledLanguages, language)) return { colors: [], lines: [] }
  opening ??= shiki.createHighlighter({ themes: Object.values(colorThemes), langs: [] })
  const highlighter = await opening
  await highlighter.loadLanguage(language)
  const numbers = new Map<string, number>()
  const numberOf = (color: string) => {
    const known = numbers.get(color)
    if (known !== undefined) return known
    numbers.set(color, numbers.size)
    return numbers.size - 1
  }
  const lines: ColoredLine[] = []
  const end = performance.now() + all
  let grammarState: GrammarState | undefined
  for (const line of text.split('\n', COLORED_LINES)) {
    if (performance.now() > end) break
    const { tokens, grammarState: after } = highlighter.codeToTokens(line, {
      lang: language,
      theme: colorThemes[scheme].name,
      tokenizeMaxLineLength: LONGEST_LINE,
      tokenizeTimeLimit: ofLine,
      ...(grammarState && { grammarState }),
    })
    grammarState = after
    lines.push((tokens[0] ?? []).flatMap(({ content, color = '' }) => [content.length, numberOf(color)]))
  }
  return { colors: [...numbers.keys()], lines }
}

function isKnown(languages: object, name: string): name is BundledLanguage {
  return Object.hasOwn(languages, name)
}
