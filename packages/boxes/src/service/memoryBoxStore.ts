import type { BoxRecord, BoxStore } from './boxRecord.ts'

/** Records in memory, for tests and tools. They end with the process. */
export class MemoryBoxStore implements BoxStore {
  readonly #records = new Map<string, BoxRecord>()

  async load(id: string): Promise<BoxRecord | null> {
    const record = this.#records.get(id)
    return record === undefined ? null : structuredClone(record)
  }

  async save(record: BoxRecord): Promise<void> {
    this.#records.set(record.spec.id, structuredClone(record))
  }

  async list(): Promise<BoxRecord[]> {
    return [...this.#records.values()].map((record) => structuredClone(record))
  }

  async remove(id: string): Promise<void> {
    this.#records.delete(id)
  }
}
