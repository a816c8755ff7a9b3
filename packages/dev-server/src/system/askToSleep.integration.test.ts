import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askToSleep } from './askToSleep.ts'

describe('asking to sleep', () => {
  let folder: string
  let socket: string
  let platform: Server
  let status = 202
  const asked: string[] = []

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'boxyard-sleep-'))
    socket = join(folder, 'egress.sock')
    platform = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      response.writeHead(status).end()
    }).listen(socket)
    await once(platform, 'listening')
  })
  afterEach(async () => {
    await new Promise((resolve) => platform.close(resolve))
    await rm(folder, { recursive: true, force: true })
  })

  it('SY2: goes to the platform, and a refusal says what is safe', async () => {
    await askToSleep(socket)
    expect(asked).toEqual(['POST /machine/hibernate'])
    status = 403
    await expect(askToSleep(socket)).rejects.toMatchObject({
      code: 0,
      message: expect.stringContaining('nothing is lost'),
    })
    await expect(askToSleep(join(folder, 'nobody'))).rejects.toMatchObject({
      code: 0,
      data: { reason: expect.any(String) },
    })
  })
})
