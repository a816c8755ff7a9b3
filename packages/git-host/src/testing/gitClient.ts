import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runGit } from '../git/runGit.ts'

/** A clone on disk, as a person at home has one. */
export class GitClient {
  readonly folder: string
  readonly #token: string | null

  constructor(token: string | null) {
    this.folder = mkdtempSync(join(tmpdir(), 'boxyard-clone-'))
    this.#token = token
  }

  /** What git wrote on its standard output. */
  async git(...args: string[]): Promise<string> {
    const basic = Buffer.from(`x-access-token:${this.#token}`).toString('base64')
    const header = this.#token === null ? [] : ['-c', `http.extraHeader=Authorization: Basic ${basic}`]
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.test', '-c', 'core.fsync=none']
    return (await runGit([...header, ...identity, ...args], { cwd: this.folder })).stdout.toString()
  }

  async init(remote: string): Promise<void> {
    await this.git('init', '--quiet', '--initial-branch=main')
    await this.git('remote', 'add', 'origin', remote)
  }

  async commit(message: string, files: Readonly<Record<string, string>>): Promise<string> {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true })
      writeFileSync(join(this.folder, path), content)
    }
    await this.git('add', '--all')
    await this.git('commit', '--quiet', '--message', message)
    return (await this.git('rev-parse', 'HEAD')).trim()
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
