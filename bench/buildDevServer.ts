import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Bundles the dev server of this working copy; resolves with the folder, which holds everything that plain node needs. */
export async function buildDevServer(): Promise<string> {
  const script = new URL('../packages/dev-server/build.mjs', import.meta.url).href
  const { buildDevServer: build } = (await import(script)) as { buildDevServer(output: string): Promise<void> }
  const folder = await mkdtemp(join(tmpdir(), 'boxyard-bench-dev-server-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await build(folder)
  return folder
}
