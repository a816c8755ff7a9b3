import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { ProtocolError, type Params } from '@boxyard/protocol'
import { z } from 'zod'
import { findOnPath } from '../findOnPath.ts'

/** Longer lines are generated code; their matches are left out. */
const MAX_LINE = 10_000

const offset = z.number().int().nonnegative()
/** Ripgrep gives `bytes` instead of `text` for what is not UTF-8; such matches are left out. */
const text = z.object({ text: z.string() })
const matchSchema = z.object({
  type: z.literal('match'),
  data: z.object({
    path: text,
    lines: text,
    line_number: z.number().int(),
    absolute_offset: offset,
    submatches: z.array(z.object({ match: text, start: offset, end: offset })),
  }),
})

export interface TextMatch {
  /** Relative to the workspace. */
  path: string
  lines: { text: string }
  lineNumber: number
  absoluteOffset: number
  submatches: { match: { text: string }; start: number; end: number }[]
}

export type SearchQuery = Pick<Params<'fs/search'>, 'text' | 'glob' | 'isRegex' | 'caseSensitivity'>

const caseFlags = { smart: '--smart-case', enabled: '--case-sensitive', disabled: '--ignore-case' } as const

/** Whether this box has ripgrep. */
export function hasTextSearch(): boolean {
  return findOnPath('rg', process.env['PATH']) !== undefined
}

/**
 * Searches the workspace with ripgrep: ignored files are left out. Calls `onMatch` until it returns false or `signal` aborts.
 * Resolves at the end. An expression that can't be read is INVALID_PARAMS.
 */
export async function searchText(
  workspace: string,
  query: SearchQuery,
  onMatch: (match: TextMatch) => boolean,
  signal: AbortSignal,
): Promise<void> {
  if (query.text === '' || signal.aborted) return
  const rg = spawn(
    'rg',
    [
      '--no-config',
      '--json',
      '--hidden',
      '--glob=!.git',
      '--max-filesize=5M',
      caseFlags[query.caseSensitivity ?? 'smart'],
      ...(query.isRegex ? [] : ['--fixed-strings']),
      ...(query.glob ? [`--glob=${query.glob}`] : []),
      `--regexp=${query.text}`,
      './',
    ],
    { cwd: workspace, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const stop = (): void => {
    rg.kill('SIGKILL')
  }
  signal.addEventListener('abort', stop)
  let complaint = ''
  rg.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    if (complaint.length < 2000) complaint += chunk
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    rg.on('error', reject)
    rg.on('close', resolve)
  })
  let stopped = false
  try {
    for await (const line of createInterface({ input: rg.stdout })) {
      const match = readMatch(line)
      if (!match || onMatch(match)) continue
      stopped = true
      stop()
      break
    }
    const status = await ended
    // 0 found, 1 found nothing, 2 failed; null after a kill. Unreadable files alone make 2 next to good results.
    if (status === 2 && !stopped && /regex parse error|error parsing glob/.test(complaint)) {
      throw new ProtocolError('INVALID_PARAMS', complaint.trim().slice(0, 500))
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

function readMatch(line: string): TextMatch | undefined {
  if (!line.startsWith('{"type":"match"')) return undefined
  const parsed = matchSchema.safeParse(JSON.parse(line))
  if (!parsed.success || parsed.data.data.lines.text.length > MAX_LINE) return undefined
  const { path, lines, line_number, absolute_offset, submatches } = parsed.data.data
  return {
    path: path.text.replace(/^\.\//, ''),
    lines,
    lineNumber: line_number,
    absoluteOffset: absolute_offset,
    submatches,
  }
}
