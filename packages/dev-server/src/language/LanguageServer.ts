import { join, relative } from 'node:path'
import { languageOf, ProtocolError, type ServerId } from '@boxyard/protocol'
import type { Connection } from '../area.ts'
import type { Timers } from '../shell/Timers.ts'
import { LanguageProcess } from './LanguageProcess.ts'
import { projectScripts } from './projectScripts.ts'
import { PulledDiagnostics } from './PulledDiagnostics.ts'
import { ServedDocuments, type OpenTexts } from './ServedDocuments.ts'
import { adjustedResult, filePath, initializeParams, isRecord, type ServerProgram } from './serverPrograms.ts'
import { WatchedFiles, type OpenFolder } from './WatchedFiles.ts'

/** Changes of a text are passed on when typing pauses, or before the next request. */
const SYNC_MS = 50
/** A page that is loaded again finds its language server still there. */
const LINGER_MS = 60_000
/** A server that ends this often in this time is left alone until somebody initializes it again. */
const MAX_CRASHES = 5
const CRASH_WINDOW_MS = 3 * 60_000
/** What a client may take to answer a request of the server: a person may think about it. */
const CLIENT_ANSWER_MS = 10 * 60_000
/** Settings are asked for before other answers are given; a client that keeps silent has none. */
const CLIENT_SETTINGS_MS = 5000
const PUBLISH = 'textDocument/publishDiagnostics'
/** Type of a line of a server's log, above which it is no warning. */
const LOG_WARNING = 2

export interface LanguageServerOptions {
  serverId: ServerId
  /** Undefined when there is none any more. */
  program: () => ServerProgram | undefined
  workspace: string
  environment: Readonly<Record<string, string>>
  texts: OpenTexts
  files: OpenFolder & { filePaths(): string[] }
  /** Whether mistakes are kept back for now. */
  isHeld: () => boolean
  timers: Timers
  report: (error: unknown) => void
}

interface Registration {
  id: string
  method: string
}

/**
 * One language server for everybody in the box. The first `initialize` starts it; whoever initializes later is answered the same. What
 * it tells goes to all, and what it asks to the one who asked it last.
 */
export class LanguageServer {
  readonly #options: LanguageServerOptions
  /** The languages that each client initialized it for, in their order. */
  readonly #clients = new Map<Connection, Set<string>>()
  readonly #stale = new Set<string>()
  readonly #registrations = new Map<string, Registration>()
  readonly #asked = new Map<string, { connection: Connection; settle: (answer: unknown) => void }>()
  readonly #crashes: number[] = []
  /** What was told last of each address that has mistakes. */
  readonly #mistakes = new Map<string, unknown>()
  #program: ServerProgram | undefined
  #process: LanguageProcess | undefined
  #documents: ServedDocuments | undefined
  #initialized: Promise<unknown> | undefined
  #pulled: PulledDiagnostics | undefined
  #watched: WatchedFiles | undefined
  /** What it was initialized with first. */
  #given: unknown
  #lastRequester: Connection | undefined
  #nextId = 0
  #cancelSync: (() => void) | undefined
  #cancelLinger: (() => void) | undefined
  #forgetTexts: (() => void) | undefined
  #ending: Promise<void> = Promise.resolve()

  constructor(options: LanguageServerOptions) {
    this.#options = options
  }

  /** Answers a request of a client. Positions in it mean the texts as they are now. */
  async request(
    connection: Connection,
    languageId: string,
    message: { method: string; params?: unknown },
    abandoned: AbortSignal,
  ): Promise<unknown> {
    const { method, params } = message
    if (method === 'initialize') return this.#initialize(connection, languageId, params)
    if (method === 'shutdown' || method === 'exit') {
      this.detach(connection, languageId)
      return null
    }
    if (!this.#clients.get(connection)?.has(languageId)) throw notInitialized()
    if (isNotification(method)) {
      if (method === 'initialized') this.#welcome(connection, languageId)
      else if (!isOfFiles(method)) this.#process?.notify(method, params)
      return null
    }
    await this.#initialized
    const { timers } = this.#options
    const process = this.#process
    const documents = this.#documents
    if (!process || !documents) throw notInitialized()
    this.#lastRequester = connection
    this.#sync()
    const path = filePath(
      isRecord(params) && isRecord(params['textDocument']) ? params['textDocument']['uri'] : undefined,
    )
    const lent = path === undefined ? this.#scriptsFor(method, documents) : [path]
    const ask = (): Promise<unknown> => process.request(method, params, abandoned)
    const began = timers.now()
    try {
      return await documents.borrow(lent, ask)
    } catch (error) {
      // A server that crashed is there again at once; what only reads is asked once more.
      const isCrash = process !== this.#process && !abandoned.aborted && timers.now() - began < CRASH_WINDOW_MS
      if (!isCrash || method === 'workspace/executeCommand' || this.#process === undefined) throw error
      await this.#initialized
      const again = (): Promise<unknown> => this.#process!.request(method, params, abandoned)
      return this.#documents ? this.#documents.borrow(lent, again) : again()
    }
  }

  /** What a request about the whole workspace needs to be answered while nobody has a text of it open. */
  #scriptsFor(method: string, documents: ServedDocuments): string[] {
    if (method !== 'workspace/symbol') return []
    const { files, workspace, serverId } = this.#options
    const open = documents.openPaths().map((path) => relative(workspace, path))
    return projectScripts(files.filePaths(), open, serverId).map((path) => join(workspace, path))
  }

  /** A client's answer to a request of the server. */
  answer(connection: Connection, id: string | number, answer: { result?: unknown; error?: unknown }): void {
    const asked = this.#asked.get(String(id))
    if (asked?.connection !== connection) return
    this.#asked.delete(String(id))
    asked.settle(answer)
  }

  /** A client has left, or does without this language. */
  detach(connection: Connection, languageId?: string): void {
    const languages = this.#clients.get(connection)
    if (!languages) return
    if (languageId !== undefined) languages.delete(languageId)
    if (languageId === undefined || languages.size === 0) {
      this.#clients.delete(connection)
      if (this.#lastRequester === connection) this.#lastRequester = undefined
      for (const [id, asked] of this.#asked) {
        if (asked.connection !== connection) continue
        this.#asked.delete(id)
        asked.settle({ error: { message: 'The client has left' } })
      }
    }
    if (this.#clients.size > 0 || !this.#process) return
    this.#cancelLinger ??= this.#options.timers.after(LINGER_MS, () => {
      this.#cancelLinger = undefined
      this.stop().catch(this.#options.report)
    })
  }

  /** Goes on with a new process, where one runs. Clients stay initialized. */
  async restart(): Promise<void> {
    if (!this.#process) return
    await this.stop()
    this.#start()
    await this.#initialized
  }

  /** Other packages are installed: perhaps another program is the one for them, and not every program sees them by itself. */
  async packagesChanged(): Promise<void> {
    if (!this.#process) return
    const chosen = this.#options.program()
    if (chosen?.command !== this.#program?.command || this.#watched) await this.restart()
  }

  /** Mistakes are not kept back any more. */
  tellHeld(): void {
    for (const params of this.#mistakes.values()) this.#tell(PUBLISH, params)
  }

  /** Ends the process. The next `initialize` starts another one. */
  async stop(): Promise<void> {
    this.#cancelLinger?.()
    this.#cancelLinger = undefined
    this.#cancelSync?.()
    this.#cancelSync = undefined
    this.#forgetTexts?.()
    this.#forgetTexts = undefined
    this.#pulled?.dispose()
    this.#pulled = undefined
    this.#watched?.dispose()
    this.#watched = undefined
    const process = this.#process
    this.#process = undefined
    this.#documents = undefined
    this.#initialized = undefined
    this.#registrations.clear()
    if (process) this.#ending = process.end()
    await this.#ending
  }

  #initialize(connection: Connection, languageId: string, params: unknown): Promise<unknown> {
    this.#cancelLinger?.()
    this.#cancelLinger = undefined
    const languages = this.#clients.get(connection) ?? new Set()
    this.#clients.set(connection, languages.add(languageId))
    if (!this.#initialized) {
      this.#given = params
      this.#crashes.length = 0
      this.#start()
    }
    return this.#initialized!
  }

  #start(): void {
    const { workspace, environment, timers, texts, serverId, report } = this.#options
    const program = this.#options.program()
    if (!program) {
      this.#initialized = Promise.reject(new ProtocolError('FEATURE_UNAVAILABLE', `There is no ${serverId} any more`))
      this.#initialized.catch(() => undefined)
      return
    }
    const process = new LanguageProcess({
      command: program.command,
      arguments: program.arguments,
      cwd: workspace,
      environment,
      timers,
      onNotification: (method, params) => this.#tell(method, params),
      onRequest: (method, params) => this.#ask(method, params),
      onCrash: () => this.#crashed(process),
      report,
    })
    this.#program = program
    this.#process = process
    this.#mistakes.clear()
    const documents = new ServedDocuments(process, serverId, texts, workspace)
    this.#documents = documents
    this.#forgetTexts?.()
    this.#forgetTexts = texts.onText((path) => this.#textChanged(path))
    this.#pulled?.dispose()
    this.#watched?.dispose()
    if (program.capabilities) this.#serve(process, documents)
    const initialized = process
      .request('initialize', initializeParams(program, workspace, this.#given))
      .then((result) => {
        process.notify('initialized', {})
        documents.syncAll()
        this.#pulled?.changed(0)
        return adjustedResult(result)
      })
    // Whoever waits for it hears of a failure; nobody may be waiting.
    initialized.catch(() => undefined)
    this.#initialized = initialized
  }

  /** Is the eyes and the mouth of a server that has neither. */
  #serve(process: LanguageProcess, documents: ServedDocuments): void {
    const { timers, report, files } = this.#options
    const tell = (params: unknown): void => this.#tell(PUBLISH, params)
    const pulled = new PulledDiagnostics({ process, documents, timers, tell, report })
    this.#pulled = pulled
    this.#watched = new WatchedFiles({ files, timers }, (changes) => {
      process.notify('workspace/didChangeWatchedFiles', { changes })
      pulled.changed()
    })
  }

  #crashed(process: LanguageProcess): void {
    if (this.#process !== process) return
    this.#registrations.clear()
    const now = this.#options.timers.now()
    this.#crashes.push(now)
    const recent = this.#crashes.filter((at) => now - at < CRASH_WINDOW_MS)
    if (recent.length < MAX_CRASHES) this.#start()
    else {
      this.#process = undefined
      this.#documents = undefined
      this.#initialized = undefined
    }
  }

  #textChanged(path: string): void {
    if (languageOf(path)?.serverId !== this.#options.serverId) return
    this.#stale.add(path)
    this.#cancelSync ??= this.#options.timers.after(SYNC_MS, () => {
      this.#cancelSync = undefined
      this.#initialized
        ?.then(
          () => this.#sync(),
          () => undefined,
        )
        .catch(this.#options.report)
    })
  }

  #sync(): void {
    const paths = [...this.#stale]
    this.#stale.clear()
    for (const path of paths) this.#documents?.sync(path)
    if (paths.length > 0) this.#pulled?.changed()
  }

  #tell(method: string, params: unknown): void {
    // The diary of a server is for those who write it.
    if (method === 'window/logMessage' && isRecord(params) && Number(params['type']) > LOG_WARNING) return
    if (method === PUBLISH) {
      this.#keep(params)
      if (this.#options.isHeld()) return
    }
    const path = filePath(isRecord(params) ? params['uri'] : undefined)
    const languageId = path === undefined ? undefined : languageOf(path)?.languageId
    for (const [connection, languages] of this.#clients) {
      const own = languageId !== undefined && languages.has(languageId) ? languageId : [...languages][0]!
      this.#notify(connection, own, method, params)
    }
  }

  #keep(params: unknown): void {
    if (!isRecord(params) || typeof params['uri'] !== 'string' || !Array.isArray(params['diagnostics'])) return
    if (params['diagnostics'].length === 0) this.#mistakes.delete(params['uri'])
    else this.#mistakes.set(params['uri'], params)
  }

  #notify(connection: Connection, languageId: string, method: string, params: unknown): void {
    const { serverId } = this.#options
    connection.notify('language/lspNotification', { languageId, serverId, message: { method, params: params ?? null } })
  }

  #ask(method: string, params: unknown): Promise<unknown> {
    if (method === 'client/registerCapability') return this.#register(params)
    if (method === 'client/unregisterCapability') return this.#unregister(params)
    if (method === 'workspace/diagnostic/refresh') {
      this.#pulled?.changed()
      return Promise.resolve(null)
    }
    if (method === 'window/workDoneProgress/create') {
      for (const [connection, languages] of this.#clients) this.#forward(connection, [...languages][0]!, method, params)
      return Promise.resolve(null)
    }
    const connection = this.#lastRequester ?? [...this.#clients.keys()][0]
    if (!connection) return Promise.resolve(unasked(method, params))
    const languageId = [...this.#clients.get(connection)!][0]!
    return new Promise((resolve, reject) => {
      const id = this.#forward(connection, languageId, method, params)
      const isSettings = method === 'workspace/configuration'
      const stopTimer = this.#options.timers.after(isSettings ? CLIENT_SETTINGS_MS : CLIENT_ANSWER_MS, () => {
        this.#asked.delete(id)
        if (isSettings) resolve(unasked(method, params))
        else reject(new Error('The client did not answer'))
      })
      this.#asked.set(id, {
        connection,
        settle: (answer) => {
          stopTimer()
          const { result, error } = answer as { result?: unknown; error?: { message: string } }
          if (error) reject(new Error(error.message))
          else resolve(result ?? unasked(method, params))
        },
      })
    })
  }

  #forward(connection: Connection, languageId: string, method: string, params: unknown): string {
    const { serverId } = this.#options
    this.#nextId += 1
    const id = `${serverId}-${this.#nextId}`
    connection.notify('language/lspServerRequest', {
      languageId,
      serverId,
      message: { id, method, params: params ?? null },
    })
    return id
  }

  /** Everybody has to know, those who come later too. Parts of documents are not formatted. */
  #register(params: unknown): Promise<null> {
    const list =
      isRecord(params) && Array.isArray(params['registrations']) ? (params['registrations'] as Registration[]) : []
    const registrations = list.filter(({ method }) => method !== 'textDocument/rangeFormatting' && !isOfFiles(method))
    for (const registration of registrations) this.#registrations.set(registration.id, registration)
    if (registrations.length === 0) return Promise.resolve(null)
    for (const [connection, languages] of this.#clients) {
      this.#forward(connection, [...languages][0]!, 'client/registerCapability', { registrations })
    }
    return Promise.resolve(null)
  }

  #unregister(params: unknown): Promise<null> {
    const list =
      isRecord(params) && Array.isArray(params['unregisterations'])
        ? (params['unregisterations'] as Registration[])
        : []
    const known = list.filter(({ id }) => this.#registrations.delete(id))
    if (known.length === 0) return Promise.resolve(null)
    for (const [connection, languages] of this.#clients) {
      this.#forward(connection, [...languages][0]!, 'client/unregisterCapability', { unregisterations: known })
    }
    return Promise.resolve(null)
  }

  /** Tells somebody who has come what those who are there have heard. */
  #welcome(connection: Connection, languageId: string): void {
    const known = this.#options.isHeld() ? [] : this.#mistakes.values()
    for (const params of known) this.#notify(connection, languageId, PUBLISH, params)
    const registrations = [...this.#registrations.values()]
    if (registrations.length > 0) this.#forward(connection, languageId, 'client/registerCapability', { registrations })
  }
}

const otherNotifications: ReadonlySet<string> = new Set([
  'initialized',
  'exit',
  'textDocument/willSave',
  'window/workDoneProgress/cancel',
])

/** Messages that no language server answers. */
function isNotification(method: string): boolean {
  return method.startsWith('$/') || /\/did[A-Z]/.test(method) || otherNotifications.has(method)
}

/** The dev server knows texts and files itself and tells the server of them. */
function isOfFiles(method: string): boolean {
  return /^textDocument\/(did|willSave)/.test(method) || method === 'workspace/didChangeWatchedFiles'
}

function notInitialized(): ProtocolError {
  return new ProtocolError(-32_002, 'The language server is not initialized')
}

/** What is answered for a client that is not there, or has nothing to say. */
function unasked(method: string, params: unknown): unknown {
  if (method === 'workspace/configuration' && isRecord(params) && Array.isArray(params['items'])) {
    return params['items'].map(() => null)
  }
  if (method === 'workspace/applyEdit') return { applied: false }
  return null
}
