import { Duplex } from 'node:stream'
import { expect, it } from 'vitest'
import { QmpClient } from './qmpClient.ts'

function connected(): { client: QmpClient; said: unknown[]; answer: (line: string) => void; end: () => void } {
  const said: unknown[] = []
  const stream = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      said.push(JSON.parse(chunk.toString()))
      done()
    },
  })
  return {
    client: new QmpClient(stream),
    said,
    answer: (line) => stream.push(`${line}\r\n`),
    end: () => stream.destroy(),
  }
}

it('BX508: QEMU is asked in lines of JSON and answers by number, with events in between', async () => {
  const { client, said, answer } = connected()
  answer('{"QMP": {"version": {}, "capabilities": []}}')
  const opened = client.open()
  const status = client.execute('query-status')
  answer('{"event": "STOP", "data": {}}')
  answer('{"return": {"status": "running"}, "id": 2}')
  answer('{"return": {}, "id": 1}')
  await opened
  expect(await status).toEqual({ status: 'running' })
  expect(said).toEqual([
    { execute: 'qmp_capabilities', arguments: {}, id: 1 },
    { execute: 'query-status', arguments: {}, id: 2 },
  ])
})

it('BX508: what QEMU refuses, says wrongly or leaves unanswered is an error of the call', async () => {
  const { client, answer, end } = connected()
  const refused = client.execute('migrate')
  const open = client.execute('quit')
  answer('no JSON')
  answer('{"return": {}, "id": "1"}')
  answer('{"error": {"class": "GenericError", "desc": "No space left"}, "id": 1}')
  await expect(refused).rejects.toMatchObject({ code: 'SANDBOX_FAILED', detail: 'QEMU: No space left' })
  end()
  await expect(open).rejects.toMatchObject({ code: 'SANDBOX_FAILED' })
  await expect(client.execute('cont')).rejects.toMatchObject({ code: 'SANDBOX_FAILED' })
})
