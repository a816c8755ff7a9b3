import type { LanguageService } from '@volar/language-service'
import type * as lsp from 'vscode-languageserver-protocol'
import { URI } from 'vscode-uri'
import { declaredDependencies } from '../common/projectManifest.ts'
import type { Dependencies } from '../common/projectManifest.ts'
import { ambientTypes } from './ambientTypes.ts'
import { LanguageFiles, PACKAGE_SCHEME, PROJECT } from './languageFiles.ts'
import { addressOf, isScript, typescriptService } from './typescriptService.ts'

/** A pause in typing, after which mistakes are looked for. */
const DIAGNOSE_MS = 300
/** A pause in editing package.json, after which the types of other dependencies are asked for. */
const TYPES_MS = 800

/** More than anybody reads. */
const MAX_SYMBOLS = 256

export const METHOD_NOT_FOUND = -32601

/** A request that could not be answered, in the numbers of the language server protocol. */
export class LanguageError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'LanguageError'
    this.code = code
  }
}

export interface LanguageServerOptions {
  /** The libraries of the language, by name. */
  libraries: Readonly<Record<string, string>>
  /** The declarations of packages, by path in node_modules. Rejects with what a person can read. */
  loadTypes(dependencies: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>>
  onNotification(method: string, params: unknown): void
  /** What a person should know. */
  onSaid(level: 'info' | 'warn', text: string): void
  timers?: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>
}

/** The texts that packages bring are asked for as the newest version of the protocol has it. */
type LanguageCapabilities = lsp.ServerCapabilities & { workspace: { textDocumentContent: { schemes: string[] } } }

type Handler = (params: never, service: LanguageService) => unknown

interface InDocument {
  textDocument: lsp.TextDocumentIdentifier
}
type AtPosition = InDocument & { position: lsp.Position }

/** What a client may ask about a text, and what answers it. */
const handlers: Readonly<Record<string, Handler>> = {
  'textDocument/completion': ({ textDocument, position, context }: lsp.CompletionParams, service) =>
    service.getCompletionItems(URI.parse(textDocument.uri), position, context),
  'completionItem/resolve': (item: lsp.CompletionItem, service) => service.resolveCompletionItem(item),
  'textDocument/hover': at((service) => service.getHover),
  'textDocument/definition': at((service) => service.getDefinition),
  'textDocument/typeDefinition': at((service) => service.getTypeDefinition),
  'textDocument/implementation': at((service) => service.getImplementations),
  'textDocument/documentHighlight': at((service) => service.getDocumentHighlights),
  'textDocument/prepareRename': at((service) => service.getRenameRange),
  'textDocument/references': ({ textDocument, position, context }: lsp.ReferenceParams, service) =>
    service.getReferences(URI.parse(textDocument.uri), position, context),
  'textDocument/rename': ({ textDocument, position, newName }: lsp.RenameParams, service) =>
    service.getRenameEdits(URI.parse(textDocument.uri), position, newName),
  'textDocument/signatureHelp': ({ textDocument, position, context }: lsp.SignatureHelpParams, service) =>
    service.getSignatureHelp(URI.parse(textDocument.uri), position, context),
  'textDocument/documentSymbol': ({ textDocument }: InDocument, service) =>
    service.getDocumentSymbols(URI.parse(textDocument.uri)),
  'workspace/symbol': ({ query }: lsp.WorkspaceSymbolParams, service) => projectSymbols(query, service),
  'textDocument/foldingRange': ({ textDocument }: InDocument, service) =>
    service.getFoldingRanges(URI.parse(textDocument.uri)),
  'textDocument/selectionRange': ({ textDocument, positions }: lsp.SelectionRangeParams, service) =>
    service.getSelectionRanges(URI.parse(textDocument.uri), positions),
  'textDocument/formatting': ({ textDocument, options }: lsp.DocumentFormattingParams, service) =>
    service.getDocumentFormattingEdits(URI.parse(textDocument.uri), options, undefined, undefined),
  'textDocument/codeAction': ({ textDocument, range, context }: lsp.CodeActionParams, service) =>
    service.getCodeActions(URI.parse(textDocument.uri), range, context),
  'codeAction/resolve': (action: lsp.CodeAction, service) => service.resolveCodeAction(action),
}

/** Names of the project itself: those of its packages and of the language are many, and nobody looks for them here. */
async function projectSymbols(query: string, service: LanguageService): Promise<lsp.WorkspaceSymbol[]> {
  const found = await service.getWorkspaceSymbols(query)
  return found.filter(({ location }) => URI.parse(location.uri).scheme !== PACKAGE_SCHEME).slice(0, MAX_SYMBOLS)
}

/** The most common question: what there is at a place in a text. */
function at(
  method: (service: LanguageService) => (uri: URI, position: lsp.Position) => unknown,
): (params: AtPosition, service: LanguageService) => unknown {
  return ({ textDocument, position }, service) => method(service)(URI.parse(textDocument.uri), position)
}

/** TypeScript and JavaScript of one project, in the words of the language server protocol. Files are told by whoever has them. */
export class LanguageServer {
  readonly #options: LanguageServerOptions
  readonly #files: LanguageFiles
  readonly #timers: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>
  #service: LanguageService | undefined
  #opened: readonly string[] = []
  /** Paths that mistakes were told of. */
  readonly #told = new Set<string>()
  #round = 0
  #diagnoseTimer: ReturnType<typeof setTimeout> | undefined
  #typesTimer: ReturnType<typeof setTimeout> | undefined
  #dependencies: string | undefined
  /** Without the types of packages nothing but the syntax can be judged. */
  #hasTypes = false

  constructor(options: LanguageServerOptions) {
    this.#options = options
    this.#files = new LanguageFiles(options.libraries)
    this.#timers = options.timers ?? globalThis
  }

  /** Files of the project by path in it; null for one that is gone. */
  change(changes: ReadonlyMap<string, string | null>): void {
    const before = this.#files.version
    this.#files.change(changes)
    if (this.#files.version === before || !this.#service) return
    this.#diagnoseLater()
    if (!changes.has('/package.json')) return
    this.#timers.clearTimeout(this.#typesTimer)
    this.#typesTimer = this.#timers.setTimeout(() => void this.#loadTypes(), TYPES_MS)
  }

  /** The files that people look at, by path in the project. Mistakes in them are told. */
  open(paths: readonly string[]): void {
    this.#opened = paths.map((path) => PROJECT + path)
    for (const path of this.#told) if (!this.#opened.includes(path)) this.#tell(path, [])
    if (this.#service) this.#diagnoseLater()
  }

  async request(method: string, params: unknown): Promise<unknown> {
    if (method === 'initialize') return this.#initialize(params as lsp.InitializeParams)
    if (method === 'workspace/textDocumentContent') return this.#content(params as { uri: string })
    const handler = handlers[method]
    if (!handler || !this.#service) throw new LanguageError(METHOD_NOT_FOUND, `${method} is not there`)
    return (await handler(params as never, this.#service)) ?? null
  }

  async #initialize({ capabilities }: lsp.InitializeParams): Promise<{ capabilities: LanguageCapabilities }> {
    if (!this.#service) {
      this.#service = typescriptService({
        files: this.#files,
        opened: () => this.#opened,
        clientCapabilities: capabilities,
      })
      await this.#loadTypes()
    }
    const { triggerCharacters, signatureHelpTriggerCharacters, signatureHelpRetriggerCharacters } = this.#service
    return {
      capabilities: {
        textDocumentSync: 0,
        completionProvider: { triggerCharacters, resolveProvider: true },
        signatureHelpProvider: {
          triggerCharacters: signatureHelpTriggerCharacters,
          retriggerCharacters: signatureHelpRetriggerCharacters,
        },
        hoverProvider: true,
        definitionProvider: true,
        typeDefinitionProvider: true,
        implementationProvider: true,
        referencesProvider: true,
        documentHighlightProvider: true,
        documentSymbolProvider: true,
        workspaceSymbolProvider: true,
        foldingRangeProvider: true,
        selectionRangeProvider: true,
        renameProvider: { prepareProvider: true },
        documentFormattingProvider: true,
        codeActionProvider: { resolveProvider: true },
        workspace: { textDocumentContent: { schemes: [PACKAGE_SCHEME] } },
      },
    }
  }

  #content({ uri }: { uri: string }): { text: string } {
    const { scheme, path } = URI.parse(uri)
    const text = scheme === PACKAGE_SCHEME ? this.#files.read(path) : undefined
    if (text === undefined) throw new LanguageError(METHOD_NOT_FOUND, `${path} is not there`)
    return { text }
  }

  async #loadTypes(): Promise<void> {
    const dependencies = this.#readDependencies()
    const key = JSON.stringify(dependencies)
    // Somebody is in the middle of editing package.json.
    if (dependencies === undefined || key === this.#dependencies) return
    this.#dependencies = key
    try {
      const types = Object.keys(dependencies).length === 0 ? {} : await this.#options.loadTypes(dependencies)
      // Others were asked for meanwhile.
      if (key !== this.#dependencies) return
      this.#hasTypes = true
      this.#files.setPackages({ ...types, ...ambientTypes(this.#said()) })
    } catch (error) {
      if (key !== this.#dependencies) return
      this.#dependencies = undefined
      const why = error instanceof Error ? error.message : String(error)
      this.#options.onSaid('warn', `The types of packages are not there, so only the syntax is checked. ${why}`)
    }
    this.#diagnoseLater()
  }

  #readDependencies(): Dependencies | undefined {
    const text = this.#files.read(`${PROJECT}/package.json`)
    return text === undefined ? {} : declaredDependencies(text)
  }

  /** What the project declares by itself. */
  #said(): string {
    return [...this.#files.project()]
      .filter((path) => path.endsWith('.d.ts') || /\/[jt]sconfig[\w.]*\.json$/.test(path))
      .map((path) => this.#files.read(path))
      .join('\n')
  }

  #diagnoseLater(): void {
    this.#round += 1
    this.#timers.clearTimeout(this.#diagnoseTimer)
    this.#diagnoseTimer = this.#timers.setTimeout(() => {
      this.#diagnose(this.#round).catch((error: unknown) =>
        this.#options.onSaid('warn', `Mistakes could not be looked for: ${String(error)}`),
      )
    }, DIAGNOSE_MS)
  }

  async #diagnose(round: number): Promise<void> {
    for (const path of this.#opened) {
      if (!isScript(path)) continue
      const found = (await this.#service?.getDiagnostics(addressOf(path))) ?? []
      // A newer round tells what is true now.
      if (round !== this.#round) return
      this.#tell(path, onceEach(this.#hasTypes ? found : found.filter(isOfSyntax)))
    }
  }

  #tell(path: string, diagnostics: readonly lsp.Diagnostic[]): void {
    if (diagnostics.length === 0 && !this.#told.delete(path)) return
    if (diagnostics.length > 0) this.#told.add(path)
    this.#options.onNotification('textDocument/publishDiagnostics', { uri: addressOf(path).toString(), diagnostics })
  }
}

/** Two parts of the compiler may find the same mistake. */
function onceEach(diagnostics: readonly lsp.Diagnostic[]): lsp.Diagnostic[] {
  const keyed = diagnostics.map(
    (one) => [JSON.stringify([one.code, one.range, one.severity, one.message]), one] as const,
  )
  return [...new Map(keyed).values()]
}

/** The numbers that the compiler gives to what is wrong with the syntax. */
const isOfSyntax = ({ code }: lsp.Diagnostic): boolean => Number(code) >= 1000 && Number(code) < 2000
