import { Codicon } from '@codingame/monaco-vscode-api/vscode/vs/base/common/codicons'
import {
  registerEditor,
  registerEditorPane,
  SimpleEditorInput,
  SimpleEditorPane,
} from '@codingame/monaco-vscode-api/service-override/tools/views'
import { EditorInputCapabilities } from '@codingame/monaco-vscode-api/vscode/vs/workbench/common/editor'
import { RegisteredEditorPriority } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/editor/common/editorResolverService'
import { Uri } from 'monaco-editor'
import { createRoot } from 'react-dom/client'
import type { NewTabProps } from './NewTab.tsx'

const SCHEME = 'boxyard-new-tab'
const PANE_ID = 'boxyard.newTab'

/** The address of the pane that offers what to open. There is one. */
export const newTabResource = Uri.from({ scheme: SCHEME, path: '/new-tab' })

class NewTabInput extends SimpleEditorInput {
  constructor() {
    super(newTabResource)
    this.setName('New tab')
    this.setTitle('New tab')
    this.addCapability(EditorInputCapabilities.Readonly)
    this.addCapability(EditorInputCapabilities.Singleton)
  }

  get typeId(): string {
    return PANE_ID
  }

  override getIcon() {
    return Codicon.add
  }
}

export interface NewTabPaneOptions extends NewTabProps {
  /** What it shows can be asked for. */
  whenReady(): Promise<void>
}

/** Registers the editor pane that offers what to open beside the code; call before `initialize`. */
export function registerNewTabPane({ whenReady, ...properties }: NewTabPaneOptions): void {
  class NewTabPane extends SimpleEditorPane {
    constructor(group: ConstructorParameters<typeof SimpleEditorPane>[1]) {
      super(PANE_ID, group)
    }

    initialize(): HTMLElement {
      const container = document.createElement('div')
      container.style.height = '100%'
      container.tabIndex = -1
      container.style.outline = 'none'
      return container
    }

    async renderInput() {
      const [{ NewTab }] = await Promise.all([import('./NewTab.tsx'), whenReady()])
      const root = createRoot(this.container)
      root.render(<NewTab {...properties} />)
      // React forbids unmounting a root while it renders, which is when the workbench may take the pane down.
      return { dispose: () => queueMicrotask(() => root.unmount()) }
    }

    override focus(): void {
      const first = this.container.querySelector('button')
      if (first) first.focus()
      else super.focus()
    }
  }

  registerEditorPane(PANE_ID, 'New tab', NewTabPane, [NewTabInput])
  registerEditor(
    `${SCHEME}:/**`,
    {
      id: PANE_ID,
      label: 'New tab',
      priority: {
        editor: RegisteredEditorPriority.exclusive,
        diff: RegisteredEditorPriority.exclusive,
        merge: RegisteredEditorPriority.exclusive,
      },
    },
    { singlePerResource: true },
    {
      createEditorInput: ({ options }) => ({ editor: new NewTabInput(), options: { ...options, pinned: true } }),
    },
  )
}
