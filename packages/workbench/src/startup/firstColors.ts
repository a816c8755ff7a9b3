import { getService, IModelService } from '@codingame/monaco-vscode-api'
import { MetadataConsts } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/encodedTokenAttributes'
import { Range } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/core/range'
import { TokenizationRegistry } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/languages'
import { TextModel } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/model/textModel'
import { SparseMultilineTokens } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/tokens/sparseMultilineTokens'
import { isBoxUri } from '../files/boxUri.ts'
import type { FirstText } from '../index.ts'
import { coloredRuns } from './coloredRuns.ts'

/**
 * Gives the editor of the first text the colors that the page showed, until the grammar of its language is there: to compile one takes
 * longer than everything else that a colored text waits for. They are laid over the text as tokens of a language server would be, so that
 * they move with what is typed and outlive that the language is found.
 */
export async function keepFirstColors(first: FirstText, workspacePath: string): Promise<void> {
  if (first.lines.length === 0) return
  const models = await getService(IModelService)
  const path = `${workspacePath}/${first.path}`
  const isWanted = (model: unknown): model is TextModel =>
    model instanceof TextModel && isBoxUri(model.uri) && model.uri.path === path
  const present = models.getModels().find(isWanted)
  if (present) {
    color(present, first)
    return
  }
  const added = models.onModelAdded((model) => {
    if (!isWanted(model)) return
    added.dispose()
    color(model, first)
  })
}

function color(model: TextModel, first: FirstText): void {
  const { tokenization } = model
  const hasItsText = () => model.getLinesContent().join('\n') === first.base
  if (tokenization.hasTokens) return
  let shown = metadataOf(first.colors)
  let tokens: SparseMultilineTokens | undefined
  let isOurs = false
  /** The language whose grammar has colored all of it. */
  let language: string | undefined
  const stop = () => {
    for (const subscription of subscriptions) subscription.dispose()
  }
  const set = (next: SparseMultilineTokens | undefined) => {
    tokens = next
    isOurs = true
    // Complete: the editor takes others away 100 ms after it was scrolled or typed into, where no language has any.
    tokenization.setSemanticTokens(tokens ? [tokens] : null, tokens !== undefined)
    isOurs = false
  }
  const show = () => {
    const before = shown
    shown = metadataOf(first.colors)
    if (!tokens) {
      if (language === undefined && hasItsText()) set(tokensOf(first, shown))
    } else if (String(shown) !== String(before)) {
      set(recolored(tokens, before, shown))
    }
  }
  const subscriptions = [
    // The theme comes after the first editors.
    TokenizationRegistry.onDidChange(({ changedColorMap }) => {
      if (changedColorMap) show()
    }),
    // What is not saved comes after the file.
    model.onDidChangeContent(() => {
      if (!tokens && language === undefined) show()
    }),
    model.onDidChangeTokens(({ ranges, semanticTokensApplied }) => {
      if (isOurs) return
      // A language server is faster.
      if (semanticTokensApplied) return stop()
      if (!tokens) {
        if (language === undefined) {
          if (tokenization.hasTokens) stop()
        } else if (!tokenization.hasTokens) {
          // Grammars that come late are taken in with all others anew, which begins with no colors.
          if (language === model.getLanguageId() && hasItsText()) set(tokensOf(first, shown))
          else stop()
        }
        return
      }
      // They are taken away when the language becomes known, which is long before its grammar is there.
      if (!tokenization.hasSomeSemanticTokens()) {
        if (tokens.isEmpty()) stop()
        else set(tokens)
        return
      }
      if (!tokenization.hasTokens) return
      for (const { fromLineNumber, toLineNumber } of ranges) {
        tokens.removeTokens(new Range(fromLineNumber, 1, toLineNumber, Number.MAX_SAFE_INTEGER))
      }
      if (!tokens.isEmpty()) return
      language = model.getLanguageId()
      set(undefined)
    }),
    model.onWillDispose(stop),
  ]
  show()
}

/** Of the colors in their order. While the theme that they are of is not there they show nothing, and move with the text all the same. */
function metadataOf(colors: readonly string[]): number[] {
  const map = (TokenizationRegistry.getColorMap() ?? []).map((one) => one?.toString().toLowerCase())
  const ids = colors.map((one) => map.indexOf(one.toLowerCase()))
  if (ids.some((id) => id <= 0)) return colors.map((_, at) => (at + 1) << MetadataConsts.FOREGROUND_OFFSET)
  return ids.map((id) => (id << MetadataConsts.FOREGROUND_OFFSET) | MetadataConsts.SEMANTIC_USE_FOREGROUND)
}

/** The same runs, wherever they have moved, in a theme that counts its colors differently. */
function recolored(
  tokens: SparseMultilineTokens,
  before: readonly number[],
  after: readonly number[],
): SparseMultilineTokens {
  const { startLineNumber, endLineNumber } = tokens
  const runs: number[] = []
  for (let line = startLineNumber; line <= endLineNumber; line += 1) {
    const found = tokens.getLineTokens(line)
    if (!found) continue
    for (let at = 0; at < found.getCount(); at += 1) {
      const metadata = after[before.indexOf(found.getMetadata(at))]!
      runs.push(line - startLineNumber, found.getStartCharacter(at), found.getEndCharacter(at), metadata)
    }
  }
  return SparseMultilineTokens.create(startLineNumber, Uint32Array.from(runs))
}

function tokensOf({ base, lines }: FirstText, metadata: readonly number[]): SparseMultilineTokens | undefined {
  const runs = coloredRuns(base, lines).flatMap((run) => [run.line, run.start, run.end, metadata[run.color]!])
  return runs.length === 0 ? undefined : SparseMultilineTokens.create(1, Uint32Array.from(runs))
}
