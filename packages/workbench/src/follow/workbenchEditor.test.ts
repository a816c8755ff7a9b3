import { Emitter } from '@boxyard/dev-server-client'
import { beforeEach, expect, it, vi } from 'vitest'
import type { TextSync } from '../text/textSync.ts'

const LINE = 20

/** An editor of 20 lines' height, which scrolls by whole lines. */
class FakeEditor {
  readonly scrolled = new Emitter<void>()
  readonly moved = new Emitter<void>()
  readonly onDidScrollChange = this.scrolled.event
  readonly onDidChangeCursorPosition = this.moved.event
  readonly onDidDispose = new Emitter<void>().event
  readonly height: number
  readonly path: string
  first = 1
  line = 1
  constructor(path: string, height = 20) {
    this.path = path
    this.height = height
  }
  getModel = () => ({ uri: uri(this.path) })
  getDomNode = () => ({ closest: () => ({}) })
  getPosition = () => ({ lineNumber: this.line })
  getVisibleRanges = () => [{ startLineNumber: this.first, endLineNumber: this.first + this.height - 1 }]
  getTopForLineNumber = (line: number) => (line - 1) * LINE
  setScrollTop = (top: number) => this.scrollTo(top / LINE + 1)
  revealLineInCenter = (line: number) => this.scrollTo(line - Math.floor(this.height / 2))
  scrollTo(line: number) {
    this.first = line
    this.scrolled.fire()
  }
}
const uri = (path: string) => ({ scheme: 'file', path })
const workspace = '/project/workspace'
const editors: FakeEditor[] = []
const created = new Emitter<FakeEditor>()
const activated = new Emitter<void>()
const visible = new Emitter<void>()
const service = {
  activeEditor: undefined as { resource: ReturnType<typeof uri> } | undefined,
  visibleEditors: [] as { resource: ReturnType<typeof uri> }[],
  openEditor: vi.fn(async ({ resource }: { resource: ReturnType<typeof uri> }) => show(new FakeEditor(resource.path))),
  onDidActiveEditorChange: activated.event,
  onDidVisibleEditorsChange: visible.event,
}

/** Turns to a file. */
function show(editor: FakeEditor): FakeEditor {
  editors.splice(0, editors.length, editor)
  created.fire(editor)
  service.activeEditor = { resource: uri(editor.path) }
  service.visibleEditors = [service.activeEditor]
  activated.fire()
  visible.fire()
  return editor
}

vi.mock('monaco-editor', () => ({ editor: { getEditors: () => editors, onDidCreateEditor: created.event } }))
vi.mock('../files/boxUri.ts', () => ({ boxUri: (path: string) => uri(path), isBoxUri: () => true }))
vi.mock('@codingame/monaco-vscode-api', () => ({ IEditorService: {}, getService: async () => service }))

const { workbenchEditor } = await import('./workbenchEditor.ts')
const sync = { bindings: new Map(), onDidBind: new Emitter<never>().event } as unknown as TextSync
const open = () => workbenchEditor(sync, workspace)

beforeEach(() => {
  editors.length = 0
  service.openEditor.mockClear()
  service.activeEditor = undefined
})

it('WB490: where somebody is are the lines that they see, and each scroll, move of the caret and turn to another file is told', async () => {
  const first = show(new FakeEditor(`${workspace}/a.ts`))
  const one = await open()
  const moves: unknown[] = []
  one.onDidMove(() => void moves.push(one.focus()))
  first.scrollTo(101)
  first.line = 105
  first.moved.fire()
  show(new FakeEditor(`${workspace}/src/b.ts`)).scrollTo(7)
  const at = (filepath: string, line: number, currentLine: number) => ({
    type: 'FOCUS_FILE',
    filepath,
    visibleLines: [line, line + 19],
    currentLine,
  })
  expect(moves).toEqual([at('a.ts', 101, 1), at('a.ts', 101, 105), at('src/b.ts', 1, 1), at('src/b.ts', 7, 1)])
  show(new FakeEditor('/elsewhere/c.ts'))
  expect(one.focus()).toBeUndefined()
})

it('WB490: the lines of who follows scroll with those of the one who is followed', async () => {
  const shown = show(new FakeEditor(`${workspace}/a.ts`))
  const one = await open()
  const lead = (first: number, currentLine = first) =>
    one.show({ type: 'FOCUS_FILE', filepath: 'a.ts', visibleLines: [first, first + 19], currentLine })
  await lead(101)
  expect(shown.first).toBe(101)
  await lead(40, 55)
  expect(shown.first).toBe(40)
  // The caret may be outside of what is looked at.
  await lead(40, 300)
  expect(shown.first).toBe(40)
  expect(service.openEditor).not.toHaveBeenCalled()
})

it('WB490: in a smaller window the line that the other is at is seen', async () => {
  const shown = show(new FakeEditor(`${workspace}/a.ts`, 10))
  const one = await open()
  await one.show({ type: 'FOCUS_FILE', filepath: 'a.ts', visibleLines: [40, 59], currentLine: 55 })
  expect(shown.first).toBe(50)
})

it('WB490: another file is opened where the other turns to it, and none outside of the workspace', async () => {
  show(new FakeEditor(`${workspace}/a.ts`))
  const one = await open()
  await one.show({ type: 'FOCUS_FILE', filepath: 'src/b.ts', visibleLines: [7, 26], currentLine: 7 })
  expect(service.openEditor.mock.calls.map(([{ resource }]) => resource.path)).toEqual([`${workspace}/src/b.ts`])
  expect(editors[0]!.first).toBe(7)
  expect([one.isVisible('src/b.ts'), one.isVisible('a.ts')]).toEqual([true, false])
})
