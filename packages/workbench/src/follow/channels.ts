import type { Connection } from '@boxyard/dev-server-client'
import { z } from 'zod'

const path = z.string().min(1).max(4_000)
const line = z.int().min(1)

/** Where somebody is: what those who follow them are told. */
export const focusSchema = z.object({
  type: z.literal('FOCUS_FILE'),
  /** Relative to the workspace. */
  filepath: path,
  visibleLines: z.tuple([line, line]),
  currentLine: line,
})
export type Focus = z.infer<typeof focusSchema>

/** What one window of a person asks their other ones. */
export const commandSchema = z.object({ type: z.literal('OPEN_FILE'), filepath: path, currentLine: line })
export type WindowCommand = z.infer<typeof commandSchema>

/** The channel of those who follow a client. */
export function followChannel(clientId: string): string {
  return `follow-${clientId}`
}

/** The channel of all windows of one person. */
export function commandChannel(username: string): string {
  return `command-${username}`
}

export interface ChannelMessage {
  clientId: string
  isUser: boolean
  data: unknown
}

/** One subscription to a channel, repeated by whoever made it after a new join. */
export class Channel {
  readonly name: string
  readonly #connection: Connection
  readonly #subscriptions: { dispose(): void }[]
  #subscribers: readonly string[] = []

  constructor(options: {
    connection: Connection
    name: string
    onMessage(message: ChannelMessage): void
    onSubscribers(subscribers: readonly string[]): void
  }) {
    const { connection, name, onMessage, onSubscribers } = options
    this.name = name
    this.#connection = connection
    const changed = (change: { name: string; subscribers: readonly string[] }) => {
      if (change.name !== name) return
      this.#subscribers = change.subscribers
      onSubscribers(change.subscribers)
    }
    this.#subscriptions = [
      connection.onNotification('channel/subscribed', changed),
      connection.onNotification('channel/unsubscribed', changed),
      connection.onNotification('channel/message', (message) => {
        if (message.name === name) onMessage(message)
      }),
    ]
  }

  /** Everybody in it, oneself included. */
  get subscribers(): readonly string[] {
    return this.#subscribers
  }

  async join(): Promise<void> {
    const { subscribers } = await this.#connection.request('channel/subscribe', { name: this.name })
    this.#subscribers = subscribers
  }

  async send(data: Focus | WindowCommand): Promise<void> {
    await this.#connection.request('channel/message', { name: this.name, data })
  }

  async leave(): Promise<void> {
    this.close()
    // What a lost connection was subscribed to ended with it.
    if (this.#connection.state.kind === 'CONNECTED')
      await this.#connection.request('channel/unsubscribe', { name: this.name })
  }

  /** Stops listening. */
  close(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
  }
}
