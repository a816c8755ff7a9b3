import { MOST_CHANNEL_DATA, MOST_CHANNELS } from '@boxyard/api'
import type { FromRoom } from '@boxyard/api'
import { isSamePerson, ProtocolError } from '@boxyard/protocol'
import * as z from 'zod/mini'
import { parseJson } from '../common/parseJson.ts'
import type { Connection } from './connection.ts'
import type { Room } from './room.ts'

export type ChannelMessage = Extract<FromRoom, { channel: string }>

const dataSchema = z.record(z.string(), z.unknown())

/**
 * Channels in which clients talk to each other, those of this page at once and those of other pages through the room. There a page is one
 * member, whose id is that of its first client.
 */
export class Channels {
  readonly #room: () => Room
  /** Clients of this page, in the order they came. */
  readonly #channels = new Map<string, Set<Connection>>()
  /** Ids of other pages, in the order they came. */
  readonly #elsewhere = new Map<string, readonly string[]>()

  constructor(room: () => Room) {
    this.#room = room
  }

  subscribe(name: string, connection: Connection): { subscribers: string[] } {
    const here = this.#channels.get(name) ?? new Set()
    if (!here.has(connection)) {
      if (this.#channels.size >= MOST_CHANNELS && here.size === 0)
        throw new ProtocolError('RATE_LIMIT', `You are in ${MOST_CHANNELS} channels. Leave one and try again.`)
      this.#channels.set(name, here.add(connection))
      if (here.size === 1) this.#room().send({ type: 'enter', channel: name })
      this.#tell('channel/subscribed', name, connection.client.clientId, connection)
    }
    return { subscribers: this.#subscribers(name) }
  }

  unsubscribe(name: string, connection: Connection): void {
    const here = this.#find(name, connection)
    here.delete(connection)
    this.#tell('channel/unsubscribed', name, connection.client.clientId)
    if (here.size > 0) return
    this.#channels.delete(name)
    this.#elsewhere.delete(name)
    this.#room().send({ type: 'exit', channel: name })
  }

  say(
    { name, data, clients }: { name: string; data: Record<string, unknown>; clients?: readonly string[] | undefined },
    connection: Connection,
  ): { clients: string[] } {
    const here = this.#find(name, connection)
    const text = JSON.stringify(data)
    if (text.length > MOST_CHANNEL_DATA)
      throw new ProtocolError('INVALID_PARAMS', `A message may have ${MOST_CHANNEL_DATA} characters at most`)
    const chosen = clients && new Set(clients)
    const isMeant = (id: string) => !chosen || chosen.has(id)
    const { clientId, username } = connection.client
    const reached = [...here].filter((one) => one !== connection && isMeant(one.client.clientId))
    for (const one of reached)
      one.notify('channel/message', { name, clientId, isUser: isSamePerson(one.client.username, username), data })
    const pages = (this.#elsewhere.get(name) ?? []).filter(isMeant)
    if (pages.length > 0) this.#room().send({ type: 'say', channel: name, data: text, to: chosen ? pages : null })
    return { clients: [...reached.map(({ client }) => client.clientId), ...pages] }
  }

  left(connection: Connection): void {
    for (const [name, here] of this.#channels) if (here.has(connection)) this.unsubscribe(name, connection)
  }

  /** The room is there, and knows nothing of what this page was in before. */
  joined(): void {
    for (const channel of this.#channels.keys()) this.#room().send({ type: 'enter', channel })
  }

  lost(): void {
    for (const name of this.#elsewhere.keys()) this.#follow(name, [])
  }

  hear(message: ChannelMessage): void {
    const { channel: name } = message
    const here = this.#channels.get(name)
    // It was left meanwhile.
    if (!here) return
    if (message.type === 'members') {
      const self = this.#room().self?.id
      return this.#follow(
        name,
        message.members.filter((id) => id !== self),
      )
    }
    const { from } = message
    const sender = this.#room().person(from)
    const data = dataSchema.safeParse(parseJson(message.data))
    if (!sender || !data.success) return
    for (const one of here) {
      const isUser = isSamePerson(one.client.username, sender.username)
      one.notify('channel/message', { name, clientId: from, isUser, data: data.data })
    }
  }

  #follow(name: string, now: readonly string[]): void {
    const before = this.#elsewhere.get(name) ?? []
    this.#elsewhere.set(name, now)
    for (const id of before) if (!now.includes(id)) this.#tell('channel/unsubscribed', name, id)
    for (const id of now) if (!before.includes(id)) this.#tell('channel/subscribed', name, id)
  }

  #tell(
    method: 'channel/subscribed' | 'channel/unsubscribed',
    name: string,
    clientId: string,
    except?: Connection,
  ): void {
    const subscribers = this.#subscribers(name)
    for (const one of this.#channels.get(name) ?? [])
      if (one !== except) one.notify(method, { name, clientId, subscribers })
  }

  #subscribers(name: string): string[] {
    const here = [...(this.#channels.get(name) ?? [])].map(({ client }) => client.clientId)
    return [...here, ...(this.#elsewhere.get(name) ?? [])]
  }

  #find(name: string, connection: Connection): Set<Connection> {
    const here = this.#channels.get(name)
    if (!here?.has(connection)) throw new ProtocolError('CHANNEL_NOT_FOUND')
    return here
  }
}
