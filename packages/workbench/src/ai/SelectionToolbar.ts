import './selectionToolbar.css'
import type { IInstantiationService } from '@codingame/monaco-vscode-api'
import {
  ContentWidgetPositionPreference,
  type ICodeEditor,
  type IContentWidget,
  type IContentWidgetPosition,
} from '@codingame/monaco-vscode-api/vscode/vs/editor/browser/editorBrowser'
import type { IPosition } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/core/position'
import { MenuWorkbenchToolBar } from '@codingame/monaco-vscode-api/vscode/vs/platform/actions/browser/toolbar'
import { aiPlaces } from './aiPlaces.ts'

/** What can be asked about the selected lines, floating over them. */
export class SelectionToolbar implements IContentWidget {
  readonly allowEditorOverflow = true
  readonly suppressMouseDown = true
  readonly #editor: ICodeEditor
  readonly #instantiation: IInstantiationService
  #shown: { node: HTMLElement; toolbar: MenuWorkbenchToolBar } | undefined
  #position: IPosition | undefined

  constructor(editor: ICodeEditor, instantiation: IInstantiationService) {
    this.#editor = editor
    this.#instantiation = instantiation
  }

  getId(): string {
    return 'boxyard.ai.selection'
  }

  getDomNode(): HTMLElement {
    if (!this.#shown) {
      const node = document.createElement('div')
      node.className = 'boxyard-ai-toolbar'
      node.setAttribute('role', 'toolbar')
      node.setAttribute('aria-label', 'Ask about the selection')
      const toolbar = this.#instantiation.createInstance(MenuWorkbenchToolBar, node, aiPlaces.selectionMenu, undefined)
      this.#shown = { node, toolbar }
    }
    return this.#shown.node
  }

  getPosition(): IContentWidgetPosition | null {
    return this.#position
      ? {
          position: this.#position,
          preference: [ContentWidgetPositionPreference.ABOVE, ContentWidgetPositionPreference.BELOW],
        }
      : null
  }

  show(position: IPosition | undefined): void {
    const was = this.#position
    this.#position = position
    if (position && !was) this.#editor.addContentWidget(this)
    else if (!position && was) this.#editor.removeContentWidget(this)
  }

  dispose(): void {
    this.show(undefined)
    this.#shown?.toolbar.dispose()
    this.#shown = undefined
  }
}
