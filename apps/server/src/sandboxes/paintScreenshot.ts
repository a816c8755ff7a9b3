import { escapeHtml } from '../http/escapeHtml.ts'
import { codeColors } from '../machines/codeColors.ts'

const WIDTH = 400
const HEIGHT = 225
const HEADER = 26
const LINE = 17
const MOST_LINES = 12
const LONGEST_LINE = 64
const LONGEST_PATH = 50
/** So few and short lines take no time that matters; a picture without its colours would be kept for long. */
const unlimited = { all: Infinity, line: 0 }

/** The product's dark colours, which the editor has too. A picture does not know the theme of the page that shows it. */
const ground = { page: '#0e0f11', header: '#15171a', line: '#2a2e34', text: '#e8eaed', quiet: '#a7adb6' }

/** The beginning of a text file as the editor colours it: an SVG without anything that could run. Without a file it says that there is none. */
export async function paintScreenshot(file: { path: string; text: string } | null): Promise<string> {
  const lines = file ? linesOf(file.text) : []
  const { path } = file ?? { path: 'No text yet' }
  const { colors, lines: colored } = await codeColors(path, lines.join('\n'), 'dark', unlimited)
  const body = lines.map((line, index) => {
    const pieces = colored[index] ? painted(line, colored[index], colors) : escape(line)
    return `<text x="14" y="${HEADER + 20 + index * LINE}" xml:space="preserve">${pieces}</text>`
  })
  const shown = path.length > LONGEST_PATH ? `…${path.slice(-LONGEST_PATH)}` : path
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${ground.page}"/>`,
    `<rect width="${WIDTH}" height="${HEADER}" fill="${ground.header}"/>`,
    `<rect y="${HEADER}" width="${WIDTH}" height="1" fill="${ground.line}"/>`,
    `<text x="14" y="17" font-family="system-ui, sans-serif" font-size="11" fill="${ground.quiet}">${escape(shown)}</text>`,
    `<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="12" fill="${ground.text}">`,
    ...body,
    '</g></svg>',
  ].join('\n')
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/)
  const first = lines.findIndex((line) => line.trim() !== '')
  if (first === -1) return []
  return lines.slice(first, first + MOST_LINES).map((line) => line.replaceAll('\t', '  ').slice(0, LONGEST_LINE))
}

/** `pieces` are pairs of a length and the number of a colour. */
function painted(line: string, pieces: readonly number[], colors: readonly string[]): string {
  let out = ''
  let at = 0
  for (let index = 0; index < pieces.length; index += 2) {
    const end = at + pieces[index]!
    out += `<tspan fill="${escape(colors[pieces[index + 1]!]!)}">${escape(line.slice(at, end))}</tspan>`
    at = end
  }
  return out + escape(line.slice(at))
}

/** What XML can not hold at all, or holds as something else; and what turns the direction of what follows. */
// oxlint-disable-next-line no-control-regex
const unpaintable = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]|\p{Surrogate}/gu

const escape = (text: string): string => escapeHtml(text.replace(unpaintable, '\ufffd'))
