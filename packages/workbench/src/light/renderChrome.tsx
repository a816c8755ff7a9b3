import { getService, IEditorService, IKeybindingService } from '@codingame/monaco-vscode-api'
import { Parts } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/layout/browser/layoutService'
import { attachPart } from '@codingame/monaco-vscode-views-service-override'
import { createRoot } from 'react-dom/client'
import { isBoxUri } from '../files/boxUri.ts'
import type { LightEditorOptions } from '../index.ts'
import { fileIcons } from './fileIcons.ts'
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
  const icons = await fileIcons(project.workspacePath)
  const activeFile = () => {
    const resource = editors.activeEditor?.resource
    const folder = `${project.workspacePath}/`
    return resource && isBoxUri(resource) && resource.path.startsWith(folder)
      ? resource.path.slice(folder.length)
      : undefined
  }
  const holder = element.appendChild(document.createElement('div'))
  // The keys of commands are those of the editors alone otherwise. What the list of files does with a key does not come this far.
  const keys = (await getService(IKeybindingService)).registerContainer(holder)
  const root = createRoot(holder.appendChild(document.createElement('div')))
  await new Promise<void>((resolve) => {
    root.render(
      <LightChrome
        title={project.title}
        tree={client.fs.tree}
        store={treeStore(client.fs.tree)}
        icons={icons}
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
      keys.dispose()
      root.unmount()
      holder.remove()
    },
  }
}
