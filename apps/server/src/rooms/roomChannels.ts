import { MOST_CHANNELS } from '@boxyard/api'
import type { ToRoom } from '@boxyard/api'
import type { Visitor } from './sandboxRoom.ts'

export type ChannelRequest = Extract<ToRoom, { channel: string }>

/** Names under which pages of a sandbox hear each other: following, and commands between windows of one person. */
export class RoomChannels {
  /** Pages in the order they came. */
  readonly #channels = new Map<string, Set<Visitor>>()

  receive(message: ChannelRequest, visitor: Visitor): void {
    const { type, channel } = message
    const members = this.#channels.get(channel)
    if (type === 'enter') return this.#enter(channel, visitor)
    // Whoever has just been taken out may not have heard of it.
    if (!members?.has(visitor)) return
    if (type === 'exit') return this.#exit(channel, members, visitor)
    const { data, to } = message
    const chosen = to && new Set(to)
    for (const { person, send } of members)
      if (person !== visitor.person && (!chosen || chosen.has(person.id)))
        send({ type: 'said', channel, from: visitor.person.id, data })
  }

  leave(visitor: Visitor): void {
    for (const [channel, members] of this.#channels) if (members.has(visitor)) this.#exit(channel, members, visitor)
  }

  #enter(channel: string, visitor: Visitor): void {
    const members = this.#channels.get(channel) ?? new Set()
    // A page of ours asks for no more than that: one page can't fill the memory with names.
    if (this.#countOf(visitor) >= MOST_CHANNELS) return
    this.#channels.set(channel, members.add(visitor))
    this.#tell(channel, members)
  }

  #exit(channel: string, members: Set<Visitor>, visitor: Visitor): void {
    members.delete(visitor)
    if (members.size === 0) this.#channels.delete(channel)
    this.#tell(channel, members)
  }

  #countOf(visitor: Visitor): number {
    let count = 0
    for (const members of this.#channels.values()) if (members.has(visitor)) count += 1
    return count
  }

  #tell(channel: string, members: ReadonlySet<Visitor>): void {
    const ids = [...members].map(({ person }) => person.id)
    for (const { send } of members) send({ type: 'members', channel, members: ids })
  }
}
