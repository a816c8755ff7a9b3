import type { Connection, FilesArea, TextFile, UndoGroup } from '@boxyard/dev-server-client'
import { Emitter } from '@boxyard/dev-server-client'
import { Disposable, DisposableStore } from '@codingame/monaco-vscode-api/vscode/vs/base/common/lifecycle'
import type { IModelService } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/services/model.service'
import type { ITextFileService } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/textfile/common/textfiles.service'
import { ProtocolError } from '@boxyard/protocol'
import type { editor } from 'monaco-editor'
import { isBoxUri } from '../files/boxUri.ts'
import type { BoundFile } from '../files/fileSystem.ts'
import { fileErrorKind } from '../files/fileErrorKind.ts'
import { TextBinding } from './textBinding.ts'

/** `full`: there is no room on the disk of the box for what was typed, which stays in the page. */
export type SaveState = 'saved' | 'unsaved' | 'saving' | 'offline' | 'full'

export interface TextSyncOptions {
  connection: Pick<Connection, 'state' | 'onDidChangeState' | 'onDidJoin'>
  files: FilesArea
  workspacePath: string
  canWrite: boolean
}

export interface TextSyncServices {
  models: IModelService
  textFiles: ITextFileService
  undoGroup(path: string): UndoGroup
  /** Forgets the native undo steps of a file that is bound from now on. */
  forgetUndo(model: editor.ITextModel): void
  onError(message: string): void
  /** The box and this page have different texts; the person decides which one stays. */
  onOutOfSync(file: TextFile): void
  /** There is no room for what is typed. The answer is called when there is. */
  onNoRoom(): () => void
}

/** Binds every model of a file in the workspace to the file of the box, and knows what is saved. */
export class TextSync extends Disposable {
  readonly bindings = new Map<string, TextBinding>()
  readonly #options: TextSyncOptions
  readonly #waiting = new Map<string, { model: editor.ITextModel; initialText: string }>()
  readonly #bindingChanges = new Emitter<TextBinding>()
  /** A model was bound to its file. */
  readonly onDidBind = this.#bindingChanges.event
  readonly #stateChanges = new Emitter<SaveState>()
  readonly onDidChangeSaveState = this.#stateChanges.event
  #state: SaveState = 'saved'
  #roomIsBack: (() => void) | undefined

  constructor(options: TextSyncOptions) {
    super()
    this.#options = options
    this.#updateState()
    this._register(options.connection.onDidChangeState(() => this.#updateState()))
  }

  get saveState(): SaveState {
    return this.#state
  }

  /** Resolves when the dev server has the text of `path` as it is here, or cannot have it at present. */
  async whenTold(path: string): Promise<void> {
    const file = this.bindings.get(path)?.file
    if (file?.syncState !== 'SYNCING') return
    await new Promise<void>((resolve) => {
      const changes = file.onDidChangeSync((state) => {
        if (state === 'SYNCING') return
        changes.dispose()
        resolve()
      })
    })
  }

  /** Starts to bind models: those that exist and those that are made later. */
  start(services: TextSyncServices): void {
    const { models } = services
    this._register(models.onModelAdded((model) => this.#add(model, services)))
    this._register(models.onModelRemoved((model) => this.#remove(model, services)))
    this._register(
      this.#options.connection.onDidJoin(() => {
        for (const [path, { model, initialText }] of this.#waiting) this.#open(path, model, initialText, services)
      }),
    )
    for (const model of models.getModels()) this.#add(model, services)
  }

  /** The bound file at a path, for the file system: it saves and reads through it. */
  boundFile(path: string): BoundFile | undefined {
    const binding = this.bindings.get(path)
    if (!binding) return undefined
    return {
      read: () => new TextEncoder().encode(binding.file.text),
      save: () => this.#save(binding),
    }
  }

  /** Saves every text that is not saved, whatever the editor's own mark says of it. */
  async saveAll(): Promise<void> {
    const unsaved = [...this.bindings.values()].filter(({ file }) => file.isDirty)
    await Promise.all(unsaved.map((binding) => this.#save(binding)))
  }

  override dispose(): void {
    for (const binding of this.bindings.values()) binding.dispose()
    this.bindings.clear()
    super.dispose()
  }

  async #save(binding: TextBinding): Promise<void> {
    const saving = binding.save()
    this.#updateState()
    try {
      await saving
    } finally {
      this.#updateState()
    }
  }

  #add(model: editor.ITextModel, services: TextSyncServices): void {
    const { scheme, path } = model.uri
    if (!isBoxUri({ scheme }) || !path.startsWith(`${this.#options.workspacePath}/`)) return
    this.#open(path, model, model.getValue(), services)
  }

  #remove(model: editor.ITextModel, services: TextSyncServices): void {
    const { path } = model.uri
    if (this.#waiting.get(path)?.model === model) this.#waiting.delete(path)
    const binding = this.bindings.get(path)
    if (binding?.model !== model) return
    this.bindings.delete(path)
    binding.dispose()
    this.#updateState()
    this.#updateRoom(services)
  }

  #open(path: string, model: editor.ITextModel, initialText: string, services: TextSyncServices): void {
    this.#waiting.set(path, { model, initialText })
    this.#options.files.open(path).then(
      (file) => {
        const wanted = this.#waiting.get(path)?.model === model && !model.isDisposed() && !this._store.isDisposed
        if (!wanted || file.kind === 'binary') {
          file.dispose()
          return
        }
        this.#waiting.delete(path)
        const binding = new TextBinding({
          model,
          file,
          initialText,
          canWrite: this.#options.canWrite,
          undoGroup: () => services.undoGroup(path),
        })
        this.bindings.set(path, binding)
        services.forgetUndo(model)
        this.#follow(binding, services)
        this.#bindingChanges.fire(binding)
      },
      (error: unknown) => {
        // Without a connection it is opened again after the next join; a file that is not there yet has no text to share.
        if (!(error instanceof ProtocolError)) return
        // The editor has refused it too, and said why.
        if (this.#waiting.get(path)?.model !== model) return
        this.#waiting.delete(path)
        if (fileErrorKind(error) !== 'notFound') services.onError(`${path} is not edited together: ${error.message}`)
      },
    )
  }

  #follow(binding: TextBinding, services: TextSyncServices): void {
    const { file, model } = binding
    let scheduled = false
    // The file knows of a change before the model has it: wait until both have it, once for all changes of now.
    const settle = () => {
      if (scheduled) return
      scheduled = true
      queueMicrotask(() => {
        scheduled = false
        this.#updateState()
        this.#clearDirtyMark(binding, services)
      })
    }
    const subscriptions = new DisposableStore()
    subscriptions.add(model.onDidChangeContent(settle))
    subscriptions.add(file.onDidChangeDirty(settle))
    subscriptions.add(file.onDidSave(settle))
    subscriptions.add(
      file.onDidChangeSync((state) => {
        this.#updateState()
        this.#updateRoom(services)
        if (state === 'OUT_OF_SYNC') services.onOutOfSync(file)
      }),
    )
    subscriptions.add(model.onWillDispose(() => subscriptions.dispose()))
    settle()
  }

  /** The native mark counts versions: it can say dirty although the text is the saved one again. */
  #clearDirtyMark({ file, model, isSaving }: TextBinding, { textFiles, onError }: TextSyncServices): void {
    if (file.isDirty || isSaving || model.isDisposed() || !textFiles.isDirty(model.uri)) return
    textFiles
      .revert(model.uri, { soft: true })
      .catch((error: unknown) => onError(`The state of ${file.path} was not updated: ${String(error)}`))
  }

  #updateRoom(services: TextSyncServices): void {
    const isFull = [...this.bindings.values()].some(({ file }) => file.syncState === 'NO_ROOM')
    if (isFull) this.#roomIsBack ??= services.onNoRoom()
    else {
      this.#roomIsBack?.()
      this.#roomIsBack = undefined
    }
  }

  #updateState(): void {
    const state = this.#currentState()
    if (state === this.#state) return
    this.#state = state
    this.#stateChanges.fire(state)
  }

  #currentState(): SaveState {
    const { kind } = this.#options.connection.state
    if (kind !== 'CONNECTED') return 'offline'
    const bindings = [...this.bindings.values()]
    if (bindings.some((binding) => binding.isSaving)) return 'saving'
    if (bindings.some(({ file }) => file.syncState === 'NO_ROOM')) return 'full'
    return bindings.some(({ file }) => file.isDirty) ? 'unsaved' : 'saved'
  }
}
