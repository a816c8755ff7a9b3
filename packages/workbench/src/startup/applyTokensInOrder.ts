import { TextMateWorkerTokenizerController } from '@codingame/monaco-vscode-textmate-service-override/vscode/vs/workbench/services/textMate/browser/backgroundTokenization/textMateWorkerTokenizerController'

/** What the controller fetches for itself, in the middle of its work, when it has none. */
interface Fetched {
  _applyStateStackDiffFn?: unknown
  _initialState?: unknown
}

/** The library of grammars. */
interface Grammars {
  default: { applyStateStackDiff: unknown; INITIAL: unknown }
}

let isDone = false

/**
 * Answers of the worker that colors texts are applied one after the other, each as a whole. The editor waits for a library in the middle of the
 * first one: a text that is edited meanwhile is at the lines of the second answer when the first is applied, and the states that the second one
 * goes on from are then at other lines or missing.
 */
export function applyTokensInOrder(): void {
  if (isDone) return
  isDone = true
  const { prototype } = TextMateWorkerTokenizerController
  const apply = prototype.setTokensAndStates
  let library: Promise<Grammars> | undefined
  prototype.setTokensAndStates = async function (this: TextMateWorkerTokenizerController, ...answer) {
    // @ts-expect-error It has no types there.
    library ??= import('@codingame/monaco-vscode-api/_virtual/main') as Promise<Grammars>
    const { default: grammars } = await library
    const fetched = this as unknown as Fetched
    fetched._applyStateStackDiffFn = grammars.applyStateStackDiff
    fetched._initialState = grammars.INITIAL
    // Nothing is left that it would wait for.
    return apply.apply(this, answer)
  }
}
