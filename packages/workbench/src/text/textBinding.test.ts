import {
  Emitter,
  type RemoteReason,
  type TextFile,
  type TextSyncState,
  type UndoGroup,
} from '@boxyard/dev-server-client'
import { apply, invert, type TextOperation } from '@boxyard/ot'
import type { editor } from 'monaco-editor'
import { expect, it } from 'vitest'
import { TextBinding } from './textBinding.ts'

/** The part of an editor's model that a binding uses, with the editor's rule that line ends are all alike. */
class FakeModel {
  readonly #changes = new Emitter<editor.IModelContentChangedEvent>()
  readonly onDidChangeContent = this.#changes.event
  #text: string
  #eol = '\n'

  constructor(text: string) {
    this.#text = text
  }

  getValue = () => this.#text
  getValueLength = () => this.#text.length
  setEOL(eol: number): void {
    this.#eol = eol === 1 ? '\r\n' : '\n'
    this.#change(0, this.#text.length, this.#text)
  }
  getPositionAt(offset: number) {
    const before = this.#text.slice(0, offset).split('\n')
    return { lineNumber: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
  }
  applyEdits(
    edits: {
      range: { startLineNumber: number; startColumn: number; endLineNumber: number; endColumn: number }
      text: string
    }[],
  ): void {
    for (const { range, text } of edits.toReversed()) {
      const start = this.#offset(range.startLineNumber, range.startColumn)
      this.#change(start, this.#offset(range.endLineNumber, range.endColumn) - start, text)
    }
  }
  type(offset: number, text: string): void {
    this.#change(offset, 0, text)
  }

  #offset(line: number, column: number): number {
    return (
      this.#text
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length +
      (line > 1 ? 1 : 0) +
      column -
      1
    )
  }
  #change(rangeOffset: number, rangeLength: number, text: string): void {
    const inserted = text.replace(/\r\n|\r|\n/g, this.#eol)
    this.#text = this.#text.slice(0, rangeOffset) + inserted + this.#text.slice(rangeOffset + rangeLength)
    this.#changes.fire({
      changes: [{ rangeOffset, rangeLength, text: inserted }],
    } as unknown as editor.IModelContentChangedEvent)
  }
}

class FakeFile implements TextFile {
  readonly kind = 'text'
  readonly id = 'f'
  readonly path = '/w/a.ts'
  readonly savedHash = ''
  readonly isDirty = false
  readonly syncState = 'SYNCED'
  readonly pendingOperations = 0
  readonly #remote = new Emitter<{ operation: TextOperation; reason: RemoteReason }>()
  readonly onDidApplyRemote = this.#remote.event
  readonly onDidResync = new Emitter<void>().event
  readonly onDidSave = new Emitter<{ savedHash: string }>().event
  readonly onDidChangeDirty = new Emitter<boolean>().event
  readonly onDidChangeSync = new Emitter<TextSyncState>().event
  readonly onDidChangeSelections = new Emitter<void>().event
  readonly selections = new Map<string, never>()
  readonly edits: { operation: TextOperation; group: UndoGroup }[] = []
  #undo: TextOperation | undefined
  text: string
  saves = 0
  disposed = false

  constructor(text: string) {
    this.text = text
  }
  edit(operation: TextOperation, group: UndoGroup = {}): void {
    this.#undo = invert(operation, this.text)
    this.text = apply(this.text, operation)
    this.edits.push({ operation, group })
  }
  receive(operation: TextOperation): void {
    this.text = apply(this.text, operation)
    this.#remote.fire({ operation, reason: 'USER' })
  }
  get canUndo(): boolean {
    return this.#undo !== undefined
  }
  readonly canRedo = false
  undo(): TextOperation | undefined {
    const operation = this.#undo
    if (operation) this.text = apply(this.text, operation)
    this.#undo = undefined
    return operation
  }
  redo(): undefined {}
  nextUndo(): undefined {}
  nextRedo(): undefined {}
  closeGroup(): void {}
  unaccepted(): undefined {}
  async resolve(): Promise<void> {}
  setSelection(): void {}
  async save(): Promise<void> {
    this.saves += 1
  }
  dispose(): void {
    this.disposed = true
  }
}

function bind(modelText: string, fileText: string, options: { initialText?: string; canWrite?: boolean } = {}) {
  const model = new FakeModel(modelText)
  const file = new FakeFile(fileText)
  const binding = new TextBinding({
    model: model as unknown as editor.ITextModel,
    file,
    initialText: options.initialText ?? modelText,
    canWrite: options.canWrite ?? true,
    undoGroup: () => 'group',
  })
  return { model, file, binding }
}

it('WB13: what is typed becomes an operation of the group that the editor is in', () => {
  const { model, file } = bind('abc', 'abc')
  model.type(1, 'X')
  expect(file.edits).toEqual([{ operation: [1, 'X', 2], group: 'group' }])
  expect(file.text).toBe(model.getValue())
})

it('WB14: what others do is applied without coming back', () => {
  const { model, file } = bind('one\ntwo\n', 'one\ntwo\n')
  file.receive([4, 'new\n', -4])
  expect(model.getValue()).toBe('one\nnew\n')
  expect(file.edits).toEqual([])
})

it('WB14: a model that has drifted is brought back to the text of the file', () => {
  const { model, file, binding } = bind('abc', 'abc')
  binding.file.dispose()
  file.text = 'abcdef'
  file.receive([6, '!'])
  expect(model.getValue()).toBe('abcdef!')
})

it('WB15: undo changes the model as the file says, and tells where', () => {
  const { model, file, binding } = bind('abc', 'abc')
  model.type(3, 'def')
  expect(binding.undo()).toEqual({ start: 3, end: 3 })
  expect(model.getValue()).toBe('abc')
  expect(file.edits).toHaveLength(1)
  expect(binding.undo()).toBeUndefined()
})

it('WB19: what was typed before the file was open is kept, beside what others have done meanwhile', () => {
  const { model, file } = bind('Xabc', 'abcY', { initialText: 'abc' })
  expect(model.getValue()).toBe('XabcY')
  expect(file.text).toBe('XabcY')
  expect(file.edits).toHaveLength(1)
})

it('WB19: a model that has the text already is left alone', () => {
  const { file } = bind('abcY', 'abcY', { initialText: 'abc' })
  expect(file.edits).toEqual([])
})

it('WB19: without write access, the text of the file wins and nothing is sent', () => {
  const { model, file } = bind('abc', 'abcY', { canWrite: false })
  expect(model.getValue()).toBe('abcY')
  expect(file.edits).toEqual([])
})

it('WB13: a file with Windows line ends keeps them, and offsets fit', () => {
  const { model, file } = bind('a\nb\n', 'a\r\nb\r\n')
  expect(model.getValue()).toBe('a\r\nb\r\n')
  expect(file.edits).toEqual([])
  model.type(3, 'X\n')
  expect(file.text).toBe('a\r\nX\r\nb\r\n')
})

it('WB17: says that it saves while it does', async () => {
  const { file, binding } = bind('abc', 'abc')
  const saving = binding.save()
  expect(binding.isSaving).toBe(true)
  await saving
  expect(binding.isSaving).toBe(false)
  expect(file.saves).toBe(1)
})

it('WB13: leaves the file once, and hears nothing more', () => {
  const { model, file, binding } = bind('abc', 'abc')
  binding.dispose()
  model.type(0, 'X')
  expect(file.disposed).toBe(true)
  expect(file.edits).toEqual([])
})

it('WB481: what is brought in is an edit of this person, and nothing for somebody who may not write', () => {
  const { model, file, binding } = bind('one two', 'one two')
  expect(binding.bringIn([7, ' three'])).toBe(true)
  expect([model.getValue(), file.text, file.edits.length]).toEqual(['one two three', 'one two three', 1])
  const reader = bind('one', 'one', { canWrite: false })
  expect([reader.binding.bringIn([3, '!']), reader.file.text, reader.model.getValue()]).toEqual([false, 'one', 'one'])
})

it('WB490: only what this person types counts as an edit of theirs', () => {
  const { model, file, binding } = bind('one', 'one')
  let edits = 0
  binding.onDidEdit(() => (edits += 1))
  file.receive(['zero ', 3])
  expect(edits).toBe(0)
  model.type(0, '!')
  expect(edits).toBe(1)
})
