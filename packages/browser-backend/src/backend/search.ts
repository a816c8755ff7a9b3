import { ProtocolError } from '@boxyard/protocol'
import type { StreamingSearchResult } from '@boxyard/protocol'

export interface SearchRequest {
  text: string
  glob?: string | undefined
  isRegex?: boolean | undefined
  caseSensitivity?: 'smart' | 'enabled' | 'disabled' | undefined
}

export interface SearchedFile {
  id: string
  /** Relative to the workspace. */
  path: string
  text: string
}

const bytes = new TextEncoder()
const bytesOf = (text: string): number => bytes.encode(text).length

/** Every line of the files that matches. */
export function* searchTexts(
  files: Iterable<SearchedFile>,
  request: SearchRequest,
): Generator<StreamingSearchResult & { fileId: string }> {
  if (request.text === '') return
  const pattern = patternOf(request)
  const isWanted = request.glob === undefined ? () => true : globTest(request.glob)
  for (const { id, path, text } of files) {
    if (!isWanted(path)) continue
    let absoluteOffset = 0
    for (const [index, line] of text.split('\n').entries()) {
      const found = [...line.matchAll(pattern)].filter(([match]) => match !== '')
      if (found.length > 0) {
        yield {
          fileId: id,
          filepath: path,
          lines: { text: `${line}\n` },
          lineNumber: index + 1,
          absoluteOffset,
          submatches: found.map((match) => ({
            match: { text: match[0] },
            start: bytesOf(line.slice(0, match.index)),
            end: bytesOf(line.slice(0, match.index + match[0].length)),
          })),
        }
      }
      absoluteOffset += bytesOf(line) + 1
    }
  }
}

/** Paths that have the letters of `text` in their order, the shortest first. */
export function searchPaths(paths: readonly string[], text: string) {
  const wanted = [...text.toLowerCase().replaceAll(' ', '')]
  return paths
    .flatMap((path) => {
      const lower = path.toLowerCase()
      const submatches = []
      let from = 0
      for (const letter of wanted) {
        const at = lower.indexOf(letter, from)
        if (at < 0) return []
        submatches.push({
          match: { text: path[at]! },
          start: bytesOf(path.slice(0, at)),
          end: bytesOf(path.slice(0, at + 1)),
        })
        from = at + 1
      }
      return [{ path, submatches }]
    })
    .toSorted((a, b) => a.path.length - b.path.length)
}

function patternOf({ text, isRegex, caseSensitivity }: SearchRequest): RegExp {
  const isExact = caseSensitivity === 'enabled' || (caseSensitivity === 'smart' && text !== text.toLowerCase())
  const source = isRegex ? text : text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  try {
    return new RegExp(source, isExact ? 'gu' : 'giu')
  } catch (cause) {
    throw new ProtocolError('INVALID_PARAMS', `This is no regular expression: ${(cause as Error).message}`)
  }
}

/** A list of patterns, with `!` in front of those that leave files out. */
function globTest(glob: string): (path: string) => boolean {
  const patterns = glob
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  const tests = patterns.map((pattern) => ({
    isNot: pattern.startsWith('!'),
    test: globPattern(pattern.replace(/^!/, '')),
  }))
  const wanted = tests.filter(({ isNot }) => !isNot)
  return (path) =>
    (wanted.length === 0 || wanted.some(({ test }) => test.test(path))) &&
    !tests.some(({ isNot, test }) => isNot && test.test(path))
}

function globPattern(glob: string): RegExp {
  // Without a slash it matches at any depth.
  const whole = glob.includes('/') ? glob.replace(/^\//, '') : `**/${glob}`
  const source = whole
    .replace(/[.+^$()|[\]{}\\]/g, '\\$&')
    .replace(/\*\*\//g, '\u0000')
    .replace(/\*\*/g, '\u0001')
    .replace(/\*/g, '[^/]*')
    .replace(/\?/g, '[^/]')
    .replaceAll('\u0000', '(?:.*/)?')
    .replaceAll('\u0001', '.*')
  return new RegExp(`^${source}$`)
}
