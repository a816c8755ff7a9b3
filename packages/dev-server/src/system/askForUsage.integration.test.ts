import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { askForUsage } from './askForUsage.ts'

let folder: string
let socket: string
let platform: Server
let answer: { status: number; body: string }
const asked: string[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boxyard-usage-'))
  socket = join(folder, 'egress.sock')
  platform = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(answer.status).end(answer.body)
  }).listen(socket)
  await once(platform, 'listening')
})
afterEach(async () => {
  await new Promise((resolve) => platform.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

it('SY740: asks the platform, which may know nothing of this box', async () => {
  const told = { cores: null, memory_bytes: 1, memory_limit_bytes: 2, disk_bytes: 3, disk_limit_bytes: 4 }
  answer = { status: 200, body: JSON.stringify(told) }
  expect(await askForUsage(socket)).toEqual({
    memoryBytes: 1,
    memoryLimitBytes: 2,
    storageBytes: 3,
    storageLimitBytes: 4,
  })
  expect(asked).toEqual(['GET /machine/usage'])
  answer = { status: 404, body: '' }
  expect(await askForUsage(socket)).toBeUndefined()
  for (const bad of [
    { status: 502, body: '' },
    { status: 200, body: '{"cores":"all"}' },
  ]) {
    answer = bad
    await expect(askForUsage(socket)).rejects.toThrow()
  }
})
