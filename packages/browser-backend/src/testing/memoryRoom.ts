import type { FromRoom, RoomPerson, ToRoom } from '@boxyard/api'
import { DocumentHistory, parseOperation } from '@boxyard/ot'
import type { RoomLink } from '../backend/room.ts'
import type { MemoryStorage } from './memoryStorage.ts'

interface Guest {
  person: RoomPerson
  say(message: FromRoom): void
  lost(): void
}

/** The platform's room in memory. Everything is said a turn later, as over a network. */
export class MemoryRoom {
  readonly #storage: MemoryStorage
  readonly #texts = new Map<string, DocumentHistory>()
  readonly #guests = new Set<Guest>()
  readonly #links = new Set<() => void>()
  readonly #channels = new Map<string, Set<Guest>>()
  #last = 0
  #isAway = false
  /** Takes what is sent and answers nothing, as when the connection is about to break. */
  isMute = false

  constructor(storage: MemoryStorage) {
    this.#storage = storage
  }

  textOf(title: string): string | undefined {
    const module = [...this.#storage.modules.values()].find((one) => one.title === title)
    return module && this.#texts.get(module.shortid)?.text
  }

  goAway(): void {
    this.#isAway = true
    for (const guest of this.#guests) this.#leave(guest)
  }

  comeBack(): void {
    this.#isAway = false
    this.isMute = false
    for (const join of this.#links) join()
  }

  /** Tells everybody of files, as when somebody changes them over REST. */
  tell(message: FromRoom): void {
    for (const { say } of this.#guests) say(message)
  }

  /** `id`: of the page, each time that it comes. */
  link(username = 'ada', id?: string): RoomLink {
    let guest: Guest | undefined
    let join: (() => void) | undefined
    return {
      begin: (events) => {
        join = () => {
          if (this.#isAway || (guest && this.#guests.has(guest))) return
          this.#last += 1
          const entered: Guest = {
            person: {
              id: id ?? `p${this.#last}`,
              username,
              name: username,
              avatarUrl: null,
              color: `#00000${this.#last}`,
            },
            say: (message) => queueMicrotask(() => this.#guests.has(entered) && events.message(message)),
            lost: () => queueMicrotask(() => events.lost()),
          }
          guest = entered
          const people = [...this.#guests].map(({ person }) => person)
          this.tell({ type: 'arrived', person: entered.person })
          this.#guests.add(entered)
          entered.say({ type: 'joined', self: entered.person, access: 'write', people })
          const unsaved = [...this.#texts].filter(([id, { text }]) => text !== this.#storage.modules.get(id)?.code)
          entered.say({ type: 'state', version: this.#storage.version, unsaved: unsaved.map(([id]) => id) })
        }
        this.#links.add(join)
        if (this.#isAway) queueMicrotask(() => events.lost())
        join()
      },
      send: (message) => {
        if (guest && this.#guests.has(guest)) this.#receive(message, guest)
      },
      close: () => {
        if (join) this.#links.delete(join)
        if (guest) this.#leave(guest)
      },
    }
  }

  #leave(guest: Guest): void {
    if (!this.#guests.delete(guest)) return
    for (const [channel, members] of this.#channels) if (members.delete(guest)) this.#tellMembers(channel)
    this.tell({ type: 'left', id: guest.person.id })
    guest.lost()
  }

  #tellMembers(channel: string): void {
    const members = [...(this.#channels.get(channel) ?? [])]
    for (const { say } of members) say({ type: 'members', channel, members: members.map(({ person }) => person.id) })
  }

  #hearChannel(message: Extract<ToRoom, { channel: string }>, guest: Guest): void {
    const { channel } = message
    const members = this.#channels.get(channel) ?? new Set()
    this.#channels.set(channel, members)
    if (message.type === 'say') {
      const said: FromRoom = { type: 'said', channel, from: guest.person.id, data: message.data }
      for (const one of members) if (one !== guest && (!message.to || message.to.includes(one.person.id))) one.say(said)
      return
    }
    if (message.type === 'enter') members.add(guest)
    else members.delete(guest)
    this.#tellMembers(channel)
  }

  #receive(message: ToRoom, guest: Guest): void {
    if ('channel' in message) return this.#hearChannel(message, guest)
    const { document } = message
    const module = this.#storage.modules.get(document)
    if (!module) return guest.say({ type: 'failed', document, of: 'open', message: 'This file is not there any more.' })
    const history = this.#texts.get(document) ?? new DocumentHistory({ text: module.code, revision: 0 })
    this.#texts.set(document, history)
    const { revision } = history
    const tellOthers = (told: FromRoom) => {
      for (const other of this.#guests) if (other !== guest) other.say(told)
    }
    switch (message.type) {
      case 'open': {
        const operations = message.since === undefined ? null : history.operationsSince(message.since)
        const state = operations
          ? {
              operations: operations.map((one) => ({
                ...one,
                operation: [...one.operation],
                author: one.author ?? null,
              })),
            }
          : { text: history.text, hasInFlight: false }
        return guest.say({ type: 'document', document, revision, state, selections: {} })
      }
      case 'operation': {
        const accepted = history.receive(parseOperation(message.operation), message.revision, message.author)
        if (this.isMute) return
        guest.say({ type: 'accepted', document, revision: accepted.revision })
        if (accepted.duplicate) return
        const operation = [...accepted.operation]
        return tellOthers({ type: 'operation', document, revision: accepted.revision, operation })
      }
      case 'select':
        return tellOthers({ type: 'selection', document, person: guest.person.id, selection: message.selection })
      case 'save':
        this.#storage.modules.set(document, { ...module, code: history.text })
        return this.tell({ type: 'saved', document, text: history.text })
    }
  }
}
