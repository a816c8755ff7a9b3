import { codeColors } from '../machines/codeColors.ts'

const WIDTH = 640
const HEIGHT = 360
const HEADER = 40
const LINE = 22
const MOST_LINES = 14
const LONGEST_LINE = 80
const LONGEST_PATH = 60
/** Milliseconds for the colours of all lines, and of one: a page of sandboxes asks for many pictures at once. */
const budgets = { all: 50, line: 20 }

/** The product's dark colours, which the editor has too. A picture does not know the theme of the page that shows it. */
const ground = { page: '#0e0f11', header: '#15171a', line: '#2a2e34', text: '#e8eaed', quiet: '#a7adb6' }

/** The beginning of a text file as the editor colours it: an SVG without anything that could run. Without a file it says that there is none. */
export async function paintScreenshot(file: { path: string; text: string } | null): Promise<string> {
  const lines = file ? linesOf(file.text) : []
  const { path } = file ?? { path: 'No text yet' }
  const { colors, lines: colored } = await codeColors(path, lines.join('\n'), 'dark', budgets)
  const body = lines.map((line, index) => {
    const pieces = colored[index] ? painted(line, colored[index], colors) : escape(line)
    return `<text x="20" y="${HEADER + 26 + index * LINE}" xml:space="preserve">${pieces}</text>`
  })
  const shown = path.length > LONGEST_PATH ? `…${path.slice(-LONGEST_PATH)}` : path
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${ground.page}"/>`,
    `<rect width="${WIDTH}" height="${HEADER}" fill="${ground.header}"/>`,
    `<rect y="${HEADER}" width="${WIDTH}" height="1" fill="${ground.line}"/>`,
    `<text x="20" y="25" font-family="system-ui, sans-serif" font-size="14" fill="${ground.quiet}">${escape(shown)}</text>`,
    `<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="15" fill="${ground.text}">`,
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
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escape(text: string): string {
  return text.replace(unpaintable, '\ufffd').replace(/[&<>"]/g, (character) => entities[character]!)
}
