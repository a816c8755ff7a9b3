import { readFile, realpath } from 'node:fs/promises'
import { languageOf, type ServerId } from '@boxyard/protocol'
import type { LanguageProcess } from './LanguageProcess.ts'
import { fileUri } from './serverPrograms.ts'
import { textChange } from './textChange.ts'

/** Larger files are left to the editor: no language server is of help with them. */
const MAX_LENGTH = 5_000_000

/** The texts that people have open, as the dev server has them. */
export interface OpenTexts {
  /** Undefined when nobody has it open. */
  textAt(path: string): string | undefined
  openPaths(): Iterable<string>
  /** Called when the text of a path changed, or it was opened or closed. The answer ends it. */
  onText(listener: (path: string) => void): () => void
}

/** Keeps one process of a language server in step with the texts. Positions in a request mean the text that it has then. */
export class ServedDocuments {
  readonly #process: LanguageProcess
  readonly #serverId: ServerId
  readonly #texts: OpenTexts
  readonly #served = new Map<string, { text: string; version: number }>()

  readonly #workspace: string

  constructor(process: LanguageProcess, serverId: ServerId, texts: OpenTexts, workspace: string) {
    this.#workspace = workspace
    this.#process = process
    this.#serverId = serverId
    this.#texts = texts
  }

  /** Tells the process of everything that is open. */
  syncAll(): void {
    for (const path of this.#texts.openPaths()) this.sync(path)
  }

  /** What the process knows and people have open. */
  openPaths(): string[] {
    return [...this.#served.keys()].filter((path) => this.#texts.textAt(path) !== undefined)
  }

  /** Makes what the process knows of a path the text that is open now. */
  sync(path: string): void {
    const language = languageOf(path)
    if (language?.serverId !== this.#serverId) return
    const text = this.#texts.textAt(path)
    if (text === undefined || text.length > MAX_LENGTH) this.#close(path)
    else this.#serve(path, language.languageId, text)
  }

  /** Gives the process files of the workspace that nobody has open, for one request. */
  async borrow<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
    const lent: string[] = []
    try {
      for (const path of paths) if (await this.#lend(path)) lent.push(path)
      return await work()
    } finally {
      for (const path of lent) if (this.#texts.textAt(path) === undefined) this.#close(path)
    }
  }

  async #lend(path: string): Promise<boolean> {
    const language = languageOf(path)
    this.sync(path)
    if (this.#served.has(path) || language?.serverId !== this.#serverId) return false
    const real = await realpath(path).catch(() => '')
    if (!real.startsWith(`${await realpath(this.#workspace)}/`)) return false
    const text = await readFile(path, 'utf8').catch(() => null)
    if (text === null || text.length > MAX_LENGTH || this.#served.has(path)) return false
    this.#serve(path, language.languageId, text)
    return true
  }

  #serve(path: string, languageId: string, text: string): void {
    const known = this.#served.get(path)
    const uri = fileUri(path)
    if (!known) {
      this.#served.set(path, { text, version: 1 })
      this.#process.notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } })
      return
    }
    const change = textChange(known.text, text)
    if (!change) return
    known.text = text
    known.version += 1
    const textDocument = { uri, version: known.version }
    this.#process.notify('textDocument/didChange', { textDocument, contentChanges: [change] })
  }

  #close(path: string): void {
    if (!this.#served.delete(path)) return
    this.#process.notify('textDocument/didClose', { textDocument: { uri: fileUri(path) } })
  }
}
