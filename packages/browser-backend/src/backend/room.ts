import type { FromRoom, RoomPerson, ToRoom } from '@boxyard/api'

import type { ChannelMessage } from './channels.ts'

/** The connection to the room of a sandbox. It connects again by itself. */
export interface RoomLink {
  /** Connects, and calls back from then on. */
  begin(events: { message(message: FromRoom): void; lost(): void }): void
  /** Sends, or loses the message where the connection is lost: whoever joins again asks for what they missed. */
  send(message: ToRoom): void
  close(): void
}

export interface RoomEvents {
  joined(): void
  lost(): void
  /** The version that the files have now, and texts with edits that are not saved. */
  state(version: number, unsaved: readonly string[]): void
  arrived(person: RoomPerson): void
  left(person: RoomPerson): void
  files(change: Extract<FromRoom, { type: 'files' }>): void
  document(message: DocumentMessage): void
  channel(message: ChannelMessage): void
  /** The sandbox has a machine now. Nobody comes back here. */
  converted(): void
}

export type DocumentMessage = Extract<FromRoom, { document: string }>

/** Everybody who has the sandbox open, and the texts that they edit, as this page is told of them. */
export class Room {
  readonly #link: RoomLink
  readonly #people = new Map<string, RoomPerson>()
  #events: RoomEvents | undefined
  #self: RoomPerson | null = null
  #isLost = false
  #isClosed = false
  /** Counts the connections: what was meant for an earlier one is not sent. */
  #session = 0

  constructor(link: RoomLink) {
    this.#link = link
  }

  begin(events: RoomEvents): void {
    this.#events = events
    this.#link.begin({ message: (message) => this.#receive(message), lost: () => this.#lost() })
  }

  /** Leaves for good. The others are told of as gone. */
  close(): void {
    this.#link.close()
    this.#lost()
    this.#isClosed = true
  }

  /** This page; null while it is not in the room. */
  get self(): RoomPerson | null {
    return this.#self
  }

  /** It was tried, or it was there, and there is no connection now. */
  get isLost(): boolean {
    return this.#isLost
  }

  get session(): number {
    return this.#session
  }

  /** The others. */
  get people(): Iterable<RoomPerson> {
    return this.#people.values()
  }

  person(id: string): RoomPerson | undefined {
    return this.#people.get(id)
  }

  send(message: ToRoom): void {
    if (this.#self) this.#link.send(message)
  }

  #receive(message: FromRoom): void {
    if (this.#isClosed) return
    const events = this.#events!
    switch (message.type) {
      case 'joined':
        this.#self = message.self
        this.#isLost = false
        this.#session += 1
        for (const person of message.people) this.#people.set(person.id, person)
        events.joined()
        for (const person of message.people) events.arrived(person)
        return
      case 'state':
        return events.state(message.version, message.unsaved)
      case 'arrived':
        this.#people.set(message.person.id, message.person)
        return events.arrived(message.person)
      case 'left': {
        const person = this.#people.get(message.id)
        this.#people.delete(message.id)
        if (person) events.left(person)
        return
      }
      case 'files':
        return events.files(message)
      case 'converted':
        this.close()
        return events.converted()
      case 'members':
      case 'said':
        return events.channel(message)
      default:
        events.document(message)
    }
  }

  #lost(): void {
    if (this.#isClosed) return
    this.#isLost = true
    this.#self = null
    const people = [...this.#people.values()]
    this.#people.clear()
    this.#events?.lost()
    for (const person of people) this.#events?.left(person)
  }
}
