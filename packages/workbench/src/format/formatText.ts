import { isConnectionFailure, type FileSystemArea } from '@boxyard/dev-server-client'
import { diff } from '@boxyard/ot'
import type { CancellationToken, editor, languages } from 'monaco-editor'
import { textAt } from '../files/textAt.ts'
import { operationToEdits } from '../text/modelChange.ts'
import { Formatter } from './Formatter.ts'
import type { FormatProblem } from './formatMessage.ts'
import { parserOf } from './parserOf.ts'
import { projectFormat } from './projectFormat.ts'

/** The value of the editor's enumeration of line ends. */
const LF: editor.EndOfLinePreference.LF = 1
/** Milliseconds that a text may take. */
const PATIENCE = 20_000

const formatter = new Formatter(
  () => new Worker(new URL('./formatWorker.ts', import.meta.url), { type: 'module', name: 'format' }),
)

export interface FormattedText {
  /** The smallest changes, so that carets and what others type stay where they are. */
  edits: languages.TextEdit[]
  /** What the person should know about it. */
  notice?: FormatNotice
}

export interface FormatNotice extends FormatProblem {
  title: string
}

const refusal = (message: string): FormatNotice => ({
  title: 'Not formatted',
  message,
  line: undefined,
  column: undefined,
})

/** Formats a text as its project says. What it can not do is told, and changes nothing. */
export async function formatText(
  model: editor.ITextModel,
  { tabSize, insertSpaces }: languages.FormattingOptions,
  token: CancellationToken,
  { fs, workspacePath }: { fs: Pick<FileSystemArea, 'readFile' | 'readdir'>; workspacePath: string },
): Promise<FormattedText> {
  const { path } = model.uri
  const project = await projectFormat(path, {
    workspacePath,
    read: (one) => textAt(fs, one),
    names: async (folder) => (await fs.readdir(folder)).map(({ name }) => name),
  }).catch((error: unknown) => {
    // Without a connection nobody knows what the project says.
    if (isConnectionFailure(error)) return { kind: 'no', why: 'The connection is lost' } as const
    throw error
  })
  if (token.isCancellationRequested) return { edits: [] }
  if (project.kind === 'no') return { edits: [], ...(project.why && { notice: refusal(project.why) }) }
  const parser = parserOf(path, model.getLanguageId())
  // Nothing is said: the indentation that the text has stays.
  const options = project.isSaid ? project.options : { tabWidth: tabSize, useTabs: !insertSpaces }
  const text = model.getValue(LF)
  // The line ends of the file stay what they are: another text than the one that others have is not a matter of format.
  const wanted = { parser, ...options, filepath: path, endOfLine: 'lf' }
  const timer = setTimeout(() => formatter.end('It takes too long'), PATIENCE)
  try {
    const answer = await formatter.format(text, wanted)
    if ('problem' in answer) return { edits: [], notice: { title: 'Not formatted', ...answer.problem } }
    const { missing } = project
    return {
      edits: editsBetween(text, answer.text),
      ...(missing.length > 0 && {
        notice: {
          ...refusal(`The project names ${missing.join(', ')}, which ${missing.length === 1 ? 'is' : 'are'} not here`),
          title: 'Formatted without plugins',
        },
      }),
    }
  } catch (error) {
    if (token.isCancellationRequested) return { edits: [] }
    return { edits: [], notice: refusal(error instanceof Error ? error.message : String(error)) }
  } finally {
    clearTimeout(timer)
  }
}

/** The changes from one text to the other. Both have line feeds, however the model ends its lines. */
export function editsBetween(before: string, after: string): languages.TextEdit[] {
  const starts = [0]
  for (let end = before.indexOf('\n'); end !== -1; end = before.indexOf('\n', end + 1)) starts.push(end + 1)
  const placeOf = (offset: number) => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - starts[low]! + 1 }
  }
  return operationToEdits(diff(before, after)).map(({ start, end, text }) => {
    const [from, to] = [placeOf(start), placeOf(end)]
    const range = {
      startLineNumber: from.line,
      startColumn: from.column,
      endLineNumber: to.line,
      endColumn: to.column,
    }
    return { range, text }
  })
}
