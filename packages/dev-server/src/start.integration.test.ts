import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
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
