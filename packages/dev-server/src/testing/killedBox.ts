import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BoxDriver } from '@boxyard/boxes'
import { createBwrapDriver } from '@boxyard/boxes'
import { hasCode } from '../fs/errno.ts'
import { buildForTest } from './childServer.ts'
import { FileMaker } from './fileMaker.ts'
import { seeded } from './seeded.ts'
import { createTestBox, type TestBox } from './testBox.ts'
import { TestClient } from './testClient.ts'
import { checkText, Typist } from './typist.ts'

const ID = 'killed'
const FILE = 'shared.txt'
const TYPISTS = 4
/** The dev server is killed behind so many acknowledged keystrokes at most. */
const MOST_KEYSTROKES = 60

/** What one kill was like, for whoever was there. */
export interface Kill {
  /** Keystrokes and new files that were acknowledged since the kill before. */
  acknowledged: number
  /** Milliseconds from the end of a connection until its client has the text again from the dev server that was started again. */
  recovery: number
}

/**
 * A box whose dev server is killed with SIGKILL from a terminal in it, while four people type and save and one makes files; the keeper of
 * the box starts it again. Each kill is one of a run of its own, since a dev server that ends often is given rests. Every second run ends
 * by a kill of the whole box.
 */
export class KilledBox {
  readonly #driver: BoxDriver
  readonly #keys: TestBox
  readonly #random: () => number
  readonly #typists: Typist[]
  readonly #maker = new FileMaker()
  readonly #remove: () => Promise<void>
  #epoch = 0
  #fileId = ''

  private constructor(driver: BoxDriver, keys: TestBox, seed: number, remove: () => Promise<void>) {
    this.#driver = driver
    this.#keys = keys
    this.#remove = remove
    this.#random = seeded(seed)
    let next = 0x3400
    this.#typists = Array.from({ length: TYPISTS }, () => new Typist(this.#random, () => String.fromCharCode(next++)))
  }

  static async create(seed: number): Promise<KilledBox> {
    const root = await mkdtemp(join(tmpdir(), 'boxyard-killed-'))
    const program = await buildForTest()
    const keys = await createTestBox({ boxId: ID })
    const driver = await createBwrapDriver({
      home: join(root, 'home'),
      devServer: join(program.main, '..'),
      node: process.execPath,
      log: () => undefined,
    })
    const remove = async (): Promise<void> => {
      await driver.dispose()
      await Promise.all([keys.remove(), program.remove(), rm(root, { recursive: true, force: true })])
    }
    try {
      const folder = join(root, 'folder')
      await mkdir(folder)
      await writeFile(join(folder, FILE), 'start\n')
      await driver.create({
        id: ID,
        disk: { kind: 'folder', path: folder },
        tier: { cpu: 2, memory: 1024, disk: 4096 },
      })
    } catch (error) {
      await remove()
      throw error
    }
    return new KilledBox(driver, keys, seed, remove)
  }

  /** One more kill. Rejects when something acknowledged is lost, doubled or has come back. */
  async kill(): Promise<Kill> {
    this.#epoch += 1
    const { BOXYARD_PUBLIC_KEY = '', BOXYARD_PREVIEW_HOST = '' } = this.#keys.environment
    await this.#driver.start(ID, {
      epoch: this.#epoch,
      boot: this.#epoch === 1 ? 'CLEAN' : 'RESUME',
      env: { BOXYARD_PUBLIC_KEY, BOXYARD_PREVIEW_HOST, BOXYARD_START_TASKS: 'no' },
      egressSocket: null,
      onPhase: () => undefined,
    })
    const clients = await Promise.all(this.#typists.map((_, index) => this.#join(index)))
    // Before the kill for sure: a connection that is asked for later waits for the next dev server.
    const making = await this.#join(TYPISTS)
    const files = await this.#checkFiles(clients[0]!)
    this.#fileId = files.find(({ name }) => name === FILE)!.id
    await this.#takeUp(clients)
    const { shellId } = await clients[0]!.call('shell/create', { command: 'read go; kill -9 $PPID' })
    const before = this.#acknowledged

    const ended = clients[0]!.closed.then(() => performance.now())
    this.#killDuring(clients[0]!, shellId)
    await Promise.all([
      this.#maker.make(making),
      ...this.#typists.map((typist, index) => typist.type(clients[index]!, this.#fileId)),
      ...clients.map(({ closed }) => closed),
    ])
    for (const typist of this.#typists) typist.onAcknowledged = undefined

    const first = await this.#join(0)
    await first.call('file/open', { id: this.#fileId })
    const recovery = performance.now() - (await ended)
    const rest = await Promise.all(this.#typists.slice(1).map((_, index) => this.#join(index + 1)))
    const again = [first, ...rest]
    await this.#takeUp(again)
    await this.#checkFiles(first)
    await first.call('shell/terminate', { shellId })
    await Promise.all(again.map((client) => client.close()))
    await this.#driver.stop(ID, this.#epoch % 2 === 0 ? { graceMs: 0 } : {})
    return { acknowledged: this.#acknowledged - before, recovery }
  }

  remove(): Promise<void> {
    return this.#remove()
  }

  get #acknowledged(): number {
    return this.#maker.made.size + this.#typists.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
  }

  async #join(index: number): Promise<TestClient> {
    const reconnectToken = this.#typists[index]?.reconnectToken
    const token = await this.#keys.token({ username: `typist${index}`, epoch: this.#epoch })
    for (;;) {
      const connection = await this.#driver.connect(ID)
      // Nothing is heard any more of one that has broken already.
      if (connection.destroyed) continue
      try {
        return await TestClient.join(connection, token, {
          query: reconnectToken ? `&reconnectToken=${reconnectToken}` : '',
        })
      } catch (error) {
        // A dev server that is ending takes connections as long as its socket is not closed, and never answers them.
        if (!hasCode(error, 'ECONNRESET')) throw error
      }
    }
  }

  /** Everybody takes over what was missed and sees the one text, in which is what was acknowledged. */
  async #takeUp(clients: readonly TestClient[]): Promise<void> {
    let text = ''
    for (const [index, typist] of this.#typists.entries()) {
      text = String((await typist.attach(clients[index]!, this.#fileId)).content)
    }
    // Only now everybody knows whether what was in flight had arrived.
    checkText(text, this.#typists)
    for (const { document } of this.#typists) {
      if (document?.state === 'synchronized' && document.text !== text) throw new Error('Texts differ')
    }
  }

  async #checkFiles(client: TestClient): Promise<{ id: string; name?: string | undefined }[]> {
    const { treeNodes } = await client.call('fs/read', null)
    const mistakes = this.#maker.mistakesIn(treeNodes)
    if (mistakes.length > 0) throw new Error(mistakes.join(', '))
    return treeNodes
  }

  /** Saves, and then kills the dev server, behind random numbers of acknowledged keystrokes. */
  #killDuring(client: TestClient, shellId: string): void {
    const killAfter = 1 + Math.floor(this.#random() * MOST_KEYSTROKES)
    const saveAfter = Math.floor(this.#random() * MOST_KEYSTROKES)
    let count = 0
    for (const typist of this.#typists) {
      typist.onAcknowledged = () => {
        count += 1
        // Saves run into the kill as well; what they answer is of no interest here, and the kill itself is never answered for sure.
        if (count === saveAfter) client.call('file/save', { id: this.#fileId }).catch(() => undefined)
        if (count === killAfter) client.call('shell/in', { shellId, input: '\r' }).catch(() => undefined)
      }
    }
  }
}
