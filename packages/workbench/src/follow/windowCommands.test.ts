import { Emitter, type Connection } from '@boxyard/dev-server-client'
import type { Client } from '@boxyard/protocol'
import { expect, it } from 'vitest'
import type { Focus } from './channels.ts'
import { startWindowCommands } from './windowCommands.ts'

const place: Focus = { type: 'FOCUS_FILE', filepath: 'src/app.ts', visibleLines: [1, 30], currentLine: 12 }

/** One window of ada's, on channels that the test plays. */
async function window({ subscribers = ['me'], focus }: { subscribers?: string[]; focus?: Focus } = {}) {
  const listeners = new Map<string, Set<(params: never) => void>>()
  const requests: { method: string; params: unknown }[] = []
  const joins = new Emitter<never>()
  const connection = {
    state: { kind: 'CONNECTED', connectedAt: 0 },
    onDidJoin: joins.event,
    onNotification(name: string, listener: (params: never) => void) {
      const all = listeners.get(name) ?? new Set()
      listeners.set(name, all.add(listener))
      return { dispose: () => void all.delete(listener) }
    },
    request(method: string, params: unknown) {
      requests.push({ method, params })
      return Promise.resolve({ subscribers, clients: [] })
    },
  } as unknown as Connection
  const shown: Focus[] = []
  const told: string[] = []
  let run: () => void | Promise<void> = () => undefined
  startWindowCommands({
    client: { connection, clients: { self: { clientId: 'me', username: 'ada' } as Client } },
    editor: { focus: () => focus, show: async (at) => void shown.push(at) },
    tell: (text) => void told.push(text),
    onError: (error) => {
      throw error
    },
    addCommand: (_id, _title, command) => (run = command),
  })
  // The answer to the subscription.
  await Promise.resolve()
  return {
    requests,
    shown,
    told,
    run: () => run(),
    rejoin: () => joins.fire({} as never),
    hear: (message: { name?: string; isUser: boolean; data: unknown }) => {
      for (const listener of listeners.get('channel/message') ?? [])
        listener({ name: 'command-ada', clientId: 'other', ...message } as never)
    },
  }
}

it('WB981: a person’s windows meet in a channel of their own, again after each join', async () => {
  const { requests, rejoin } = await window()
  const subscribed = { method: 'channel/subscribe', params: { name: 'command-ada' } }
  expect(requests).toEqual([subscribed])
  rejoin()
  expect(requests).toEqual([subscribed, subscribed])
})

it('WB981: a window has the others show the file and line that it shows', async () => {
  const { requests, run, told } = await window({ subscribers: ['me', 'other'], focus: place })
  await run()
  expect(requests.at(-1)).toEqual({
    method: 'channel/message',
    params: { name: 'command-ada', data: { type: 'OPEN_FILE', filepath: 'src/app.ts', currentLine: 12 } },
  })
  expect(told).toEqual([])
})

it('WB981: it says so when there is no file or no other window', async () => {
  const alone = await window({ focus: place })
  await alone.run()
  expect(alone.told).toEqual(['You have this open in no other window.'])
  const empty = await window({ subscribers: ['me', 'other'] })
  await empty.run()
  expect(empty.told).toEqual(['Open a file first.'])
  expect([...alone.requests, ...empty.requests].filter(({ method }) => method === 'channel/message')).toEqual([])
})

it('WB981: it shows what another window of the same person asks for, once, and nothing of anybody else', async () => {
  const { hear, rejoin, shown } = await window()
  const data = { type: 'OPEN_FILE', filepath: 'src/app.ts', currentLine: 12 }
  hear({ isUser: false, data })
  hear({ isUser: true, name: 'command-grace', data })
  hear({ isUser: true, data: { ...data, filepath: '' } })
  hear({ isUser: true, data: { ...data, currentLine: -1 } })
  expect(shown).toEqual([])
  rejoin()
  hear({ isUser: true, data })
  expect(shown).toEqual([{ ...place, visibleLines: [12, 12] }])
})
