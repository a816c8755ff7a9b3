import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startDevServer, type DevServer } from '../devServer.ts'
import { createLog } from '../log.ts'
import { seeded } from './seeded.ts'
import { createTestBox, type TestBox } from './testBox.ts'
import { TestClient } from './testClient.ts'
import { checkText, Typist } from './typist.ts'

const ROUNDS = 4
/** What those who type need. News of who is there would go to all groups, of which each is of interest to itself alone. */
const subscriptions = { file: { ot: true } }

/**
 * Groups of two to eight people, each group of a seed of its own and in a file of its own, all on one dev server at the same time. Their
 * connections break, the dev server restarts under those who wait for it; nothing acknowledged is lost, doubled or brought back.
 * Answers how much was acknowledged, by seed.
 */
export async function editInGroups(seeds: readonly number[]): Promise<Map<number, number>> {
  const box = await createTestBox({ startTasks: false })
  const start = (): Promise<DevServer> =>
    startDevServer(
      box.configuration,
      createLog(() => undefined),
    )
  const groups = seeds.map((seed) => new Group(seed, box))
  for (const group of groups) await writeFile(join(box.configuration.workspace, group.file), 'start\n')
  let server = await start()
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      await Promise.all(groups.map((group) => group.attach()))
      const waiting = groups.filter((group) => group.waitsForRestart())
      let [left, restarted] = [waiting.length, undefined as Promise<void> | undefined]
      const onEnough = (): void => {
        left -= 1
        if (left > 0) return
        restarted = server.stop().then(async () => {
          server = await start()
        })
      }
      await Promise.all(
        groups.map((group) => (waiting.includes(group) ? group.typeUntilRestart(onEnough) : group.typeUntilBroken())),
      )
      await restarted
      await server.whenReady
    }
    await Promise.all(groups.map((group) => group.attach()))
  } finally {
    await server.stop()
    await box.remove()
  }
  return new Map(groups.map((group) => [group.seed, group.acknowledged]))
}

class Group {
  readonly seed: number
  readonly file: string
  readonly #box: TestBox
  readonly #tokens: Promise<string>[]
  readonly #random: () => number
  readonly #typists: Typist[]
  #clients: TestClient[] = []
  #fileId = ''

  constructor(seed: number, box: TestBox) {
    this.seed = seed
    this.file = `shared-${seed}.txt`
    this.#box = box
    this.#random = seeded(seed)
    let next = 0x3400
    this.#typists = Array.from({ length: 2 + Math.floor(this.#random() * 7) }, () => {
      const own = seeded(Math.floor(this.#random() * 2 ** 32))
      return new Typist(own, () => String.fromCharCode(next++))
    })
    this.#tokens = this.#typists.map((_, index) =>
      box.token({
        username: `typist${index}`,
        sub: `user${index} of ${seed}`,
        exp: Math.floor(Date.now() / 1000) + 86_400,
      }),
    )
  }

  get acknowledged(): number {
    return this.#typists.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
  }

  waitsForRestart(): boolean {
    return this.#random() < 0.4
  }

  /** Everybody connects, takes over what was missed, and sees the one text. */
  attach(): Promise<void> {
    return this.#named(async () => {
      const { socket } = this.#box.configuration
      this.#clients = []
      for (const [index, typist] of this.#typists.entries()) {
        const query = typist.reconnectToken ? `&reconnectToken=${typist.reconnectToken}` : ''
        this.#clients.push(await TestClient.join(socket, await this.#tokens[index]!, { query, subscriptions }))
      }
      const { treeNodes } = await this.#clients[0]!.call('fs/read', null)
      this.#fileId = treeNodes.find(({ name }) => name === this.file)!.id
      let text = ''
      for (const [index, typist] of this.#typists.entries()) {
        text = String((await typist.attach(this.#clients[index]!, this.#fileId)).content)
      }
      checkText(text, this.#typists)
      for (const { document } of this.#typists) {
        if (document?.state === 'synchronized' && document.text !== text) throw new Error('Texts differ')
      }
    })
  }

  /** Each types until its own connection breaks, sooner or later. */
  typeUntilBroken(): Promise<void> {
    return this.#type((index) => {
      let left = 1 + Math.floor(this.#random() * 25)
      return () => {
        left -= 1
        if (left <= 0) this.#clients[index]!.socket.terminate()
      }
    })
  }

  /** Everybody types until the dev server goes. `onEnough` is called once, when it may. */
  typeUntilRestart(onEnough: () => void): Promise<void> {
    let left = 21 + Math.floor(this.#random() * 25)
    return this.#type(() => () => {
      left -= 1
      if (left === 0) onEnough()
    })
  }

  #type(countingFor: (index: number) => () => void): Promise<void> {
    return this.#named(async () => {
      const counting = this.#typists.map((_, index) => countingFor(index))
      await Promise.all(
        this.#typists.map(async (typist, index) => {
          typist.onAcknowledged = counting[index]
          await typist.type(this.#clients[index]!, this.#fileId)
          typist.onAcknowledged = undefined
        }),
      )
    })
  }

  async #named(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      throw new Error(`Seed ${this.seed}: ${String(error)}`, { cause: error })
    }
  }
}
