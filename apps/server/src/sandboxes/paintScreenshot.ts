const WIDTH = 640
const HEIGHT = 360
const HEADER = 40
const LINE = 22
const MOST_LINES = 14
const LONGEST_LINE = 80
const LONGEST_PATH = 60

/** The product's dark colours, which the editor has too. A picture does not know the theme of the page that shows it. */
const colours = {
  ground: '#0e0f11',
  header: '#15171a',
  line: '#2a2e34',
  text: '#e8eaed',
  quiet: '#a7adb6',
  comment: '#8a919b',
  string: '#7fc581',
  keyword: '#84b2fd',
  number: '#e2a355',
}

const words =
  'as|async|await|break|case|catch|class|const|continue|def|default|do|elif|else|enum|export|extends|false|finally|fn|for|from|func|function|if|implements|import|in|interface|let|match|mut|new|nil|None|null|of|package|private|pub|public|return|self|static|struct|super|switch|this|throw|true|True|False|try|type|typeof|undefined|use|var|void|while|yield'
const pieces = new RegExp(
  [
    String.raw`(?<comment>\/\/ .*|# .*|<!--.*|\/\*.*|^\s*\*.*)`,
    String.raw`(?<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\`(?:\\.|[^\`\\])*\`)`,
    String.raw`\b(?<keyword>${words})\b`,
    String.raw`\b(?<number>\d+(?:\.\d+)?)\b`,
  ].join('|'),
  'g',
)
/** Words in them are words, not code. */
const prose = /\.(?:md|markdown|txt)$/i

/** The beginning of a text file as a picture, an SVG without anything that could run. Without a file it says that there is none. */
export function paintScreenshot(file: { path: string; text: string } | null): string {
  const lines = file ? linesOf(file.text) : []
  const body = lines.map((line, index) => {
    const y = HEADER + 26 + index * LINE
    return `<text x="20" y="${y}" xml:space="preserve">${file && prose.test(file.path) ? escape(line) : painted(line)}</text>`
  })
  const path = file ? file.path : 'No text yet'
  const shown = path.length > LONGEST_PATH ? `…${path.slice(-LONGEST_PATH)}` : path
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${colours.ground}"/>`,
    `<rect width="${WIDTH}" height="${HEADER}" fill="${colours.header}"/>`,
    `<rect y="${HEADER}" width="${WIDTH}" height="1" fill="${colours.line}"/>`,
    `<text x="20" y="25" font-family="system-ui, sans-serif" font-size="14" fill="${colours.quiet}">${escape(shown)}</text>`,
    `<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="15" fill="${colours.text}">`,
    ...body,
    '</g></svg>',
  ].join('\n')
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/)
  const first = lines.findIndex((line) => line.trim() !== '')
  if (first === -1) return []
  return lines
    .slice(first, first + MOST_LINES)
    .map((line) => [...line.replaceAll('\t', '  ')].slice(0, LONGEST_LINE).join(''))
}

function painted(line: string): string {
  let out = ''
  let at = 0
  for (const match of line.matchAll(pieces)) {
    const [kind, piece] = Object.entries(match.groups!).find(([, found]) => found !== undefined)!
    out += escape(line.slice(at, match.index))
    out += `<tspan fill="${colours[kind as keyof typeof colours]}">${escape(piece)}</tspan>`
    at = match.index + match[0].length
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
