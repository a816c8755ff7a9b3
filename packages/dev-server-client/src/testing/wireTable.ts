import { DevServerClient } from '../devServerClient.ts'
import type { Instance, TextFile } from '../api.ts'
import type { WebSocketLike } from '../webSocketLike.ts'
import type { Author } from './author.ts'
import { FakeClock } from './fakeClock.ts'
import { Gate } from './gate.ts'
import { OwnershipRun, type Seat } from './ownershipRun.ts'

/** As many as edit together in one run, beside somebody who looks. */
const SEATS = 5
const FIRST_CHARACTER = 0x4e00

/** The dev server that a table stands at, and who sits there. */
export interface WireTableOptions {
  instance(name: string): Promise<Instance>
  /** Opens a connection; `end` loses it as a network does. */
  connect(url: string): { socket: WebSocketLike; end(): void }
  /** Somebody who edits a file. Without keys the file says where groups of edits end, if the author leaves that open. */
  author(file: TextFile, hasKeys: boolean): Author
}

interface Guest {
  client: DevServerClient
  gate: Gate
  reconnect(): Promise<void>
}

/**
 * People with connections of their own to one dev server, who edit one file after the other, a file for each seed. In Node or in a browser.
 */
export class WireTable {
  readonly #options: WireTableOptions
  readonly #observer: Guest
  readonly #guests: readonly Guest[]

  private constructor(options: WireTableOptions, observer: Guest, guests: readonly Guest[]) {
    this.#options = options
    this.#observer = observer
    this.#guests = guests
  }

  static async open(options: WireTableOptions): Promise<WireTable> {
    const names = ['observer', ...Array.from({ length: SEATS }, (_, index) => `author ${index}`)]
    const [observer, ...guests] = await Promise.all(names.map((name) => sit(options, name)))
    return new WireTable(options, observer!, guests)
  }

  /** @throws with the rule that is broken */
  async run(options: { seed: number; steps: number; breaks: boolean }): Promise<OwnershipRun> {
    const path = `${options.breaks ? 'breaks' : 'stays'}-${options.seed}.txt`
    let next = FIRST_CHARACTER
    const type = (count: number) => {
      const first = next
      next += count
      if (next >= 0xd800) throw new Error('The run is too long for characters that occur once.')
      return String.fromCharCode(...Array.from({ length: count }, (_, index) => first + index))
    }
    const content = new TextEncoder().encode(type(20))
    await this.#observer.client.fs.writeFile(path, content, { create: true, overwrite: true })
    const file = await openText(this.#observer, path)
    const seats: Seat[] = await Promise.all(
      this.#guests.map(async (guest, index) => {
        const opened = await openText(guest, path)
        const hasKeys = index !== 1 || options.seed % 7 !== 3
        return { ...guest, name: `author ${index}`, file: opened, author: this.#options.author(opened, hasKeys) }
      }),
    )
    const run = new OwnershipRun({ ...options, seats, observer: { file, gate: this.#observer.gate }, type })
    await run.run()
    for (const { author, file: opened } of seats) {
      author.dispose()
      opened.dispose()
    }
    file.dispose()
    return run
  }

  dispose(): void {
    for (const { client } of [this.#observer, ...this.#guests]) client.dispose()
  }
}

async function openText({ client, gate }: Guest, path: string): Promise<TextFile> {
  gate.followNext()
  const file = await client.files.open(path)
  if (file.kind !== 'text') throw new Error(`${path} is no text.`)
  return file
}

async function sit({ instance, connect }: WireTableOptions, name: string): Promise<Guest> {
  const gate = new Gate()
  const clock = new FakeClock()
  const client = new DevServerClient({
    appId: 'test',
    clock,
    resolveInstance: () => instance(name),
    // A lost connection stays lost until the run wants it back.
    isFocused: () => false,
    createSocket: (url) => {
      const { socket, end } = connect(url)
      return gate.wrap(socket, end)
    },
  })
  await client.connect()
  return {
    client,
    gate,
    reconnect: async () => {
      const connected = client.connection.reconnect()
      // A connection that was lost soon after it stood is not tried again at once.
      await clock.advance(500)
      await connected
    },
  }
}
