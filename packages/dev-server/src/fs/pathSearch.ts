import type { Result } from '@boxyard/protocol'
import { globSource, isPlainGlob, literalSource } from './glob.ts'

const MAX_MATCHES = 1000

type Match = Result<'fs/pathSearch'>['matches'][number]

/** Paths that contain the text, or match it as a glob where it has wildcards. Matches in the file name come first, then short paths. */
export function searchPaths(paths: readonly string[], text: string): Match[] {
  const needle = text.trim()
  if (needle === '') return []
  const pattern = new RegExp(
    /[*?]/.test(needle) && isPlainGlob(needle) ? globSource(needle) : literalSource(needle),
    'iu',
  )
  const found: { match: Match; inName: boolean }[] = []
  for (const path of paths) {
    const hit = pattern.exec(path)
    if (!hit) continue
    const start = Buffer.byteLength(path.slice(0, hit.index))
    const end = start + Buffer.byteLength(hit[0])
    const submatches = hit[0] === '' ? [] : [{ match: { text: hit[0] }, start, end }]
    found.push({ match: { path, submatches }, inName: pattern.test(path.slice(path.lastIndexOf('/') + 1)) })
  }
  return found
    .toSorted((a, b) => Number(b.inName) - Number(a.inName) || a.match.path.length - b.match.path.length)
    .slice(0, MAX_MATCHES)
    .map(({ match }) => match)
}
