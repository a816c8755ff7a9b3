import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { installPeer } from '../installPeer.ts'
import { untilListening } from '../untilListening.ts'
import { Caret } from './caret.ts'
import type { Typing, Typist } from './typing.ts'

export const shareDb = 'ShareDB 7.0.0 in memory, ot-text-unicode 4.0.0'
export const shareDbOnDisk = 'ShareDB 7.0.0 with a log on disk'

/** The part of ShareDB's client that is used. */
interface ShareDbDocument {
  data: string
  create(data: string, type: string, callback: (error?: Error) => void): void
  subscribe(callback: (error?: Error) => void): void
  submitOp(operation: TextOperation, callback: (error?: Error) => void): void
  on(event: 'op', listener: (operation: TextOperation, isOwn: boolean) => void): void
}
type TextOperation = (number | string | object)[]
interface TextType {
  uri: string
  transformPosition(position: number, operation: TextOperation): number
}
interface ShareDbClient {
  Connection: new (socket: WebSocket) => { get(collection: string, id: string): ShareDbDocument; close(): void }
  types: { register(type: unknown): void }
}

/** ShareDB's server in a process of its own, with ShareDB's client. What it accepts outlives it only when it is `durable`. */
export async function startShareDbTyping({ durable = false } = {}): Promise<Typing> {
  const folder = await installPeer({
    name: 'sharedb',
    dependencies: {
      sharedb: '7.0.0',
      'ot-text-unicode': '4.0.0',
      '@teamwork/websocket-json-stream': '2.0.0',
      ws: '8.23.0',
    },
  })
  const require = createRequire(join(folder, 'package.json'))
  const client = require('sharedb/lib/client') as ShareDbClient
  const { type } = require('ot-text-unicode') as { type: TextType }
  client.types.register(type)

  const run = await mkdtemp(join(tmpdir(), 'boxyard-bench-sharedb-'))
  const socket = join(run, 'server.sock')
  const program = fileURLToPath(new URL('../peerPrograms/shareDbServer.mjs', import.meta.url))
  const log = durable ? [join(run, 'log')] : []
  const server = spawn(process.execPath, [program, folder, socket, ...log], { stdio: ['ignore', 'ignore', 'pipe'] })
  await untilListening(server, socket)

  let documents = 0
  return {
    async open(count, text) {
      documents += 1
      const id = `document${documents}`
      const connections = Array.from(
        { length: count },
        () => new client.Connection(new WebSocket(`ws+unix:${socket}:/`, { perMessageDeflate: false })),
      )
      const opened = connections.map((connection) => connection.get('documents', id))
      await called((callback) => opened[0]!.create(text, type.uri, callback))
      await Promise.all(opened.map((one) => called((callback) => one.subscribe(callback))))
      return {
        typists: opened.map((one) => typistOf(one, type)),
        async close() {
          for (const connection of connections) connection.close()
        },
      }
    },
    async stop() {
      const exited = once(server, 'exit')
      server.kill()
      await exited
      await rm(run, { recursive: true })
    },
  }
}

function typistOf(opened: ShareDbDocument, type: TextType): Typist {
  const caret = new Caret()
  opened.on('op', (operation, isOwn) => {
    if (!isOwn) caret.position = type.transformPosition(caret.position, operation)
  })
  return {
    type(accepted) {
      const position = caret.next(opened.data.length)
      opened.submitOp(position === 0 ? ['a'] : [position, 'a'], (error) => {
        if (error) throw error
        accepted()
      })
    },
  }
}

function called(call: (callback: (error?: Error) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => call((error) => (error ? reject(error) : resolve())))
}
