import type { DevServerClient } from '@boxyard/dev-server-client'
import { getService, IMarkerService, ITextModelService } from '@codingame/monaco-vscode-api'
import { ILanguageService } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/languages/language.service'
import { IModelService } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/services/model.service'
import { WorkspaceSymbolProviderRegistry } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/search/common/search'
import { languages, Uri, type IDisposable } from 'monaco-editor'
import { toMarkerData } from 'monaco-languageserver-types'
import type * as lsp from 'vscode-languageserver-protocol'
import { boxScheme } from '../files/boxUri.ts'
import { boxUri } from '../files/boxUri.ts'
import { LanguageConnection } from './languageConnection.ts'
import { registerProviders } from './languageProviders.ts'
import { workspaceSymbols } from './workspaceSymbols.ts'

const SERVER = { languageId: 'typescript', serverId: 'typescript' }
const LANGUAGES = ['typescript', 'typescriptreact', 'javascript', 'javascriptreact']

/** What this editor can show. */
const capabilities: lsp.ClientCapabilities = {
  workspace: {
    workspaceEdit: { documentChanges: true },
    symbol: { resolveSupport: { properties: ['location.range'] } },
  },
  textDocument: {
    completion: {
      completionItem: { snippetSupport: true, documentationFormat: ['markdown'], insertReplaceSupport: true },
      contextSupport: true,
    },
    hover: { contentFormat: ['markdown'] },
    signatureHelp: { signatureInformation: { documentationFormat: ['markdown'] }, contextSupport: true },
    definition: { linkSupport: true },
    typeDefinition: { linkSupport: true },
    implementation: { linkSupport: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    rename: { prepareSupport: true },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor', 'source'] } },
      resolveSupport: { properties: ['edit'] },
      dataSupport: true,
    },
    publishDiagnostics: { relatedInformation: true, tagSupport: { valueSet: [1, 2] } },
  },
}

/** Whether the dev server knows TypeScript and JavaScript. One that is older has no languages. */
export async function hasLanguageServer({ languages: known }: DevServerClient): Promise<boolean> {
  await known.ready
  return known.all.some(
    ({ id, languageServerIds }) => id === SERVER.languageId && languageServerIds.includes(SERVER.serverId),
  )
}

/**
 * Gives the editor what the language server of the dev server knows: mistakes, completions, places, renaming and the like. May be called
 * before the editor is up.
 */
export async function startLanguageServer(
  client: DevServerClient,
  {
    workspacePath,
    whenTold,
    report,
  }: { workspacePath: string; whenTold: (path: string) => Promise<void>; report: (error: unknown) => void },
): Promise<void> {
  const session = client.languages.connect(SERVER.languageId, SERVER.serverId)
  const server = new LanguageConnection(session, whenTold)
  const told = new Map<string, readonly lsp.Diagnostic[]>()
  let markers: IMarkerService | undefined
  const show = (uri: Uri) => {
    const shown = (told.get(uri.toString()) ?? []).map((one) => ({
      ...toMarkerData({ ...one, relatedInformation: [] }),
      resource: uri,
    }))
    markers?.changeOne(SERVER.serverId, uri, shown)
  }

  session.onNotification(({ method, params }) => {
    if (method !== 'textDocument/publishDiagnostics') return
    const { uri: address, diagnostics } = params as lsp.PublishDiagnosticsParams
    const uri = Uri.parse(address)
    if (diagnostics.length === 0) told.delete(uri.toString())
    else told.set(uri.toString(), diagnostics)
    show(uri)
  })

  let registered: IDisposable[] = []
  const offer = async (result: unknown) => {
    const { capabilities: offered } = result as lsp.InitializeResult
    for (const one of registered) one.dispose()
    const schemes = [boxScheme(), ...textSchemes(offered)]
    registered = [
      ...registerProviders({
        server,
        selector: LANGUAGES.flatMap((language) => schemes.map((scheme) => ({ language, scheme }))),
        capabilities: offered,
        diagnosticsOf: (uri) => told.get(uri.toString()) ?? [],
        registry: languages,
      }),
      ...symbolsOf(server, offered),
      ...(await Promise.all(schemes.slice(1).map((scheme) => contentsOf(scheme, server)))),
    ]
  }
  // The server knows clients by their connection; the session begins again with each.
  session.onDidInitializeAgain((result) => {
    if (markers) offer(result).catch(report)
  })
  const rootUri = boxUri(workspacePath).toString()
  const result = await session.request('initialize', {
    processId: null,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: 'workspace' }],
    capabilities,
    initializationOptions: { hostInfo: 'boxyard' },
  })
  await session.request('initialized', {})
  // The editor may not be up yet.
  markers = await getService(IMarkerService)
  for (const uri of told.keys()) show(Uri.parse(uri))
  await offer(result)
}

/** Finds names of the workspace, where the server does. */
function symbolsOf(
  server: LanguageConnection,
  { workspaceSymbolProvider: can }: lsp.ServerCapabilities,
): IDisposable[] {
  if (!can) return []
  const isResolved = typeof can === 'object' && can.resolveProvider === true
  const addressOf = (uri: string) => Uri.parse(uri)
  return [WorkspaceSymbolProviderRegistry.register(workspaceSymbols({ server, isResolved, addressOf }))]
}

/** The newest version of the protocol has texts that only the server knows, by the scheme of their addresses. */
function textSchemes({ workspace }: lsp.ServerCapabilities): string[] {
  return (workspace as { textDocumentContent?: { schemes: string[] } } | undefined)?.textDocumentContent?.schemes ?? []
}

/** Texts that no file system has, such as the declarations of packages, by the scheme of their addresses. */
async function contentsOf(scheme: string, server: LanguageConnection): Promise<IDisposable> {
  const [texts, models, known] = await Promise.all([
    getService(ITextModelService),
    getService(IModelService),
    getService(ILanguageService),
  ])
  return texts.registerTextModelContentProvider(scheme, {
    async provideTextContent(uri) {
      const shown = models.getModel(uri)
      if (shown) return shown
      const answer = await server.request<{ text: string }>('workspace/textDocumentContent', { uri: uri.toString() })
      const language = known.createByFilepathOrFirstLine(uri)
      return models.getModel(uri) ?? (answer && models.createModel(answer.text, language, uri))
    },
  })
}
