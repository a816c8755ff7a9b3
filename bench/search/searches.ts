import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DevServerClient } from '@boxyard/dev-server-client'

const FOLDERS = 100
const FILES = 100
/** 8 KB of text a file. */
const LINES = Array.from({ length: 160 }, (_, index) => `export const value${index} = compute(${index}, 'some text')`)
/** One file in so many has what is looked for. */
const RARITY = 20
export const NEEDLE = 'a needle in the hay'

/** What one search took, in milliseconds. */
export interface Search {
  first: number
  total: number
  matches: number
}

/** A workspace of 10,000 files, 80 MB. */
export async function writeHay(workspace: string): Promise<void> {
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    const path = join(workspace, `folder${folder}`)
    await mkdir(path)
    for (let file = 0; file < FILES; file += 1) {
      const found = (folder * FILES + file) % RARITY === 0
      const lines = found ? LINES.with(80, `// ${NEEDLE}`) : LINES
      await writeFile(join(path, `file${file}.ts`), lines.join('\n'))
    }
  }
}

/** By a client of the dev server, up to the end of the stream of matches. */
export async function searchByClient(client: DevServerClient): Promise<Search> {
  const start = performance.now()
  let first = 0
  let matches = 0
  await client.fs.streamingSearch({ text: NEEDLE }, (found) => {
    first ||= performance.now() - start
    matches += found.length
  }).done
  return { first, total: performance.now() - start, matches }
}

export const ripgrep = 'ripgrep on the same folder, its output read line by line'

/** By the program alone. */
export async function searchByProgram(workspace: string): Promise<Search> {
  const start = performance.now()
  const rg = spawn('rg', ['--no-config', '--hidden', '--line-number', '--fixed-strings', `--regexp=${NEEDLE}`, './'], {
    cwd: workspace,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let first = 0
  let matches = 0
  rg.stdout.setEncoding('utf8').on('data', (text: string) => {
    first ||= performance.now() - start
    matches += text.split('\n').length - 1
  })
  await once(rg, 'close')
  return { first, total: performance.now() - start, matches }
}
