import { mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { readJson, syncFolder, writeDurably } from '../durableFile.ts'
import type { BoxRecord, BoxStore } from '../service/boxRecord.ts'

/** Only its dates need care; the rest is written by the service alone. */
const recordSchema = z.looseObject({ lastError: z.looseObject({ at: z.coerce.date() }).nullable() })

/** Records as one file a box, for tests that kill the server which keeps them. */
export class FileBoxStore implements BoxStore {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async load(id: string): Promise<BoxRecord | null> {
    return (await readJson(this.#file(id), recordSchema)) as BoxRecord | null
  }

  async save(record: BoxRecord): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    await writeDurably(this.#file(record.spec.id), JSON.stringify(record))
  }

  async list(): Promise<BoxRecord[]> {
    await mkdir(this.#folder, { recursive: true })
    const ids = (await readdir(this.#folder)).filter((name) => name.endsWith('.json'))
    const records = await Promise.all(ids.map((name) => this.load(name.slice(0, -'.json'.length))))
    return records.filter((record) => record !== null)
  }

  async remove(id: string): Promise<void> {
    await rm(this.#file(id), { force: true })
    await syncFolder(this.#folder)
  }

  #file(id: string): string {
    return path.join(this.#folder, `${id}.json`)
  }
}
