import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { shellSizeSchema, shellStatuses } from '@boxyard/protocol'
import { z } from 'zod'
import { ScrollbackFile } from './ScrollbackFile.ts'
import type { Timers } from './Timers.ts'

/** What is kept of a shell across runs of the box, next to its scrollback. */
export const shellRecordSchema = z.object({
  shellId: z.string().regex(/^[\w-]{1,100}$/),
  shellType: z.enum(['TERMINAL', 'COMMAND']),
  name: z.string(),
  /** Run by bash; absent for an interactive shell. */
  command: z.string().optional(),
  cwd: z.string(),
  size: shellSizeSchema,
  /** Who made it, and with which program; empty for the dev server itself. */
  ownerUsername: z.string(),
  ownerAppId: z.string(),
  isSystemShell: z.boolean(),
  status: z.enum(shellStatuses),
  exitCode: z.number().int().optional(),
  /** Milliseconds since the epoch; the order of lists. */
  createdAt: z.number(),
})
export type ShellRecord = z.infer<typeof shellRecordSchema>

/** Where shells live between runs. */
export interface ShellStore {
  load(): Promise<ShellRecord[]>
  /** Resolves when the record would survive a kill of this process. Later calls win. */
  save(record: ShellRecord): Promise<void>
  remove(shellId: string): Promise<void>
  scrollback(shellId: string): ScrollbackFile
  /** Where a command leaves its exit code for a dev server whose child it is not. */
  exitCodePath(shellId: string): string
}

/** One JSON file and one or two scrollback files a shell, in `folder`. */
export class FileShellStore implements ShellStore {
  readonly #folder: string
  readonly #timers: Timers
  readonly #report: (error: unknown) => void
  readonly #work = new Map<string, Promise<void>>()

  constructor(folder: string, timers: Timers, report: (error: unknown) => void) {
    this.#folder = folder
    this.#timers = timers
    this.#report = report
  }

  async load(): Promise<ShellRecord[]> {
    await mkdir(this.#folder, { recursive: true })
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith('.json'))
    const records: ShellRecord[] = []
    for (const name of names) {
      try {
        records.push(shellRecordSchema.parse(JSON.parse(await readFile(join(this.#folder, name), 'utf8'))))
      } catch (error) {
        this.#report(new Error(`The shell record ${name} cannot be read and is left out`, { cause: error }))
      }
    }
    return records.toSorted((a, b) => a.createdAt - b.createdAt)
  }

  save(record: ShellRecord): Promise<void> {
    const text = JSON.stringify(record)
    return this.#enqueue(record.shellId, async () => {
      const path = this.#recordPath(record.shellId)
      await writeFile(`${path}.new`, text)
      await rename(`${path}.new`, path)
    })
  }

  remove(shellId: string): Promise<void> {
    return this.#enqueue(shellId, async () => {
      await Promise.all(
        [this.#recordPath(shellId), this.exitCodePath(shellId)].map((path) => rm(path, { force: true })),
      )
    })
  }

  scrollback(shellId: string): ScrollbackFile {
    return new ScrollbackFile(join(this.#folder, `${shellId}.log`), this.#timers, this.#report)
  }

  exitCodePath(shellId: string): string {
    return join(this.#folder, `${shellId}.exit`)
  }

  #recordPath(shellId: string): string {
    return join(this.#folder, `${shellId}.json`)
  }

  /** One write after the other for each shell, so that the last one wins on disk too. */
  #enqueue(shellId: string, work: () => Promise<void>): Promise<void> {
    const done = (this.#work.get(shellId) ?? Promise.resolve()).then(work, work)
    const settled = done.catch(() => undefined)
    this.#work.set(shellId, settled)
    void settled.then(() => {
      if (this.#work.get(shellId) === settled) this.#work.delete(shellId)
    })
    return done
  }
}
