import { expect, it } from 'vitest'
import type { Metrics } from '@boxyard/protocol'
import { FakeServer } from './testing/fakeServer.ts'

it('DC64: tells which ports were opened and closed, and waits for one', async () => {
  const server = new FakeServer()
  const port = (number: number) => ({ port: number, url: `box1-${number}.preview.test` })
  server.answers['port/list'] = () => ({ list: [port(80)] })
  const client = await server.connectedClient()
  expect(await client.ports.waitForPort(80)).toEqual(port(80))
  const changes: unknown[] = []
  client.ports.onDidChange(({ opened, closed }) => changes.push([opened, closed]))
  const waiting = client.ports.waitForPort(3000)
  server.socket.notify('port/changed', { list: [port(3000)] })
  server.socket.notify('port/changed', { list: [port(3000)] })
  expect(await waiting).toEqual(port(3000))
  expect(changes).toEqual([[[port(3000)], [port(80)]]])
  const outcome = expect(client.ports.waitForPort(9999)).rejects.toThrow('Waiting for port timed out')
  await server.clock.advance(5_000)
  await outcome
})

it('DC65: asks for metrics while somebody listens', async () => {
  const server = new FakeServer()
  const load = { cores: 2, used: 1, configured: 2 }
  const space = { total: 4, used: 1, configured: 4 }
  server.answers['system/metrics'] = () => ({ cpu: load, memory: space, storage: space })
  const client = await server.connectedClient()
  const seen: Metrics[] = []
  const subscription = client.system.onDidMetrics((metrics) => seen.push(metrics))
  await server.clock.advance(10_000)
  expect(seen).toHaveLength(3)
  subscription.dispose()
  await server.clock.advance(10_000)
  expect(seen).toHaveLength(3)
})
