import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Results } from './coreTable.ts'

/** How the Node of this machine ends them: what fails there says nothing about a browser. */
export async function runInNode(files: Readonly<Record<string, string>>): Promise<Results> {
  const folder = mkdtempSync(join(tmpdir(), 'node-core-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const [status] = (await once(spawn(process.execPath, ['run.cjs'], { cwd: folder, stdio: 'ignore' }), 'close')) as [
    number,
  ]
  if (status !== 0) throw new Error(`The tests ended with ${status}`)
  const results = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as Results
  rmSync(folder, { recursive: true })
  return results
}
