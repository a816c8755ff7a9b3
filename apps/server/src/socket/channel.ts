/** What a channel answers to a frame. `afterwards` runs when the answer is on its way. */
export interface ChannelReply {
  status: 'ok' | 'error'
  response: unknown
  afterwards?: () => void
}

/** One joined topic of one connection. */
export interface Channel {
  /** Answers a frame; null for what needs no answer. */
  receive(event: string, payload: unknown): Promise<ChannelReply | null>
  close(): void
}

/** What a channel may do with the connection it belongs to. */
export interface ChannelConnection {
  readonly userId: string
  push(event: string, payload: unknown): void
  /** Sends a result of a subscription that is JSON already. */
  pushSubscriptionData(subscriptionId: string, resultJson: string): void
}

export type JoinAnswer = { channel: Channel; response: unknown } | { refused: { reason: string } }

/** Opens the channel of a topic, or null when the topic is not its own. */
export type ChannelKind = (topic: string, connection: ChannelConnection) => Promise<JoinAnswer> | null
