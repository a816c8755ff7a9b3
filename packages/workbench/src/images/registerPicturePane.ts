import './picturePane.css'
import { basename } from '@codingame/monaco-vscode-api/vscode/vs/base/common/path'
import {
  registerEditor,
  registerEditorPane,
  SimpleEditorInput,
  SimpleEditorPane,
} from '@codingame/monaco-vscode-api/service-override/tools/views'
import { EditorInputCapabilities } from '@codingame/monaco-vscode-api/vscode/vs/workbench/common/editor'
import { RegisteredEditorPriority } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/editor/common/editorResolverService'
import type { Uri } from 'monaco-editor'
import type { FileSystem } from '../files/fileSystem.ts'
import { PICTURES, pictureType, sizeWords, VECTORS } from './pictureType.ts'

const PANE_ID = 'boxyard.picture'

class PictureInput extends SimpleEditorInput {
  constructor(resource: Uri) {
    super(resource)
    this.setName(basename(resource.path))
    this.setTitle(resource.path)
    this.addCapability(EditorInputCapabilities.Readonly)
  }

  get typeId(): string {
    return PANE_ID
  }
}

/** Registers the editor pane that shows pictures; call before `initialize`. */
export function registerPicturePane(files: Pick<FileSystem, 'readFile' | 'onDidChangeFile'>): void {
  class PicturePane extends SimpleEditorPane {
    constructor(group: ConstructorParameters<typeof SimpleEditorPane>[1]) {
      super(PANE_ID, group)
    }

    initialize(): HTMLElement {
      const container = document.createElement('div')
      container.className = 'boxyard-picture'
      container.tabIndex = -1
      return container
    }

    async renderInput(input: unknown) {
      if (!(input instanceof PictureInput) || !input.resource) return { dispose: () => undefined }
      return showPicture(this.container, input.resource, files)
    }
  }

  registerEditorPane(PANE_ID, 'Picture', PicturePane, [PictureInput])
  const register = (glob: string, priority: RegisteredEditorPriority) =>
    registerEditor(
      glob,
      { id: PANE_ID, label: 'Picture', priority: { editor: priority, diff: priority, merge: priority } },
      { singlePerResource: true },
      {
        createEditorInput: ({ resource, options }) => ({
          editor: new PictureInput(resource),
          ...(options && { options }),
        }),
      },
    )
  register(PICTURES, RegisteredEditorPriority.builtin)
  // A text that can be looked at as a picture, by "Reopen Editor With...".
  register(VECTORS, RegisteredEditorPriority.option)
}

/** Shows a picture and what there is to say about it, and again when its file changes. */
function showPicture(
  container: HTMLElement,
  resource: Uri,
  files: Pick<FileSystem, 'readFile' | 'onDidChangeFile'>,
): { dispose(): void } {
  const picture = document.createElement('img')
  picture.alt = basename(resource.path)
  const words = document.createElement('p')
  words.role = 'status'
  container.replaceChildren(picture, words)
  let address: string | undefined
  let size = 0
  let latest = 0
  const forget = () => {
    if (address !== undefined) URL.revokeObjectURL(address)
    address = undefined
  }
  picture.addEventListener('load', () => {
    picture.hidden = false
    words.textContent = `${picture.naturalWidth} × ${picture.naturalHeight} pixels, ${sizeWords(size)}`
  })
  picture.addEventListener('error', () => {
    picture.hidden = true
    words.textContent = `This file of ${sizeWords(size)} is no picture that the browser can show. Its text is under "Reopen Editor With…".`
  })
  const show = async () => {
    const turn = (latest += 1)
    const bytes = await files.readFile(resource)
    if (turn !== latest) return
    forget()
    size = bytes.length
    // As a picture it runs nothing, whatever it holds.
    address = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: pictureType(resource.path) }))
    picture.src = address
  }
  const start = () => {
    show().catch((error: unknown) => {
      picture.hidden = true
      words.textContent = `The picture was not read: ${error instanceof Error ? error.message : String(error)}`
    })
  }
  const changes = files.onDidChangeFile((events) => {
    if (events.some((event) => event.resource.path === resource.path)) start()
  })
  start()
  return {
    dispose: () => {
      latest += 1
      changes.dispose()
      forget()
      container.replaceChildren()
    },
  }
}
