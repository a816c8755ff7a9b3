import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename } from 'node:fs/promises'
import path from 'node:path'
import { isMissing } from './durableFile.ts'
import { hostPath, tryCommand } from './runCommand.ts'

/**
 * Removes big trees without making anyone wait: a tree is first renamed into the trash, which is instant, and deleted in the
 * background. What a crash leaves in the trash is deleted at the next start.
 */
export class Trash {
  readonly #folder: string
  readonly #pending = new Set<string>()
  #emptying: Promise<void> | null = null
  #child: ChildProcess | null = null
  #closed = false

  /** `folder` must be on the same file system as what is thrown away. */
  constructor(folder: string) {
    this.#folder = folder
  }

  async open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(this.#folder)) this.#pending.add(name)
    this.#start()
  }

  /** Resolves when `tree` is gone from its place. Nothing happens when there is none. */
  async throwAway(tree: string): Promise<void> {
    const name = randomBytes(8).toString('hex')
    try {
      await rename(tree, path.join(this.#folder, name))
    } catch (error) {
      if (isMissing(error)) return
      throw error
    }
    this.#pending.add(name)
    this.#start()
  }

  /** Resolves when everything thrown away so far is deleted. */
  async emptied(): Promise<void> {
    while (this.#emptying !== null) await this.#emptying
  }

  /** Stops deleting; the rest waits for the next start. */
  async close(): Promise<void> {
    this.#closed = true
    this.#child?.kill('SIGKILL')
    await this.emptied()
  }

  #start(): void {
    this.#emptying ??= this.#empty().finally(() => {
      this.#emptying = null
      if (this.#pending.size > 0 && !this.#closed) this.#start()
    })
  }

  async #empty(): Promise<void> {
    for (const name of this.#pending) {
      if (this.#closed) return
      const tree = path.join(this.#folder, name)
      if (!(await this.#remove(tree)) && !this.#closed) {
        // Folders without write permission stop a user who is not root.
        await tryCommand('chmod', ['-R', 'u+rwX', '--', tree])
        await this.#remove(tree)
      }
      this.#pending.delete(name)
    }
  }

  #remove(tree: string): Promise<boolean> {
    return new Promise((resolve) => {
      const child = spawn('nice', ['rm', '-rf', '--', tree], { stdio: 'ignore', env: { PATH: hostPath() } })
      this.#child = child
      const done = (ok: boolean): void => {
        this.#child = null
        resolve(ok)
      }
      child.once('error', () => done(false))
      child.once('close', (code) => done(code === 0))
    })
  }
}
