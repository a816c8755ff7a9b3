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
import type { PreviewProps } from './Preview.tsx'

const SCHEME = 'boxyard-preview'
const PANE_ID = 'boxyard.preview'

/** The address of the pane that shows a port. */
export function previewResource(port: number): Uri {
  return Uri.from({ scheme: SCHEME, path: `/${port}` })
}

function portOf(resource: Uri | undefined): number {
  return Number(resource?.path.slice(1))
}

class PreviewInput extends SimpleEditorInput {
  constructor(resource: Uri) {
    super(resource)
    const name = `Preview ${portOf(resource)}`
    this.setName(name)
    // Screen readers say the title: the word that the tab shows.
    this.setTitle(name)
    this.addCapability(EditorInputCapabilities.Readonly)
    this.addCapability(EditorInputCapabilities.Singleton)
  }

  get typeId(): string {
    return PANE_ID
  }

  override getIcon() {
    return Codicon.globe
  }
}

/** Registers the editor pane that shows a port of the box; call before `initialize`. */
export function registerPreviewPane(properties: Omit<PreviewProps, 'port'>): void {
  class PreviewPane extends SimpleEditorPane {
    constructor(group: ConstructorParameters<typeof SimpleEditorPane>[1]) {
      super(PANE_ID, group)
    }

    initialize(): HTMLElement {
      const container = document.createElement('div')
      container.style.height = '100%'
      container.tabIndex = -1
      return container
    }

    async renderInput(input: unknown) {
      const port = input instanceof PreviewInput ? portOf(input.resource) : NaN
      // Nobody sees a preview before the code.
      const { Preview } = await import('./Preview.tsx')
      const root = createRoot(this.container)
      root.render(<Preview {...properties} port={port} />)
      // React forbids unmounting a root while it renders, which is when the workbench may take the pane down.
      return { dispose: () => queueMicrotask(() => root.unmount()) }
    }
  }

  registerEditorPane(PANE_ID, 'Preview', PreviewPane, [PreviewInput])
  registerEditor(
    `${SCHEME}:/**`,
    {
      id: PANE_ID,
      label: 'Preview',
      priority: {
        editor: RegisteredEditorPriority.exclusive,
        diff: RegisteredEditorPriority.exclusive,
        merge: RegisteredEditorPriority.exclusive,
      },
    },
    { singlePerResource: true },
    {
      createEditorInput: ({ resource, options }) => ({
        editor: new PreviewInput(resource),
        options: { ...options, pinned: true },
      }),
    },
  )
}
