import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { MachineUsage } from './machineService.ts'
import { usageService } from './usageService.ts'

const usage: MachineUsage = {
  cores: 2,
  memory_bytes: 1,
  memory_limit_bytes: null,
  disk_bytes: 3,
  disk_limit_bytes: 4,
}

let now = 0
let asked: string[] = []
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
  asked = []
})

/** The service with machines that take `tookMs` to measure, asked as one box. */
async function asBox(box: string, tookMs: number) {
  const service = usageService(
    {
      async usageOf(boxId) {
        asked.push(boxId)
        now += tookMs
        return boxId === 'gone' ? null : usage
      },
    },
    () => now,
  )
  const server = createServer((request, response) => void service.answer(box, request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return (path = '/machine/usage', method = 'GET') => fetch(origin + path, { method })
}

it('tells a box its own usage, and nothing else', async () => {
  const ask = await asBox('mine', 0)
  expect(await (await ask()).json()).toEqual(usage)
  expect(asked).toEqual(['mine'])
  for (const [path, method] of [
    ['/machine/usage/other', 'GET'],
    ['/machine/usage?id=other', 'GET'],
    ['/machine/usage', 'POST'],
  ] as const)
    expect((await ask(path, method)).status).toBe(404)
  expect((await (await asBox('gone', 0))()).status).toBe(404)
  expect(asked).toEqual(['mine', 'gone'])
})

it('measures no more often than every 4 s, and less often where measuring takes long', async () => {
  const quick = await asBox('quick', 10)
  await quick()
  now += 3_999
  await quick()
  expect(asked).toEqual(['quick'])
  now += 1
  await quick()
  expect(asked).toEqual(['quick', 'quick'])

  asked = []
  const slow = await asBox('slow', 1_000)
  await slow()
  now += 49_999
  await slow()
  expect(asked).toEqual(['slow'])
  now += 1
  await slow()
  expect(asked).toEqual(['slow', 'slow'])
})
