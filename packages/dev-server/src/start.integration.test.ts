import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildForTest, ChildServer } from './testing/childServer.ts'
import { createTestBox, type TestBox } from './testing/testBox.ts'
import { TestClient } from './testing/testClient.ts'

let build: Awaited<ReturnType<typeof buildForTest>>
let box: TestBox
beforeAll(async () => {
  build = await buildForTest()
  box = await createTestBox()
})
afterAll(async () => {
  await build.remove()
  await box.remove()
})

/** Starts the bundle, joins, and stops it. */
async function answers(): Promise<boolean> {
  const server = await ChildServer.start(build.main, box.environment)
  const client = await TestClient.join(box.configuration.socket, await box.token())
  await client.close()
  return (await server.end('SIGTERM')) === 0
}

it('DS530: what was compiled at the build is more than what a start without a client needs', async () => {
  const compiled = join(dirname(build.main), 'dev-server.compiled')
  const rehearsed = await readFile(compiled)
  const child = spawn(process.execPath, [build.main, '--compile'], {
    env: box.environment,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stderr })) if (line.includes('listens')) child.stdin.end()
  expect(await exited).toEqual([0, null])
  const unvisited = await readFile(compiled)
  await writeFile(compiled, rehearsed)
  expect(unvisited.byteLength).toBeGreaterThan(100_000)
  expect(rehearsed.byteLength).toBeGreaterThan(unvisited.byteLength * 1.1)
})

it('DS531: a first client needs neither what speaks with language servers nor what packs downloads', async () => {
  const coverage = await mkdtemp(join(tmpdir(), 'boxyard-coverage-'))
  const server = await ChildServer.start(build.main, { ...box.environment, NODE_V8_COVERAGE: coverage })
  const client = await TestClient.join(box.configuration.socket, await box.token())
  await client.call('fs/read', null)
  await client.call('language/list', {})
  await client.close()
  expect(await server.end('SIGTERM')).toBe(0)
  const modules = await modulesIn(coverage)
  await rm(coverage, { recursive: true })
  const called = (name: RegExp): boolean[] =>
    modules.filter((module) => name.test(module.name)).map((module) => module.called)
  expect(called(/node_modules\/ws\//)).toContain(true)
  for (const lazy of [/node_modules\/vscode-jsonrpc\//, /node_modules\/yazl\//]) {
    expect(called(lazy)).not.toEqual([])
    expect(called(lazy)).not.toContain(true)
  }
})

/** The bundle's functions that are whole modules of CommonJS, by their path, and whether they ran. */
async function modulesIn(folder: string): Promise<{ name: string; called: boolean }[]> {
  interface Coverage {
    result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[]
  }
  const modules: { name: string; called: boolean }[] = []
  for (const name of await readdir(folder)) {
    const { result } = JSON.parse(await readFile(join(folder, name), 'utf8')) as Coverage
    for (const { url, functions } of result) {
      if (!url.endsWith('/dev-server.cjs')) continue
      for (const { functionName, ranges } of functions) {
        if (functionName.includes('/')) modules.push({ name: functionName, called: (ranges[0]?.count ?? 0) > 0 })
      }
    }
  }
  return modules
}

it('DS501: the program starts from the code compiled at the build, and without it when it is damaged, of another Node or missing', async () => {
  const compiled = join(dirname(build.main), 'dev-server.compiled')
  const code = await readFile(compiled)
  expect(code.byteLength).toBeGreaterThan(100_000)
  expect(await answers()).toBe(true)
  const otherVersion = Buffer.from(code)
  otherVersion.fill(0xff, 0, 64)
  for (const damaged of [otherVersion, Buffer.alloc(code.byteLength), Buffer.from('no code')]) {
    await writeFile(compiled, damaged)
    expect(await answers()).toBe(true)
  }
  await writeFile(compiled, code)
  await truncate(compiled, code.byteLength / 2)
  expect(await answers()).toBe(true)
  await rm(compiled)
  expect(await answers()).toBe(true)
})
