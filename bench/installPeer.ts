import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram } from './runProgram.ts'

export interface PeerRecipe {
  /** The name of its folder under `bench/peers/`. */
  name: string
  /** Exact versions only: a figure is worth nothing without knowing what it was measured against. */
  dependencies: Readonly<Record<string, string>>
  /** Packages whose install scripts may run; without any, no script runs. */
  scripts?: readonly string[]
  /** A folder that stands first on PATH while installing, for peers that need another Node. */
  path?: string
}

const peers = fileURLToPath(new URL('peers/', import.meta.url))

/**
 * Installs the packages a benchmark compares with, once, into `bench/peers/{name}`, which git ignores. They are measured, never shipped.
 * Resolves with the folder. A finished install leaves a mark that names its versions; without that mark it is made again.
 */
export async function installPeer({ name, dependencies, scripts = [], path }: PeerRecipe): Promise<string> {
  const folder = join(peers, name)
  const mark = join(folder, 'installed.json')
  const wanted = JSON.stringify({ dependencies, scripts })
  if (existsSync(mark) && (await readFile(mark, 'utf8')) === wanted) return folder
  await mkdir(folder, { recursive: true })
  const allowScripts = Object.fromEntries(scripts.map((script) => [script, true]))
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies, allowScripts }),
  )
  const flags = ['install', '--no-audit', '--no-fund', '--loglevel=error']
  await runProgram('npm', scripts.length === 0 ? [...flags, '--ignore-scripts'] : flags, {
    cwd: folder,
    ...(path === undefined ? {} : { path }),
  })
  await writeFile(mark, wanted)
  return folder
}
