import { getService, IEditorService } from '@codingame/monaco-vscode-api'
import { Parts } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/layout/browser/layoutService'
import { attachPart } from '@codingame/monaco-vscode-views-service-override'
import { createRoot } from 'react-dom/client'
import { isBoxUri } from '../files/boxUri.ts'
import type { LightEditorOptions } from '../index.ts'
import { LightChrome } from './LightChrome.tsx'
import { treeActions } from './treeActions.ts'
import { treeStore } from './treeStore.ts'

export interface RenderChromeOptions extends Pick<
  LightEditorOptions,
  'client' | 'project' | 'canWrite' | 'openWorkbench'
> {
  openFile(path: string): Promise<void>
}

/** Draws what is around the editors into `element`, beside what VS Code lays over the page there. */
export async function renderChrome(
  element: HTMLElement,
  { client, project, canWrite, openFile, openWorkbench }: RenderChromeOptions,
): Promise<{ dispose(): void }> {
  const editors = await getService(IEditorService)
  const activeFile = () => {
    const resource = editors.activeEditor?.resource
    const folder = `${project.workspacePath}/`
    return resource && isBoxUri(resource) && resource.path.startsWith(folder)
      ? resource.path.slice(folder.length)
      : undefined
  }
  const holder = element.appendChild(document.createElement('div'))
  const root = createRoot(holder)
  await new Promise<void>((resolve) => {
    root.render(
      <LightChrome
        title={project.title}
        tree={client.fs.tree}
        store={treeStore(client.fs.tree)}
        actions={treeActions({ fs: client.fs, openFile })}
        canWrite={canWrite}
        attach={(places) => {
          const parts = [attachPart(Parts.EDITOR_PART, places.editors), attachPart(Parts.STATUSBAR_PART, places.status)]
          resolve()
          return { dispose: () => parts.forEach((part) => part.dispose()) }
        }}
        onActiveFile={(tell) => {
          tell(activeFile())
          return editors.onDidActiveEditorChange(() => tell(activeFile()))
        }}
        openWorkbench={openWorkbench}
      />,
    )
  })
  return {
    dispose: () => {
      root.unmount()
      holder.remove()
    },
  }
}
