import { knows, listLanguages, ProtocolError } from '@boxyard/protocol'
import type { Language } from '@boxyard/protocol'
import type { Connection } from './connection.ts'
import type { LanguagePort, OpenLanguage } from './languagePort.ts'

const SERVER = 'typescript'
/** Who has no preview open waits this long. */
const PATIENCE_MS = 4000
/** As the language server protocol numbers it. */
const NOT_INITIALIZED = -32002

/** These change what the server is for everybody, or have it change files: nothing for those who may only read. */
const WRITING: ReadonlySet<string> = new Set(['workspace/executeCommand', 'workspace/didChangeConfiguration'])
/** Documents are kept in step by the back end: what a client says of them is heard and not passed on. */
const NOTIFICATION = /^(?:initialized|exit|\$\/.*|textDocument\/did.*|workspace\/did.*|window\/.*)$/

export interface LanguageAreaOptions {
  open: OpenLanguage
  /** Every text of the project as it is edited, by path in it. */
  texts(): Iterable<readonly [string, string]>
  /** Paths of the texts that editors have open. */
  openPaths(): readonly string[]
  /** The text of one file of the project as it is edited. */
  textOf(path: string): string | undefined
  /** Where the workspace is, for addresses of files. */
  workspace: string
  onSaid(level: 'info' | 'warn', text: string): void
  timers: Pick<typeof globalThis, 'setTimeout'>
}

/** The language server of a sandbox. It begins when somebody asks for it, and not before the preview has had the processor for itself. */
export class LanguageArea {
  readonly #options: LanguageAreaOptions
  /** The languages that each client initialized it for. */
  readonly #clients = new Map<Connection, Set<string>>()
  #port: LanguagePort | undefined
  #initialized: Promise<unknown> | undefined
  #previewed: () => void = () => undefined
  readonly #whenPreviewed: Promise<void>

  constructor(options: LanguageAreaOptions) {
    this.#options = options
    this.#whenPreviewed = new Promise((resolve) => (this.#previewed = resolve))
  }

  list(): { languages: Language[] } {
    return { languages: listLanguages(new Set([SERVER])) }
  }

  /** There is a first preview, or a mistake in place of it. */
  previewed(): void {
    this.#previewed()
  }

  async request(
    { languageId, serverId, message }: { languageId: string; serverId: string; message: LanguageMessage },
    connection: Connection,
  ): Promise<unknown> {
    if (serverId !== SERVER || !knows(SERVER, languageId))
      throw new ProtocolError('FEATURE_UNAVAILABLE', `There is no server ${serverId} for ${languageId}`)
    const { method, params } = message
    if (WRITING.has(method) && !connection.permissions.language.lspWrite) throw new ProtocolError('NO_ACCESS')
    if (method === 'initialize') {
      this.#clients.set(connection, (this.#clients.get(connection) ?? new Set()).add(languageId))
      this.#initialized ??= this.#start(params)
      return this.#initialized
    }
    if (method === 'shutdown') {
      this.#clients.delete(connection)
      return null
    }
    if (!this.#clients.get(connection)?.has(languageId))
      throw new ProtocolError(NOT_INITIALIZED, 'Initialize the language server first')
    if (NOTIFICATION.test(method)) return null
    await this.#initialized
    this.#catchUp(params)
    return this.#port!.request(method, params)
  }

  /** Texts of the project changed; null for one that is gone. */
  change(changes: ReadonlyMap<string, string | Uint8Array | null>): void {
    if (!this.#port) return
    const texts = [...changes].filter((change): change is [string, string | null] => !(change[1] instanceof Uint8Array))
    if (texts.length > 0) this.#port.change(new Map(texts))
  }

  /** Editors opened or left a file. */
  openedChanged(): void {
    this.#port?.opened(this.#options.openPaths())
  }

  left(connection: Connection): void {
    this.#clients.delete(connection)
  }

  moved(api: string): void {
    this.#port?.moved(api)
  }

  async #start(params: unknown): Promise<unknown> {
    const { open, texts, onSaid, timers } = this.#options
    timers.setTimeout(this.#previewed, PATIENCE_MS)
    await this.#whenPreviewed
    this.#port = open({
      files: new Map(texts()),
      onNotification: (method, told) => {
        for (const [connection, ids] of this.#clients)
          for (const languageId of ids)
            connection.notify('language/lspNotification', {
              languageId,
              serverId: SERVER,
              message: { method, params: told },
            })
      },
      onSaid,
    })
    this.openedChanged()
    return this.#port.request('initialize', params)
  }

  /** A question is about texts as their editors have them, which is told elsewhere only when it is on the device's disk. */
  #catchUp(params: unknown): void {
    const { openPaths, textOf } = this.#options
    const uri = (params as { textDocument?: { uri?: unknown } } | undefined)?.textDocument?.uri
    // What names no text may be about each of them.
    const paths = uri === undefined ? openPaths() : this.#insideOf(uri)
    const changes = new Map<string, string>()
    for (const path of paths) {
      const text = textOf(path)
      if (text !== undefined) changes.set(path, text)
    }
    if (changes.size > 0) this.#port!.change(changes)
  }

  /** The path in the project that an address means, if it does. */
  #insideOf(uri: unknown): string[] {
    const { workspace } = this.#options
    if (typeof uri !== 'string' || !uri.startsWith('file:///') || !URL.canParse(uri)) return []
    const path = decodeURIComponent(new URL(uri).pathname)
    return path.startsWith(`${workspace}/`) ? [path.slice(workspace.length)] : []
  }
}

export interface LanguageMessage {
  method: string
  params?: unknown
}
