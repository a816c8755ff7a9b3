import type { NotificationName, NotificationParams } from '@boxyard/protocol'
import { permissionsFor } from '@boxyard/protocol'
import type { Connection, Connections } from '../area.ts'

interface Recorded {
  name: string
  params: unknown
}

/** A client that keeps what it was told, for tests of one area without the socket around it. */
export class RecordingConnection implements Connection {
  readonly client
  readonly access = 'write'
  readonly permissions = permissionsFor('write')
  readonly subscriptions
  readonly recorded: Recorded[] = []
  bufferedBytes = 0
  readonly #waiting = new Set<() => void>()
  #drain: (() => void) | undefined

  constructor(options: { clientId?: string; username?: string; appId?: string; isSubscribed?: boolean } = {}) {
    const { clientId = 'c1', username = 'ada', appId = 'test', isSubscribed = true } = options
    this.client = { clientId, username, name: username, avatarUrl: null, color: '#fff', appId }
    this.subscriptions = isSubscribed
      ? {
          shell: { status: true },
          port: { status: true },
          setup: { progress: true },
          system: { metrics: true },
        }
      : {}
  }

  notify<N extends NotificationName>(name: N, params: NotificationParams<N>): void {
    this.recorded.push({ name, params: structuredClone(params) })
    for (const check of this.#waiting) check()
  }

  drained(): Promise<void> {
    if (this.bufferedBytes === 0) return Promise.resolve()
    return new Promise((resolve) => (this.#drain = resolve))
  }

  /** Ends a stall that a test began by setting `bufferedBytes`. */
  drain(): void {
    this.bufferedBytes = 0
    this.#drain?.()
  }

  of<N extends NotificationName>(name: N): NotificationParams<N>[] {
    return this.recorded.filter((entry) => entry.name === name).map((entry) => entry.params as NotificationParams<N>)
  }

  /** Everything a shell sent, as one text. */
  output(shellId: string): string {
    return this.of('shell/out')
      .filter((frame) => frame.shellId === shellId)
      .map((frame) => frame.out)
      .join('')
  }

  /** Resolves with what `find` answers as soon as it answers something. */
  until<T>(find: () => T | undefined | false): Promise<T> {
    return new Promise((resolve) => {
      const check = (): void => {
        const found = find()
        if (found === undefined || found === false) return
        this.#waiting.delete(check)
        resolve(found)
      }
      this.#waiting.add(check)
      check()
    })
  }

  next<N extends NotificationName>(
    name: N,
    matches: (params: NotificationParams<N>) => boolean = () => true,
  ): Promise<NotificationParams<N>> {
    return this.until(() => this.of(name).find(matches))
  }

  untilOutput(shellId: string, part: string): Promise<string> {
    return this.until(() => {
      const text = this.output(shellId)
      return text.includes(part) && text
    })
  }
}

export function connectionsOf(
  ...members: Connection[]
): Connections & { add(connection: Connection): void; remove(connection: Connection): void } {
  const all = new Set(members)
  return {
    add: (connection) => all.add(connection),
    remove: (connection) => all.delete(connection),
    all: () => all,
    get: (clientId) => [...all].find((connection) => connection.client.clientId === clientId),
    broadcast(name, params, options) {
      for (const connection of all) {
        if (connection !== options?.except && (options?.only?.(connection) ?? true)) connection.notify(name, params)
      }
    },
  }
}
