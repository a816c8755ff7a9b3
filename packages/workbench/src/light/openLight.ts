import { getService, INotificationService } from '@codingame/monaco-vscode-api'
import { Action2, registerAction2 } from '@codingame/monaco-vscode-api/vscode/vs/platform/actions/common/actions'
import { Severity } from '@codingame/monaco-vscode-api/vscode/vs/platform/notification/common/notification'
import { registerPicturePane } from '../images/registerPicturePane.ts'
import type { LightEditorOptions, Workbench } from '../index.ts'
import { openFirstNewTab } from '../newTab/openNewTab.ts'
import { registerNewTab } from '../newTab/registerNewTab.ts'
import { openPreviewWhenServed } from '../preview/openPreview.ts'
import { SearchProvider } from '../search/searchProvider.ts'
import { EditorOfPage } from '../startup/EditorOfPage.ts'
import { start } from '../startup/start.ts'
import { windowIndicator } from '../startup/windowIndicator.ts'
import { report } from '../status/report.ts'
import { lightPanes } from './lightPanes.ts'
import { lightServices } from './lightServices.ts'
import { renderChrome } from './renderChrome.tsx'

/**
 * See openLightEditor(). Like the workbench it stands on the dev-server client, with the same files, shared texts, undo, cursors and panes; it
 * imports nothing that the workbench alone needs.
 */
export async function openLight(options: LightEditorOptions): Promise<Workbench> {
  const { client, project, canWrite, element, openWorkbench } = options
  const { workspacePath } = project
  const editor = new EditorOfPage(options)
  const { sync, files, openFile } = editor
  const after = (what: string, work: () => Promise<void>) => editor.after(what, work)
  const offerWorkbench = (message: string) => {
    getService(INotificationService).then(
      (notifications) =>
        notifications.prompt(Severity.Info, message, [{ label: 'Open the workbench', run: openWorkbench }]),
      (error: unknown) => report(message, error),
    )
  }
  editor.registerPreview()
  registerNewTab({
    store: editor.store,
    canWrite,
    commands: [
      { id: 'workbench.action.quickOpen', name: 'Open a file', icon: 'go-to-file' },
      { id: 'workbench.action.showCommands', name: 'Show all commands', icon: 'list-unordered' },
    ],
    openPreview: (port) => editor.showPreview(port),
    runTask: editor.tasks.run,
    showShell: (_shellId, name) => offerWorkbench(`The output of ${name} is in the workbench.`),
  })
  registerPicturePane(files)
  registerAction2(
    class extends Action2 {
      constructor() {
        const title = 'Open the Workbench'
        super({ id: 'boxyard.openWorkbench', title: { value: title, original: title }, f1: true })
      }
      run(): void {
        openWorkbench()
      }
    },
  )

  const editors = await editor.firstEditors()
  await start({
    element,
    projectId: project.id,
    kind: project.kind,
    workspacePath,
    colorScheme: options.colorScheme,
    extensions: undefined,
    files,
    services: (databases) =>
      lightServices({
        undo: editor.undo.ctor,
        title: project.title,
        workspacePath,
        colorScheme: options.colorScheme,
        search: new SearchProvider(client.fs, workspacePath),
        databases,
      }),
    defaultLayout: { editors },
    server: undefined,
    windowIndicator: windowIndicator(project.kind, undefined),
  })
  const chrome = await renderChrome(element, { client, project, canWrite, openFile, openWorkbench })
  await editor.begin()

  const panes = lightPanes()
  after('The second column did not open', async () => {
    const found = await panes
    if (options.layout === 'editor') return found.show('code')
    await openFirstNewTab(project.id)
    if (options.layout === 'preview') found.show('preview')
    else found.keep()
    await openPreviewWhenServed(client)
    found.keep()
  })
  after('Files are not found by name', async () => {
    const { registerGoToFile } = await import('./goToFile.ts')
    registerGoToFile()
  })
  after('Files have no icons', async () => void (await import('@codingame/monaco-vscode-theme-seti-default-extension')))
  after('The other languages have no colors', async () => void (await import('../language/grammars.ts')))
  after('The other themes are not there', async () => {
    const { registerMoreThemes } = await import('../theme/registerMoreThemes.ts')
    registerMoreThemes()
  })
  editor.follow()
  after('Texts are not formatted by Prettier', async () => {
    const { startFormat } = await import('../format/startFormat.ts')
    await startFormat({ fs: client.fs, workspacePath })
  })
  after('Help with languages is not there', async () => {
    const { hasLanguageServer, startLanguageServer } = await import('../language/startLanguageServer.ts')
    if (!(await hasLanguageServer(client))) return
    const told = (error: unknown) => report('Help with languages is not there', error)
    await startLanguageServer(client, { workspacePath, whenTold: (path) => sync.whenTold(path), report: told })
  })
  after('Commands are not there', async () => options.onCommandsReady?.())

  return editor.forPage(panes, chrome)
}
