import { getService, IModelService } from '@codingame/monaco-vscode-api'
import { MetadataConsts } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/encodedTokenAttributes'
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
  // Typed into already, or not the text that has these colors.
  if (tokenization.hasTokens || model.getLinesContent().join('\n') !== first.base) return
  let isColored = false
  const stop = () => {
    for (const subscription of subscriptions) subscription.dispose()
  }
  const show = () => {
    const tokens = isColored ? undefined : tokensOf(first)
    if (!tokens) return
    isColored = true
    // Complete: the editor takes others away 100 ms after it was scrolled or typed into, where no language has any.
    tokenization.setSemanticTokens([tokens], true)
  }
  const subscriptions = [
    // The theme comes after the first editors.
    TokenizationRegistry.onDidChange(({ changedColorMap }) => {
      if (changedColorMap) show()
    }),
    model.onDidChangeContent(() => {
      if (!isColored) stop()
    }),
    model.onDidChangeTokens(() => {
      if (!tokenization.hasTokens) return
      stop()
      if (isColored) tokenization.setSemanticTokens(null, false)
    }),
    model.onWillDispose(stop),
  ]
  show()
}

/** Undefined while the theme that these colors are of is not there. */
function tokensOf({ base, colors, lines }: FirstText): SparseMultilineTokens | undefined {
  const map = (TokenizationRegistry.getColorMap() ?? []).map((one) => one?.toString().toLowerCase())
  const metadata = colors.map((one) => {
    const id = map.indexOf(one.toLowerCase())
    return id > 0 ? (id << MetadataConsts.FOREGROUND_OFFSET) | MetadataConsts.SEMANTIC_USE_FOREGROUND : undefined
  })
  if (metadata.includes(undefined)) return undefined
  const runs = coloredRuns(base, lines).flatMap((run) => [run.line, run.start, run.end, metadata[run.color]!])
  return runs.length === 0 ? undefined : SparseMultilineTokens.create(1, Uint32Array.from(runs))
}
