import type { RawData, WebSocket } from 'ws'
import type { Channel, ChannelKind, ChannelReply } from './channel.ts'
import { decodeFrame, encodeFrame, encodeSubscriptionData } from './frames.ts'
import type { Frame, Serializer } from './frames.ts'

const MOST_CHANNELS = 50
/** Frames of one connection that are worked on at the same time. */
const MOST_AT_ONCE = 100
/** A reader that leaves more than this unread is let go; it comes back and subscribes again. */
const MOST_UNREAD_BYTES = 8 * 1024 * 1024

const INVALID_DATA = 1003
const TRY_AGAIN_LATER = 1013

export interface PhoenixConnectionOptions {
  socket: WebSocket
  serializer: Serializer
  userId: string
  kinds: readonly ChannelKind[]
  /** Hears of what failed for reasons of ours; the client is only told that it failed. */
  onFailure: (error: unknown) => void
}

interface Joined {
  joinRef: string | null
  channel: Channel
}

/** One client of the socket: its heartbeat, its joined channels and its answers. */
export class PhoenixConnection {
  readonly userId: string
  readonly #socket: WebSocket
  readonly #serializer: Serializer
  readonly #kinds: readonly ChannelKind[]
  readonly #onFailure: (error: unknown) => void
  readonly #channels = new Map<string, Joined>()
  #working = 0
  #closed = false
  /** Whether anything came since this was last looked at. */
  heard = true

  constructor({ socket, serializer, userId, kinds, onFailure }: PhoenixConnectionOptions) {
    this.userId = userId
    this.#socket = socket
    this.#serializer = serializer
    this.#kinds = kinds
    this.#onFailure = onFailure
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary))
    socket.on('close', () => this.#leaveAll())
    socket.on('error', () => socket.terminate())
  }

  end(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  /** For a connection whose other end is gone: nothing would answer a closing handshake. */
  terminate(): void {
    this.#socket.terminate()
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.heard = true
    const frame = isBinary ? null : decodeFrame(this.#serializer, String(data))
    if (!frame) return this.end(INVALID_DATA, 'The frame can not be read')
    if (this.#working >= MOST_AT_ONCE) return this.end(TRY_AGAIN_LATER, 'Too many requests at once')
    this.#working += 1
    this.#handle(frame)
      .then((reply) => reply && this.#reply(frame, reply))
      .catch((error: unknown) => {
        this.#onFailure(error)
        this.#crash(frame)
      })
      .finally(() => (this.#working -= 1))
  }

  async #handle(frame: Frame): Promise<ChannelReply | null> {
    const { topic, event, payload } = frame
    if (topic === 'phoenix') return event === 'heartbeat' ? { status: 'ok', response: {} } : unmatched()
    if (event === 'phx_join') return this.#join(frame)
    const joined = this.#channels.get(topic)
    if (!joined) return event === 'phx_leave' ? { status: 'ok', response: {} } : unmatched()
    if (event !== 'phx_leave') return joined.channel.receive(event, payload)
    this.#leave(topic)
    const afterwards = () =>
      this.#send({ joinRef: joined.joinRef, ref: joined.joinRef, topic, event: 'phx_close', payload: {} })
    return { status: 'ok', response: {}, afterwards }
  }

  async #join({ topic, joinRef }: Frame): Promise<ChannelReply> {
    this.#leave(topic)
    if (this.#channels.size >= MOST_CHANNELS) return { status: 'error', response: { reason: 'too many channels' } }
    const connection = {
      userId: this.userId,
      push: (event: string, payload: unknown) => this.#send({ joinRef: null, ref: null, topic, event, payload }),
      pushSubscriptionData: (id: string, json: string) =>
        this.#write(encodeSubscriptionData(this.#serializer, id, json)),
    }
    for (const kind of this.#kinds) {
      const answer = await kind(topic, connection)
      if (answer === null) continue
      if ('refused' in answer) return { status: 'error', response: answer.refused }
      this.#leave(topic)
      if (this.#closed) answer.channel.close()
      else this.#channels.set(topic, { joinRef, channel: answer.channel })
      return { status: 'ok', response: answer.response }
    }
    return unmatched()
  }

  #reply(frame: Frame, { status, response, afterwards }: ChannelReply): void {
    this.#send({ ...frame, event: 'phx_reply', payload: { status, response } })
    afterwards?.()
  }

  /** The client joins again after a while. */
  #crash({ topic, ref }: Frame): void {
    const joined = this.#channels.get(topic)
    this.#leave(topic)
    const joinRef = joined?.joinRef ?? null
    this.#send({ joinRef, ref: joinRef ?? ref, topic, event: 'phx_error', payload: {} })
  }

  #leave(topic: string): void {
    const joined = this.#channels.get(topic)
    if (!joined) return
    this.#channels.delete(topic)
    joined.channel.close()
  }

  #leaveAll(): void {
    this.#closed = true
    for (const topic of this.#channels.keys()) this.#leave(topic)
  }

  #send(frame: Frame): void {
    this.#write(encodeFrame(this.#serializer, frame))
  }

  #write(text: string): void {
    if (this.#closed) return
    this.#socket.send(text)
    if (this.#socket.bufferedAmount > MOST_UNREAD_BYTES) this.#socket.terminate()
  }
}

function unmatched(): ChannelReply {
  return { status: 'error', response: { reason: 'unmatched topic' } }
}
