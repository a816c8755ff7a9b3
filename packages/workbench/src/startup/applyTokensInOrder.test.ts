import { ContiguousMultilineTokensBuilder } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/tokens/contiguousMultilineTokensBuilder'
import { TextMateWorkerTokenizerController } from '@codingame/monaco-vscode-textmate-service-override/vscode/vs/workbench/services/textMate/browser/backgroundTokenization/textMateWorkerTokenizerController'
import { expect, it } from 'vitest'
import { applyTokensInOrder } from './applyTokensInOrder.ts'

type Answer = Parameters<TextMateWorkerTokenizerController['setTokensAndStates']>

const frame = { ruleId: 1, endRule: null, nameScopesList: [], contentNameScopesList: [], beginRuleCapturedEOL: false }
/** From no state into a rule, and from a rule into another one. */
const enters = { pops: 0, newFrames: [frame] }
const goesOn = { pops: 1, newFrames: [frame] }

/** The page's side of a text that a worker colors. */
function text(lines: string[]) {
  let change: (event: object) => void = () => {}
  let version = 1
  const ended: number[] = []
  const nothing = { dispose() {} }
  const model = {
    uri: { fsPath: '/a.ts' },
    onDidChangeContent: (listener: typeof change) => {
      change = listener
      return nothing
    },
    onDidChangeLanguage: () => nothing,
    getLanguageId: () => 'typescript',
    getVersionId: () => version,
    getLinesContent: () => lines,
    getEOL: () => '\n',
    getLineCount: () => lines.length,
    getOffsetAt: () => 0,
  }
  const worker = new Proxy({}, { get: () => () => undefined })
  const store = {
    setEndState: (line: number, state: unknown) => state && ended.push(line),
    setTokens: () => {},
    setFontInfo: () => {},
    backgroundTokenizationFinished: () => {},
  }
  const codec = { encodeLanguageId: () => 1 }
  const configuration = { getValue: () => false, onDidChangeConfiguration: () => nothing }
  const length = { get: () => 20_000, read: () => 20_000 }
  const Controller = TextMateWorkerTokenizerController as unknown as new (
    ...given: object[]
  ) => TextMateWorkerTokenizerController
  const controller = new Controller(model, worker, codec, store, configuration, length)
  return {
    ended,
    /** Puts lines in front. */
    insert: (...added: string[]) => {
      lines.unshift(...added)
      version += 1
      const range = { startLineNumber: 1, startColumn: 1, endLineNumber: 1, endColumn: 1 }
      const changes = [{ range, rangeOffset: 0, rangeLength: 0, text: `${added.join('\n')}\n` }]
      change({ versionId: version, changes })
    },
    answer: (versionId: number, states: object[]) =>
      controller.setTokensAndStates(
        ...([
          controller.controllerId,
          versionId,
          new ContiguousMultilineTokensBuilder().serialize(),
          [],
          states,
        ] as unknown as Answer),
      ),
  }
}

it('WB1112: what a worker says of a text that was edited meanwhile is put in its place, also of the first text', async () => {
  applyTokensInOrder()
  const { ended, insert, answer } = text(['one', 'two', 'three', ''])
  const first = answer(1, [{ startLineNumber: 1, stateDeltas: [enters, goesOn, goesOn] }])
  insert('new', 'too')
  // The worker has the edit, and goes on from the state behind a line that was the second one.
  const second = answer(2, [{ startLineNumber: 5, stateDeltas: [goesOn, goesOn] }])
  await Promise.all([first, second])
  // What was the first line is another one now.
  expect(ended).toEqual([4, 5, 5, 6])
})
