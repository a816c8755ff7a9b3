import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { ProtocolError } from '@boxyard/protocol'
import type { Timers } from '../shell/Timers.ts'
import { inferTasks } from './inferTasks.ts'
import {
  CONFIGURATION_FILE,
  CONFIGURATION_FOLDER,
  parseTaskConfiguration,
  printTaskConfiguration,
} from './taskConfiguration.ts'
import type { ParsedConfiguration } from './taskConfiguration.ts'
import type { WatchFolder } from './watchFolder.ts'

/** An editor writes a file in several steps; it is read once they are over. */
const SETTLE_MS = 100

export interface TaskConfigurationFileDependencies {
  workspace: string
  watchFolder: WatchFolder
  timers: Timers
  report: (error: unknown) => void
}

/** The tasks.json of the workspace, or what is inferred from package.json while there is none. */
export class TaskConfigurationFile {
  readonly #dependencies: TaskConfigurationFileDependencies
  readonly #folder: string
  readonly #path: string
  #onChange: (configuration: ParsedConfiguration) => void = () => undefined
  #stopWorkspace: (() => void) | undefined
  #stopFolder: (() => void) | undefined
  #cancel: (() => void) | undefined
  #work: Promise<unknown> = Promise.resolve()

  constructor(dependencies: TaskConfigurationFileDependencies) {
    this.#dependencies = dependencies
    this.#folder = join(dependencies.workspace, CONFIGURATION_FOLDER)
    this.#path = join(this.#folder, CONFIGURATION_FILE)
  }

  /** Calls back after every change of the file or of what is inferred, own changes included. */
  watch(onChange: (configuration: ParsedConfiguration) => void): void {
    this.#onChange = onChange
    this.#watchConfigurationFolder()
    this.#stopWorkspace = this.#dependencies.watchFolder(this.#dependencies.workspace, (name) => {
      if (name === CONFIGURATION_FOLDER) this.#watchConfigurationFolder()
      this.#settle()
    })
  }

  async read(): Promise<ParsedConfiguration> {
    const text = await readIfThere(this.#path)
    return text === undefined ? this.#infer() : parseTaskConfiguration(text)
  }

  /** Writes what is inferred. Throws CONFIG_FILE_ALREADY_EXISTS. */
  generate(): Promise<void> {
    return this.#exclusively(async () => {
      if ((await readIfThere(this.#path)) !== undefined) throw new ProtocolError('CONFIG_FILE_ALREADY_EXISTS')
      await this.#write(printTaskConfiguration(await this.#infer()))
    })
  }

  /** Changes the text of the file, which begins as what was inferred when there is none. Throws when it is not readable. */
  change(edit: (text: string) => string): Promise<void> {
    return this.#exclusively(async () => {
      const text = (await readIfThere(this.#path)) ?? printTaskConfiguration(await this.#infer())
      const { isReadable, errors } = parseTaskConfiguration(text)
      if (!isReadable) {
        const path = `${CONFIGURATION_FOLDER}/${CONFIGURATION_FILE}`
        throw new ProtocolError('CRITICAL_ERROR', `${path} cannot be changed before it is repaired. ${errors[0] ?? ''}`)
      }
      await this.#write(edit(text))
    })
  }

  async dispose(): Promise<void> {
    this.#cancel?.()
    this.#stopFolder?.()
    this.#stopWorkspace?.()
    await this.#work
  }

  async #infer(): Promise<ParsedConfiguration> {
    const { workspace } = this.#dependencies
    const [packageJson, names] = await Promise.all([readIfThere(join(workspace, 'package.json')), readdir(workspace)])
    return { ...inferTasks(packageJson, new Set(names)), restartOn: {}, errors: [], isReadable: true }
  }

  /** Replaces the file in one step, on disk when it resolves. */
  async #write(text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    const next = `${this.#path}.new`
    const file = await open(next, 'w')
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(next, this.#path)
  }

  #exclusively(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(work)
    this.#work = done.catch(() => undefined)
    return done
  }

  #watchConfigurationFolder(): void {
    this.#stopFolder?.()
    this.#stopFolder = undefined
    try {
      this.#stopFolder = this.#dependencies.watchFolder(this.#folder, () => this.#settle())
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' && code !== 'ENOTDIR') this.#dependencies.report(error)
    }
  }

  #settle(): void {
    this.#cancel?.()
    this.#cancel = this.#dependencies.timers.after(SETTLE_MS, () => {
      this.read().then(this.#onChange, this.#dependencies.report)
    })
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}
