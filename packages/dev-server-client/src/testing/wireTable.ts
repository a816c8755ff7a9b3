import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { DevServerClient } from '../devServerClient.ts'
import type { TextFile } from '../api.ts'
import { StringAuthor } from './author.ts'
import { FakeClock } from './fakeClock.ts'
import { Gate } from './gate.ts'
import { OwnershipRun, type Seat } from './ownershipRun.ts'
import type { RealDevServer } from './realDevServer.ts'

/** As many as edit together in one run, beside somebody who looks. */
const SEATS = 5
const FIRST_CHARACTER = 0x4e00

interface Guest {
  client: DevServerClient
  gate: Gate
  reconnect(): Promise<void>
}

/** People with connections of their own to one dev server, who edit one file after the other, a file for each seed. */
export class WireTable {
  readonly #server: RealDevServer
  readonly #observer: Guest
  readonly #guests: readonly Guest[]

  private constructor(server: RealDevServer, observer: Guest, guests: readonly Guest[]) {
    this.#server = server
    this.#observer = observer
    this.#guests = guests
  }

  static async open(server: RealDevServer): Promise<WireTable> {
    const names = ['observer', ...Array.from({ length: SEATS }, (_, index) => `author ${index}`)]
    const [observer, ...guests] = await Promise.all(names.map((name) => sit(server, name)))
    return new WireTable(server, observer!, guests)
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
    await writeFile(join(this.#server.workspace, path), type(20))
    const file = await openText(this.#observer, path)
    const seats: Seat[] = await Promise.all(
      this.#guests.map(async (guest, index) => {
        const opened = await openText(guest, path)
        const hasKeys = index !== 1 || options.seed % 7 !== 3
        return { ...guest, name: `author ${index}`, file: opened, author: new StringAuthor(opened, hasKeys) }
      }),
    )
    const run = new OwnershipRun({ ...options, seats, observer: { file, gate: this.#observer.gate }, type })
    await run.run()
    for (const seat of [file, ...seats.map((one) => one.file)]) seat.dispose()
    return run
  }

  dispose(): void {
    for (const { client } of [this.#observer, ...this.#guests]) client.dispose()
  }
}

async function openText({ client }: Guest, path: string): Promise<TextFile> {
  const file = await client.files.open(path)
  if (file.kind !== 'text') throw new Error(`${path} is no text.`)
  return file
}

async function sit(server: RealDevServer, name: string): Promise<Guest> {
  const gate = new Gate()
  const clock = new FakeClock()
  const client = new DevServerClient({
    appId: 'test',
    clock,
    resolveInstance: () => server.instance(name),
    // A lost connection stays lost until the run wants it back.
    isFocused: () => false,
    createSocket: (url) => {
      const socket = new WebSocket(url)
      return gate.wrap(socket, () => socket.terminate())
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
