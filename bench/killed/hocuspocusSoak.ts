import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { installPeer } from '../installPeer.ts'

export const hocuspocus = 'Hocuspocus 3.4.4 with a file store and its default settings'

const EDIT_MS = 20
const LIFE_MS = 4_000

interface SharedText {
  insert(position: number, text: string): void
  toString(): string
}
interface Provider {
  synced: boolean
  hasUnsyncedChanges: boolean
  on(event: 'synced' | 'unsyncedChanges', listener: () => void): void
  destroy(): void
}
interface Peer {
  Document: new () => { getText(name: string): SharedText }
  Provider: new (options: object) => Provider
  Socket: new (options: object) => { destroy(): void }
}

/** One person types 50 words a second until the server is killed with SIGKILL; somebody new opens the document. */
export async function* killHocuspocus(kills: number): AsyncGenerator<{ accepted: number; lost: number }> {
  const folder = await installPeer({
    name: 'hocuspocus',
    dependencies: {
      '@hocuspocus/server': '3.4.4',
      '@hocuspocus/provider': '3.4.4',
      '@hocuspocus/extension-database': '3.4.4',
      yjs: '13.6.33',
      'y-protocols': '1.0.7',
      ws: '8.23.0',
    },
  })
  const require = createRequire(join(folder, 'package.json'))
  const { Doc } = require('yjs') as { Doc: Peer['Document'] }
  const { HocuspocusProvider, HocuspocusProviderWebsocket } = require('@hocuspocus/provider') as {
    HocuspocusProvider: Peer['Provider']
    HocuspocusProviderWebsocket: Peer['Socket']
  }
  const peer: Peer = { Document: Doc, Provider: HocuspocusProvider, Socket: HocuspocusProviderWebsocket }
  for (let kill = 0; kill < kills; kill += 1) {
    const store = await mkdtemp(join(tmpdir(), 'boxyard-bench-hocuspocus-'))
    try {
      const server = await start(folder, store)
      const accepted = await typeUntil(peer, server.port, delay(LIFE_MS * (1 + Math.random())))
      await server.kill()
      const again = await start(folder, store)
      const words = new Set((await read(peer, again.port)).split(';'))
      await again.kill()
      yield { accepted: accepted.length, lost: accepted.filter((word) => !words.has(word)).length }
    } finally {
      await rm(store, { recursive: true })
    }
  }
}

async function start(folder: string, store: string): Promise<{ port: number; kill(): Promise<void> }> {
  const program = fileURLToPath(new URL('../peerPrograms/hocuspocusServer.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, folder, store], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    port: Number(line.toString()),
    async kill() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Resolves with the words that the server had acknowledged when `end` came. */
async function typeUntil(peer: Peer, port: number, end: Promise<void>): Promise<string[]> {
  const { text, provider, close } = await open(peer, port)
  const typed: string[] = []
  let acknowledged = 0
  provider.on('unsyncedChanges', () => {
    if (!provider.hasUnsyncedChanges) acknowledged = typed.length
  })
  const typing = setInterval(() => {
    const word = `${typed.length}`
    typed.push(word)
    text.insert(0, `${word};`)
  }, EDIT_MS)
  await end
  clearInterval(typing)
  const accepted = typed.slice(0, acknowledged)
  close()
  return accepted
}

async function read(peer: Peer, port: number): Promise<string> {
  const { text, close } = await open(peer, port)
  const found = text.toString()
  close()
  return found
}

async function open(peer: Peer, port: number): Promise<{ text: SharedText; provider: Provider; close: () => void }> {
  const document = new peer.Document()
  const socket = new peer.Socket({ url: `ws://127.0.0.1:${port}`, WebSocketPolyfill: WebSocket })
  const provider = new peer.Provider({ websocketProvider: socket, name: 'document', document })
  const attach = (provider as unknown as { attach?: () => void }).attach
  attach?.call(provider)
  await new Promise<void>((resolve) => {
    if (provider.synced) resolve()
    provider.on('synced', resolve)
  })
  return {
    text: document.getText('text'),
    provider,
    close: () => {
      provider.destroy()
      socket.destroy()
    },
  }
}
