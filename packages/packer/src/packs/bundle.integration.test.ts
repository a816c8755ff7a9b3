import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { bundle } from './bundle.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundle-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

const limits = { ms: 600_000, bytes: 2 ** 40, rounds: 8 }
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
/** A bundler that does what the script says, and writes its process down first. */
async function bundlerOf(script: string): Promise<string> {
  const program = join(folder, 'bundler')
  await writeFile(program, `#!/bin/sh\necho $$ > '${join(folder, 'pid')}'\n${script}\n`)
  await chmod(program, 0o755)
  return program
}

it('PK950: a bundler that goes on for too long is ended, which is said', async () => {
  // It never ends by itself, so the limit is what ends it, however slow the machine is.
  const asked = bundle(folder, ['a'], { ...limits, ms: 500 }, await bundlerOf('exec tail -f /dev/null'))
  await expect(asked).rejects.toMatchObject({
    code: 'BUNDLE_FAILED',
    message: expect.stringContaining('it took longer than 1 seconds'),
  })
  const pid = await readFile(join(folder, 'pid'), 'utf8').catch(() => '')
  if (pid !== '') expect(isAlive(Number(pid))).toBe(false)
})

it('PK950: the limit is for all rounds together', async () => {
  await writeFile(join(folder, 'rounds'), '')
  // Each round is quick and finds something else missing, without end.
  const absent = `Could not resolve \\"absent$(/usr/bin/wc -l < rounds | /usr/bin/tr -d ' ')\\"`
  const program = await bundlerOf(`echo x >> rounds\necho "${absent}" >&2\nexit 1`)
  const asked = bundle(folder, ['a'], { ...limits, ms: 500, rounds: Infinity }, program)
  await expect(asked).rejects.toThrow('it took longer than 1 seconds')
})

it('PK950: a bundler that takes too much memory is ended, which is said', async () => {
  const asked = bundle(folder, ['a'], { ...limits, bytes: 1 }, await bundlerOf('exec tail -f /dev/null'))
  await expect(asked).rejects.toThrow('it took more than 1 MB of memory')
})

it('PK951: rounds come to an end when each finds others missing', async () => {
  const one = join(folder, 'node_modules', 'one')
  await mkdir(one, { recursive: true })
  await writeFile(join(one, 'package.json'), '{"name":"one","main":"index.js"}')
  // The bundler tells of fifty at a time.
  const absent = Array.from({ length: 60 }, (_, number) => `require("absent${number}")`)
  await writeFile(join(one, 'index.js'), `${absent.join('\n')}\nexports.one = 1\n`)
  await mkdir(join(folder, 'out'))
  await expect(bundle(folder, ['one'], { ...limits, rounds: 1 })).rejects.toMatchObject({
    code: 'BUNDLE_FAILED',
    message: expect.stringContaining('that nobody brings'),
  })
  expect(await bundle(folder, ['one'], { ...limits, rounds: 3 })).toMatchObject([{ specifier: 'one', interop: 'cjs' }])
})
