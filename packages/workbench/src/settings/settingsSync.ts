import {
  documentText,
  isSameDocument,
  mergeDocuments,
  parseDocument,
  valuesOf,
  withValues,
  type SettingsDocument,
  type SettingsValues,
} from './settingsDocument.ts'
import type { SettingsKeeper } from './settingsKeeper.ts'

/** What the editor has set. */
export interface LocalSettings {
  /** Whether this editor knows what the key means. */
  owns(key: string): boolean
  read(): Promise<SettingsValues>
  /** Sets what is given, and removes what is undefined. What the person has set since `known` was read stays. */
  write(changes: ReadonlyMap<string, string | undefined>, known: SettingsValues): Promise<void>
}

/** What this browser remembers about the settings of each person. */
export interface SettingsMemory {
  /** Whose settings the editor has. `isWhole` is false while they are being put in place of somebody else's. */
  owner(): { id: string; isWhole: boolean } | null
  setOwner(owner: { id: string; isWhole: boolean }): void
  document(owner: string): SettingsDocument | null
  setDocument(owner: string, document: SettingsDocument): void
}

/** Other windows may be writing; each attempt has read what they wrote. */
const ATTEMPTS = 5

/**
 * Brings what the editor has set together with what is kept for the person: of each key what was set last. Both sides may be changed
 * meanwhile, by other windows and other browsers.
 */
export class SettingsSync {
  readonly #keeper: SettingsKeeper
  readonly #local: LocalSettings
  readonly #memory: SettingsMemory
  readonly #now: () => number
  #running: Promise<void> = Promise.resolve()

  constructor(keeper: SettingsKeeper, local: LocalSettings, memory: SettingsMemory, now: () => number = Date.now) {
    this.#keeper = keeper
    this.#local = local
    this.#memory = memory
    this.#now = now
  }

  /** One after the other; resolves when this one is done. */
  run(): Promise<void> {
    const done = this.#running.then(() => this.#run())
    this.#running = done.catch(() => undefined)
    return done
  }

  async #run(): Promise<void> {
    const { owner } = this.#keeper
    const known = await this.#local.read()
    const mine = this.#absorb(known)
    const merged = await this.#exchange(mine, this.#memory.owner() ? new Map() : known)

    // A page that ends in between finds the editor's settings to be of nobody, and takes none of them for the person's own.
    if (this.#memory.owner()?.id !== owner) this.#memory.setOwner({ id: owner, isWhole: false })
    const wanted = valuesOf(merged)
    const changes = new Map<string, string | undefined>()
    for (const [key, value] of wanted) if (known.get(key) !== value && this.#local.owns(key)) changes.set(key, value)
    for (const key of known.keys()) if (!wanted.has(key)) changes.set(key, undefined)
    // Before they are remembered: what is remembered and not set would look like something that the person has removed.
    if (changes.size > 0) await this.#local.write(changes, known)
    this.#remember(owner, merged)
    this.#memory.setOwner({ id: owner, isWhole: true })
  }

  /** What the person has set in this browser, also while nobody listened. */
  #absorb(values: SettingsValues): SettingsDocument {
    const { owner } = this.#keeper
    const before = this.#memory.owner()
    const remembered = this.#memory.document(owner) ?? {}
    if (!before?.isWhole) return remembered
    const changed = withValues(this.#memory.document(before.id) ?? {}, values, this.#now(), (key) =>
      this.#local.owns(key),
    )
    this.#remember(before.id, changed)
    return before.id === owner ? changed : remembered
  }

  /** `left` was set by nobody with an account: it is kept where the account says nothing else. */
  async #exchange(mine: SettingsDocument, left: SettingsValues): Promise<SettingsDocument> {
    let merged = mine
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const kept = await this.#keeper.load()
      const theirs = kept ? parseDocument(kept.text) : {}
      merged = mergeDocuments(merged, theirs)
      const unsaid = [...left].filter(([key]) => merged[key] === undefined)
      merged = withValues(merged, new Map([...valuesOf(merged), ...unsaid]), this.#now())
      if (isSameDocument(merged, theirs)) return merged
      if (await this.#keeper.store(documentText(merged), kept?.version ?? null)) return merged
    }
    throw new Error('Other windows are changing the settings all the time')
  }

  /** Other windows of this browser remember too. */
  #remember(owner: string, document: SettingsDocument): void {
    this.#memory.setDocument(owner, mergeDocuments(this.#memory.document(owner) ?? {}, document))
  }
}
