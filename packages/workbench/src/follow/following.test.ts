import { Emitter, type Connection } from '@boxyard/dev-server-client'
import type { Client } from '@boxyard/protocol'
import { expect, it } from 'vitest'
import { followChannel, type Focus } from './channels.ts'
import { FOLLOW_DEBOUNCE, Following } from './following.ts'

const at = (filepath: string, line = 1): Focus => ({
  type: 'FOCUS_FILE',
  filepath,
  visibleLines: [line, line + 20],
  currentLine: line,
})

/** One window: its connection to channels that the test plays, its editor, and its clock. */
function window(self = 'me') {
  const notifications = new Map<string, Emitter<never>>()
  const requests: { method: string; params: { name?: string; data?: unknown } }[] = []
  const joins = new Emitter<never>()
  const connection = {
    state: { kind: 'CONNECTED', connectedAt: 0 },
    onDidJoin: joins.event,
    onNotification(name: string, listener: (params: never) => void) {
      const emitter = notifications.get(name) ?? new Emitter<never>()
      notifications.set(name, emitter)
      return emitter.event(listener)
    },
    request(method: string, params: { name: string }) {
      requests.push({ method, params })
      return Promise.resolve({ subscribers: [self], clients: [] })
    },
  } as unknown as Connection
  const people = new Emitter<readonly Client[]>()
  const clients = {
    all: ['me', 'ada'].map((clientId) => ({ clientId }) as Client),
    self: { clientId: self } as Client,
    onDidChange: people.event,
  }
  const moves = new Emitter<void>()
  const visible = new Emitter<void>()
  const edits = new Emitter<void>()
  const shown: Focus[] = []
  const state = { focus: at('a.ts') as Focus | undefined, visibleFile: '' }
  const timers: { run(): void; milliseconds: number }[] = []
  const following = new Following({
    connection,
    clients,
    editor: {
      focus: () => state.focus,
      show: async (focus) => {
        shown.push(focus)
        state.visibleFile = focus.filepath
      },
      isVisible: (filepath) => state.visibleFile === filepath,
      onDidMove: moves.event,
      onDidChangeVisible: visible.event,
      onDidEdit: edits.event,
    },
    onError: (error) => {
      throw error
    },
    schedule: (run, milliseconds) => {
      const timer = { run, milliseconds }
      timers.push(timer)
      return () => void timers.splice(timers.indexOf(timer), 1)
    },
  })
  return {
    following,
    state,
    shown,
    moves,
    visible,
    edits,
    people,
    joins,
    requests,
    timers,
    say: (name: string, params: object) => notifications.get(name)?.fire(params as never),
    elapse: () => {
      for (const timer of timers.splice(0)) timer.run()
    },
    sent: (method: string) => requests.filter((request) => request.method === method).map(({ params }) => params),
  }
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
const focusOf = (clientId: string, data: unknown) => ({ name: followChannel('ada'), clientId, isUser: false, data })

it('WB490: the one who follows sees the files and lines of the other, and nobody else leads', async () => {
  const me = window()
  me.following.toggle('ada')
  expect(me.following.clientId).toBe('ada')
  me.say('channel/message', focusOf('ada', at('src/b.ts', 7)))
  me.say('channel/message', focusOf('mallory', at('secret.ts')))
  me.say('channel/message', focusOf('ada', { type: 'FOCUS_FILE', filepath: 5 }))
  expect(me.shown).toEqual([at('src/b.ts', 7)])
  me.following.toggle('ada')
  expect(me.following.clientId).toBeUndefined()
  me.say('channel/message', focusOf('ada', at('src/c.ts')))
  expect(me.shown).toHaveLength(1)
})

it('WB490: it ends when the one who follows edits', () => {
  const me = window()
  me.following.follow('ada')
  me.edits.fire()
  expect(me.following.clientId).toBeUndefined()
})

it('WB490: it ends when the followed file is not visible any more, looked at 500 ms later', async () => {
  const me = window()
  me.following.follow('ada')
  me.say('channel/message', focusOf('ada', at('src/b.ts')))
  await settled()
  me.state.visibleFile = 'other.ts'
  me.visible.fire()
  expect(me.timers.map(({ milliseconds }) => milliseconds)).toEqual([FOLLOW_DEBOUNCE])
  me.state.visibleFile = 'src/b.ts'
  me.elapse()
  expect(me.following.clientId).toBe('ada')
  me.state.visibleFile = 'other.ts'
  me.visible.fire()
  me.elapse()
  expect(me.following.clientId).toBeUndefined()
})

it('WB490: it ends when the other leaves', () => {
  const me = window()
  me.following.follow('ada')
  me.people.fire([{ clientId: 'me' } as Client])
  expect(me.following.clientId).toBeUndefined()
})

it('WB491: a person tells where they are only while somebody follows, and whoever comes hears it at once', async () => {
  const me = window()
  await settled()
  me.moves.fire()
  me.elapse()
  expect(me.sent('channel/message')).toEqual([])
  me.say('channel/subscribed', { name: followChannel('me'), clientId: 'ada', subscribers: ['me', 'ada'] })
  me.elapse()
  me.moves.fire()
  me.moves.fire()
  me.elapse()
  expect(me.sent('channel/message')).toEqual([1, 2].map(() => ({ name: followChannel('me'), data: at('a.ts') })))
})

it('WB491: after a new connection everything is subscribed to again', async () => {
  const me = window()
  me.following.follow('ada')
  me.joins.fire(undefined as never)
  await settled()
  expect(me.sent('channel/subscribe').map(({ name }) => name)).toEqual(
    ['me', 'ada', 'me', 'ada'].map((clientId) => followChannel(clientId)),
  )
  expect(me.following.clientId).toBe('ada')
})
