import { ClientDocument, type TextOperation } from '@boxyard/ot'
import { ProtocolError, savedHash, type FileObject } from '@boxyard/protocol'
import type { TestClient } from './testClient.ts'

/**
 * Somebody who types without pause and remembers what was acknowledged. Every insert is one character that occurs nowhere else, so
 * that it is clear afterwards whether it was lost, doubled or came back.
 */
export class Typist {
  readonly inserted = new Set<string>()
  readonly deleted = new Set<string>()
  acknowledged = 0
  onAcknowledged: (() => void) | undefined
  document: ClientDocument | undefined
  #client: TestClient | undefined
  #token = ''
  #inFlight: { character: string; kind: 'insert' | 'delete' } | undefined
  readonly #random: () => number
  readonly #nextCharacter: () => string

  constructor(random: () => number, nextCharacter: () => string) {
    this.#random = random
    this.#nextCharacter = nextCharacter
  }

  get reconnectToken(): string {
    return this.#token
  }

  /** Goes on at a server: takes over what it missed, and learns whether its last operation had arrived. */
  async attach(client: TestClient, fileId: string): Promise<FileObject> {
    this.#client = client
    this.#token = client.joined.reconnectToken
    client.onFrame = (message) => {
      if (message.kind !== 'notification' || message.message.method !== 'file/documentOperation') return
      const { operation } = message.message.params as { operation: TextOperation }
      this.document?.remote(operation)
    }
    const known = this.document
    const sinceRevision = known?.revision
    const file = await client.call('file/open', { id: fileId, ...(sinceRevision !== undefined && { sinceRevision }) })
    const { revision, replay } = file.document!
    if (!known) {
      this.document = new ClientDocument({ text: String(file.content), revision, client: client.clientId })
      return file
    }
    if (replay) {
      known.resync({
        operations: replay.map((one) => ({
          operation: one.operation,
          revision: one.revision,
          ...(one.own && known.inFlight && { author: { client: client.clientId, sequence: known.inFlight.sequence } }),
        })),
      })
    } else {
      // A text that was as saved when the last one left is forgotten by a restart: there was nothing in it to keep.
      const text = String(file.content)
      if (file.savedHash !== savedHash(text)) throw new Error('The server can not replay')
      known.resync({ text, revision, ...(this.#inFlight && { accepted: this.#hasArrived(this.#inFlight, text) }) })
    }
    if (!known.inFlight) this.#settled()
    return file
  }

  /** Types until the connection ends. */
  async type(client: TestClient, fileId: string): Promise<void> {
    const document = this.document!
    while (client === this.#client) {
      if (!document.inFlight) this.#edit(document)
      const outgoing = document.takeOutgoing()
      if (!outgoing) throw new Error('There is nothing to send')
      try {
        const { operation, revision } = outgoing
        const sent = client.call('file/documentOperation', { id: fileId, operation: [...operation], revision })
        await acknowledgedOnFrame(client, document, fileId, sent)
      } catch (error) {
        if (error instanceof ProtocolError) throw error
        if (client.failure !== undefined) throw client.failure
        document.beginResync()
        return
      }
      this.#settled()
    }
  }

  stop(): void {
    this.#client = undefined
  }

  /** Every character is inserted once, by this typist alone, who alone deletes it. */
  #hasArrived({ character, kind }: { character: string; kind: 'insert' | 'delete' }, text: string): boolean {
    return text.includes(character) === (kind === 'insert')
  }

  #edit(document: ClientDocument): void {
    const { length } = document
    const mine = [...this.inserted]
    const victim = this.#random() < 0.25 ? mine[Math.floor(this.#random() * mine.length)] : undefined
    const at = victim === undefined ? -1 : document.text.indexOf(victim)
    if (victim !== undefined && at >= 0) {
      document.local(trimmed([at, -1, length - at - 1]))
      this.#inFlight = { character: victim, kind: 'delete' }
      return
    }
    const character = this.#nextCharacter()
    const position = Math.floor(this.#random() * (length + 1))
    document.local(trimmed([position, character, length - position]))
    this.#inFlight = { character, kind: 'insert' }
  }

  #settled(): void {
    if (!this.#inFlight) return
    const { character, kind } = this.#inFlight
    this.#inFlight = undefined
    if (kind === 'insert') this.inserted.add(character)
    else {
      this.inserted.delete(character)
      this.deleted.add(character)
    }
    this.acknowledged += 1
    this.onAcknowledged?.()
  }
}

const trimmed = (operation: (number | string)[]): (number | string)[] => operation.filter((part) => part !== 0)

/** The acknowledgement takes its place among the notifications on the frame itself, as public clients do it. */
async function acknowledgedOnFrame(
  client: TestClient,
  document: ClientDocument,
  fileId: string,
  sent: Promise<unknown>,
): Promise<void> {
  const others = client.onFrame
  client.onFrame = (message) => {
    others?.(message)
    if (message.kind !== 'result' || message.message.method !== 'file/documentOperation') return
    const result = message.message.result as { id: string; revision: number }
    if (result.id === fileId) document.ack(result.revision)
  }
  try {
    await sent
  } finally {
    client.onFrame = others
  }
}

/** Everything acknowledged is in the text once, and nothing that was taken back. */
export function checkText(text: string, typists: readonly Typist[]): void {
  for (const typist of typists) {
    for (const character of typist.inserted) {
      const times = text.split(character).length - 1
      if (times !== 1) throw new Error(`U+${character.charCodeAt(0).toString(16)} is there ${times} times`)
    }
    for (const character of typist.deleted) {
      if (text.includes(character)) throw new Error(`U+${character.charCodeAt(0).toString(16)} has come back`)
    }
  }
}
