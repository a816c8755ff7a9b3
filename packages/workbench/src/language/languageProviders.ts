import {
  fromCodeActionContext,
  fromCompletionContext,
  fromFormattingOptions,
  fromPosition,
  fromRange,
  fromSignatureHelpContext,
  toCodeAction,
  toCommand,
  toCompletionItem,
  toCompletionList,
  toDocumentHighlight,
  toDocumentSymbol,
  toFoldingRange,
  toHover,
  toLocation,
  toLocationLink,
  toRange,
  toSelectionRanges,
  toSignatureHelp,
  toTextEdit,
  toWorkspaceEdit,
} from 'monaco-languageserver-types'
import { Uri } from 'monaco-editor'
import type { CancellationToken, editor, IDisposable, languages, Position } from 'monaco-editor'
import type * as lsp from 'vscode-languageserver-protocol'
import type { LanguageConnection } from './languageConnection.ts'

/** What the editor registers; the parts of the editor that VS Code's own services are asked through. */
export type LanguageRegistry = Pick<typeof languages, Extract<keyof typeof languages, `register${string}Provider`>>

export interface ProviderOptions {
  server: LanguageConnection
  selector: languages.LanguageSelector
  capabilities: lsp.ServerCapabilities
  /** What the server last said about a text. */
  diagnosticsOf(uri: Uri): readonly lsp.Diagnostic[]
  registry: LanguageRegistry
}

const documentOf = (model: editor.ITextModel) => ({ textDocument: { uri: model.uri.toString() } })
const placeOf = (model: editor.ITextModel, position: Position) => ({
  ...documentOf(model),
  position: fromPosition(position),
})
/** Addresses made by the library are of another class than the editor's. */
const own = (uri: { toString(): string }): Uri => Uri.parse(uri.toString())

/** Lets the editor ask a language server for everything that the server says it can do. */
export function registerProviders({
  server,
  selector,
  capabilities,
  diagnosticsOf,
  registry,
}: ProviderOptions): IDisposable[] {
  const made: IDisposable[] = []
  const offer = (capability: unknown, register: () => IDisposable) => {
    if (capability !== undefined && capability !== null && capability !== false) made.push(register())
  }

  /** What an item was made of, for the rest of it that is asked for when somebody looks at it. */
  const items = new WeakMap<languages.CompletionItem, lsp.CompletionItem>()
  const completion = capabilities.completionProvider
  offer(completion, () =>
    registry.registerCompletionItemProvider(selector, {
      ...(completion?.triggerCharacters && { triggerCharacters: completion.triggerCharacters }),
      async provideCompletionItems(model, position, context, token) {
        const params = { ...placeOf(model, position), context: fromCompletionContext(context) }
        const found = await server.request<lsp.CompletionList | lsp.CompletionItem[]>(
          'textDocument/completion',
          params,
          token,
        )
        if (!found) return undefined
        const word = model.getWordUntilPosition(position)
        const { lineNumber } = position
        const range = {
          startLineNumber: lineNumber,
          startColumn: word.startColumn,
          endLineNumber: lineNumber,
          endColumn: position.column,
        }
        const list = Array.isArray(found) ? { isIncomplete: false, items: found } : found
        const shown = toCompletionList(list, { range }) as languages.CompletionList
        for (const [index, item] of shown.suggestions.entries()) items.set(item, list.items[index]!)
        return shown
      },
      async resolveCompletionItem(item, token) {
        const known = items.get(item)
        if (!known || completion?.resolveProvider !== true) return item
        const full = await server.request<lsp.CompletionItem>('completionItem/resolve', known, token)
        const range = 'replace' in item.range ? item.range.replace : item.range
        return full ? { ...item, ...(toCompletionItem(full, { range }) as languages.CompletionItem) } : item
      },
    }),
  )

  const signatures = capabilities.signatureHelpProvider
  offer(signatures, () =>
    registry.registerSignatureHelpProvider(selector, {
      signatureHelpTriggerCharacters: signatures?.triggerCharacters ?? [],
      signatureHelpRetriggerCharacters: signatures?.retriggerCharacters ?? [],
      async provideSignatureHelp(model, position, token, context) {
        const params = { ...placeOf(model, position), context: fromSignatureHelpContext(context) }
        const help = await server.request<lsp.SignatureHelp>('textDocument/signatureHelp', params, token)
        return help ? { value: toSignatureHelp(help), dispose: () => undefined } : undefined
      },
    }),
  )

  offer(capabilities.hoverProvider, () =>
    registry.registerHoverProvider(selector, {
      async provideHover(model, position, token) {
        const hover = await server.request<lsp.Hover>('textDocument/hover', placeOf(model, position), token)
        return hover ? (toHover(hover) as languages.Hover) : undefined
      },
    }),
  )

  type Locations = lsp.Location | lsp.Location[] | lsp.LocationLink[]
  const locations = async (method: string, params: object, token: CancellationToken) => {
    const found = await server.request<Locations>(method, params, token)
    return (Array.isArray(found) ? found : found ? [found] : []).map((one) => {
      const shown = 'targetUri' in one ? toLocationLink(one) : toLocation(one)
      return { ...shown, uri: own(shown.uri) } as languages.LocationLink
    })
  }
  offer(capabilities.definitionProvider, () =>
    registry.registerDefinitionProvider(selector, {
      provideDefinition: (model, position, token) =>
        locations('textDocument/definition', placeOf(model, position), token),
    }),
  )
  offer(capabilities.typeDefinitionProvider, () =>
    registry.registerTypeDefinitionProvider(selector, {
      provideTypeDefinition: (model, position, token) =>
        locations('textDocument/typeDefinition', placeOf(model, position), token),
    }),
  )
  offer(capabilities.implementationProvider, () =>
    registry.registerImplementationProvider(selector, {
      provideImplementation: (model, position, token) =>
        locations('textDocument/implementation', placeOf(model, position), token),
    }),
  )
  offer(capabilities.referencesProvider, () =>
    registry.registerReferenceProvider(selector, {
      provideReferences: (model, position, context, token) =>
        locations('textDocument/references', { ...placeOf(model, position), context }, token),
    }),
  )

  offer(capabilities.documentHighlightProvider, () =>
    registry.registerDocumentHighlightProvider(selector, {
      async provideDocumentHighlights(model, position, token) {
        const params = placeOf(model, position)
        const found = await server.request<lsp.DocumentHighlight[]>('textDocument/documentHighlight', params, token)
        return found?.map(toDocumentHighlight)
      },
    }),
  )
  offer(capabilities.documentSymbolProvider, () =>
    registry.registerDocumentSymbolProvider(selector, {
      async provideDocumentSymbols(model, token) {
        const found = await server.request<lsp.DocumentSymbol[] | lsp.SymbolInformation[]>(
          'textDocument/documentSymbol',
          documentOf(model),
          token,
        )
        return found?.flatMap((one) => ('range' in one ? [toDocumentSymbol(one) as languages.DocumentSymbol] : []))
      },
    }),
  )
  offer(capabilities.foldingRangeProvider, () =>
    registry.registerFoldingRangeProvider(selector, {
      async provideFoldingRanges(model, _context, token) {
        const found = await server.request<lsp.FoldingRange[]>('textDocument/foldingRange', documentOf(model), token)
        return found?.map(toFoldingRange)
      },
    }),
  )
  offer(capabilities.selectionRangeProvider, () =>
    registry.registerSelectionRangeProvider(selector, {
      async provideSelectionRanges(model, positions, token) {
        const params = { ...documentOf(model), positions: positions.map(fromPosition) }
        const found = await server.request<lsp.SelectionRange[]>('textDocument/selectionRange', params, token)
        return found?.map(toSelectionRanges)
      },
    }),
  )

  offer(capabilities.renameProvider, () =>
    registry.registerRenameProvider(selector, {
      async provideRenameEdits(model, position, newName, token) {
        const params = { ...placeOf(model, position), newName }
        const edit = await server.request<lsp.WorkspaceEdit>('textDocument/rename', params, token)
        return edit ? ownEdit(edit) : { edits: [], rejectReason: 'This can not be renamed.' }
      },
      async resolveRenameLocation(model, position, token) {
        const params = placeOf(model, position)
        const found = await server.request<{ range?: lsp.Range; placeholder?: string; message?: string } & lsp.Range>(
          'textDocument/prepareRename',
          params,
          token,
        )
        const range = found?.range ?? (found?.start ? found : undefined)
        if (!range) {
          const word = model.getWordAtPosition(position)
          const { lineNumber } = position
          const columns = { startColumn: word?.startColumn ?? 1, endColumn: word?.endColumn ?? 1 }
          const rejectReason = found?.message ?? 'This can not be renamed.'
          return {
            range: { startLineNumber: lineNumber, endLineNumber: lineNumber, ...columns },
            text: word?.word ?? '',
            rejectReason,
          }
        }
        const shown = toRange(range)
        return { range: shown, text: found?.placeholder ?? model.getValueInRange(shown) }
      },
    }),
  )

  const actions = new WeakMap<languages.CodeAction, lsp.CodeAction>()
  const codeActions = capabilities.codeActionProvider
  offer(codeActions, () =>
    registry.registerCodeActionProvider(selector, {
      async provideCodeActions(model, range, context, token) {
        const asked = fromRange(range)
        const diagnostics = diagnosticsOf(model.uri).filter(({ range: at }) => touches(at, asked))
        const params = {
          ...documentOf(model),
          range: asked,
          context: { ...fromCodeActionContext(context), diagnostics },
        }
        const found = await server.request<(lsp.CodeAction | lsp.Command)[]>('textDocument/codeAction', params, token)
        const shown = (found ?? []).map((one) => {
          // What is only a command needs nothing else.
          if (isCommand(one)) return { title: one.title, command: toCommand(one) } as languages.CodeAction
          const offered = {
            ...(toCodeAction(one) as languages.CodeAction),
            ...(one.edit && { edit: ownEdit(one.edit) }),
            ...(one.command && { command: toCommand(one.command) as languages.Command }),
          }
          actions.set(offered, one)
          return offered
        })
        return { actions: shown, dispose: () => undefined }
      },
      async resolveCodeAction(action, token) {
        const known = actions.get(action)
        if (!known || action.edit || typeof codeActions !== 'object' || codeActions.resolveProvider !== true)
          return action
        const full = await server.request<lsp.CodeAction>('codeAction/resolve', known, token)
        return full?.edit ? { ...action, edit: ownEdit(full.edit) } : action
      },
    }),
  )

  offer(capabilities.documentFormattingProvider, () =>
    registry.registerDocumentFormattingEditProvider(selector, {
      displayName: 'TypeScript',
      async provideDocumentFormattingEdits(model, options, token) {
        const params = { ...documentOf(model), options: fromFormattingOptions(options) }
        const edits = await server.request<lsp.TextEdit[]>('textDocument/formatting', params, token)
        return edits?.map(toTextEdit)
      },
    }),
  )
  return made
}

/** A change of several files, in the editor's own classes. */
function ownEdit(edit: lsp.WorkspaceEdit): languages.WorkspaceEdit {
  const { edits } = toWorkspaceEdit(edit)
  return {
    edits: edits.map((one) =>
      // The server has the text as it is: there is no other version it could mean.
      'textEdit' in one ? { ...one, resource: own(one.resource), versionId: undefined } : one,
    ) as languages.WorkspaceEdit['edits'],
  }
}

const isCommand = (one: lsp.CodeAction | lsp.Command): one is lsp.Command => typeof one.command === 'string'

function touches(a: lsp.Range, b: lsp.Range): boolean {
  const isBefore = (one: lsp.Position, other: lsp.Position) =>
    one.line < other.line || (one.line === other.line && one.character < other.character)
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start)
}
