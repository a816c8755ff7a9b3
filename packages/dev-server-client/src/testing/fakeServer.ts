import { permissionsFor } from '@boxyard/protocol'
import type { DevServerClientOptions } from '../api.ts'
import { DevServerClient } from '../devServerClient.ts'
import { Emitter } from '../event.ts'
import { FakeClock, settled } from './fakeClock.ts'
import { FakeSocket } from './fakeSocket.ts'
import type { SentRequest } from './fakeSocket.ts'

export const HOLD = Symbol('no answer')

type Answer = (request: SentRequest, socket: FakeSocket) => unknown

/** Plays the host and the dev server for one client. A handler answers HOLD to leave a request unanswered, or throws to refuse it. */
export class FakeServer {
  readonly clock = new FakeClock()
  readonly sockets: FakeSocket[] = []
  readonly focus = new Emitter<void>()
  isFocused = true
  /** Whether sockets open by themselves. */
  isReachable = true
  clientId = 'me'
  resolveInstance: () => Promise<{
    id: string
    url: string
    token: string
    workspacePath: string
    bootType: 'RUNNING'
  }> = () =>
    Promise.resolve({
      id: 'box1',
      url: 'ws://app.test/box/box1',
      token: 'tok',
      workspacePath: '/project/workspace',
      bootType: 'RUNNING',
    })
  readonly answers: Record<string, Answer> = {
    'client/join': () => ({
      client: this.client(this.clientId),
      workspacePath: '/project/workspace',
      version: '0.400.0',
      protocolVersion: '0.367.10',
      latestPitcherVersion: '0.400.0',
      capabilities: { fs: { read: true }, git: null },
      permissions: permissionsFor('write'),
      isProtected: false,
      reconnectToken: `again${this.sockets.length}`,
    }),
    'client/list': () => [this.client(this.clientId)],
    'fs/read': () => ({ treeNodes: [{ id: '0', type: 1 }], clock: 0 }),
    'shell/list': () => ({ shells: [] }),
    'task/list': () => ({ tasks: {}, setupTasks: [], validationErrors: [] }),
    'setup/get': () => ({
      state: 'FINISHED',
      currentStepIndex: 0,
      steps: [{ name: 'Ready', command: '', shellId: null, finishStatus: 'SUCCEEDED' }],
    }),
    'port/list': () => ({ list: [] }),
  }

  client(clientId: string) {
    return { clientId, username: 'ada', name: 'Ada', avatarUrl: null, color: '#fff', appId: 'test' }
  }

  createClient(changes: Partial<DevServerClientOptions> = {}): DevServerClient {
    return new DevServerClient({
      appId: 'test',
      resolveInstance: () => this.resolveInstance(),
      createSocket: (url) => this.#accept(url),
      isFocused: () => this.isFocused,
      onDidFocus: this.focus.event,
      clock: this.clock,
      ...changes,
    })
  }

  /** A client that is joined and has read every area. */
  async connectedClient(changes?: Partial<DevServerClientOptions>): Promise<DevServerClient> {
    const client = this.createClient(changes)
    await client.connect()
    await settled()
    return client
  }

  get socket(): FakeSocket {
    return this.sockets.at(-1)!
  }

  /** Every request of one method on the present socket, the oldest first. */
  sent(method: string): SentRequest[] {
    return this.socket.requests.filter((request) => request.method === method)
  }

  last(method: string): SentRequest {
    const request = this.sent(method).at(-1)
    if (!request) throw new Error(`No ${method} was sent`)
    return request
  }

  #accept(url: string): FakeSocket {
    const socket = new FakeSocket(url)
    this.sockets.push(socket)
    socket.onRequest = (request) => queueMicrotask(() => this.#answer(request, socket))
    if (this.isReachable) queueMicrotask(() => socket.open())
    else queueMicrotask(() => socket.end(1006))
    return socket
  }

  #answer(request: SentRequest, socket: FakeSocket): void {
    if (socket.readyState !== 1) return
    const answer = this.answers[request.method]
    if (!answer) {
      socket.respond(request, null)
      return
    }
    try {
      const result = answer(request, socket)
      if (result !== HOLD) socket.respond(request, result)
    } catch (error) {
      const { code = 0, message, data } = error as { code?: number; message: string; data?: unknown }
      socket.refuse(request, code, message, data)
    }
  }
}
