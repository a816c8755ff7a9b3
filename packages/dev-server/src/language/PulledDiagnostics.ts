import { ProtocolError } from '@boxyard/protocol'
import type { Timers } from '../shell/Timers.ts'
import type { LanguageProcess } from './LanguageProcess.ts'
import type { ServedDocuments } from './ServedDocuments.ts'
import { fileUri, isRecord } from './serverPrograms.ts'

/** Mistakes are asked for when typing pauses this long. */
const PAUSE_MS = 150
/** What a server answers that was told something newer meanwhile: RequestCancelled, ServerCancelled and ContentModified. */
const outdated: ReadonlySet<number> = new Set([-32_800, -32_802, -32_801])

export interface PulledDiagnosticsOptions {
  process: Pick<LanguageProcess, 'request'>
  documents: Pick<ServedDocuments, 'openPaths'>
  timers: Timers
  tell: (params: { uri: string; diagnostics: unknown[] }) => void
  report: (error: unknown) => void
}

/** Asks a server that does not tell mistakes by itself, for everybody at once. */
export class PulledDiagnostics {
  readonly #options: PulledDiagnosticsOptions
  /** What was told of each address, as JSON. */
  readonly #told = new Map<string, string>()
  #cancel: (() => void) | undefined
  #isAsking = false
  #isStale = false
  #isOver = false

  constructor(options: PulledDiagnosticsOptions) {
    this.#options = options
  }

  /** Something that mistakes depend on is another. */
  changed(pauseMs = PAUSE_MS): void {
    this.#isStale = true
    if (this.#isAsking || this.#isOver) return
    this.#cancel?.()
    this.#cancel = this.#options.timers.after(pauseMs, () => {
      this.#isAsking = true
      this.#ask()
        .catch(this.#options.report)
        .finally(() => {
          this.#isAsking = false
          if (this.#isStale) this.changed()
        })
    })
  }

  dispose(): void {
    this.#isOver = true
    this.#cancel?.()
  }

  async #ask(): Promise<void> {
    this.#isStale = false
    const { documents, process } = this.#options
    const open = new Set([...documents.openPaths()].map((path) => fileUri(path)))
    for (const uri of this.#told.keys()) if (!open.has(uri)) this.#tell(uri, [])
    for (const uri of open) {
      try {
        const answer = await process.request('textDocument/diagnostic', { textDocument: { uri } })
        if (isRecord(answer) && Array.isArray(answer['items'])) this.#tell(uri, answer['items'])
      } catch (error) {
        // A process that ended begins anew with everything.
        if (error instanceof ProtocolError && error.codeName === 'CRITICAL_ERROR') return
        if (error instanceof ProtocolError && outdated.has(error.code)) this.#isStale = true
        else this.#options.report(error)
      }
    }
    for (const uri of this.#told.keys()) if (!open.has(uri)) this.#told.delete(uri)
  }

  #tell(uri: string, diagnostics: unknown[]): void {
    const json = JSON.stringify(diagnostics)
    if (this.#isOver || this.#told.get(uri) === json) return
    this.#told.set(uri, json)
    this.#options.tell({ uri, diagnostics })
  }
}
