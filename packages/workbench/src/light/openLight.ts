import { Emitter } from '@boxyard/dev-server-client'
import {
  getService,
  ICommandService,
  IEditorService,
  INotificationService,
  ITextFileService,
} from '@codingame/monaco-vscode-api'
import { Action2, registerAction2 } from '@codingame/monaco-vscode-api/vscode/vs/platform/actions/common/actions'
import { Severity } from '@codingame/monaco-vscode-api/vscode/vs/platform/notification/common/notification'
import { startEditorConfig } from '../editorConfig/startEditorConfig.ts'
import { fileOpener } from '../files/fileOpener.ts'
import { FileSystem } from '../files/fileSystem.ts'
import { FollowedClient } from '../follow/followedClient.ts'
import { registerPicturePane } from '../images/registerPicturePane.ts'
import type { LightEditorOptions, Pane, Workbench } from '../index.ts'
import { openFirstNewTab } from '../newTab/openNewTab.ts'
import { registerNewTab } from '../newTab/registerNewTab.ts'
import { openPreview, openPreviewWhenServed } from '../preview/openPreview.ts'
import { registerPreviewPane } from '../preview/previewPane.tsx'
import { SearchProvider } from '../search/searchProvider.ts'
import { editorPlace } from '../startup/editorPlace.ts'
import { firstEditors } from '../startup/firstEditors.ts'
import { firstTextShown } from '../startup/firstTextShown.ts'
import { idle } from '../startup/idle.ts'
import { keepOpenEditors } from '../startup/keepOpenEditors.ts'
import { openWhenEmpty } from '../startup/openWhenEmpty.ts'
import { start } from '../startup/start.ts'
import { windowIndicator } from '../startup/windowIndicator.ts'
import { report } from '../status/report.ts'
import { showStatus } from '../status/showStatus.ts'
import { reveal } from '../text/reveal.ts'
import { startTextSync } from '../text/startTextSync.ts'
import { tellSaves } from '../text/tellSaves.ts'
import { TextSync } from '../text/textSync.ts'
import { undoServiceOf } from '../text/undoService.ts'
import { ThemeOfPage } from '../theme/ThemeOfPage.ts'
import { boxStore } from '../views/boxStore.ts'
import { taskActions } from '../views/taskActions.ts'
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
  const sync = new TextSync({ connection: client.connection, files: client.files, workspacePath, canWrite })
  const undo = undoServiceOf({ bindings: sync.bindings, reveal })
  const files = new FileSystem(client.fs, { readonly: !canWrite, boundFile: (path) => sync.boundFile(path) })
  const openFile = fileOpener(workspacePath)
  const store = boxStore(client)
  const tasks = taskActions(client.tasks)
  const followed = new FollowedClient()
  const showPreview = (port: number) => {
    openPreview(port).catch((error: unknown) => report('The preview did not open', error))
  }
  const offerWorkbench = (message: string) => {
    getService(INotificationService).then(
      (notifications) =>
        notifications.prompt(Severity.Info, message, [{ label: 'Open the workbench', run: openWorkbench }]),
      (error: unknown) => report(message, error),
    )
  }
  registerPreviewPane({
    store,
    shells: client.shells,
    previewUrl: (port) => options.previewUrl(port),
    canWrite,
    runTask: tasks.run,
    openPort: showPreview,
    openPlace: ({ path, line, column }) => {
      openFile(path, { line, column }).catch((error: unknown) => report(`${path} did not open`, error))
    },
    runSetupStep: (step) => {
      client.setup.setStep(step).catch((error: unknown) => report('The set-up did not go on', error))
    },
  })
  registerNewTab({
    store,
    canWrite,
    commands: [
      { id: 'workbench.action.quickOpen', name: 'Open a file', icon: 'go-to-file' },
      { id: 'workbench.action.showCommands', name: 'Show all commands', icon: 'list-unordered' },
    ],
    openPreview: showPreview,
    runTask: tasks.run,
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

  const editors = await firstEditors(client.fs, project, { file: options.file, present: undefined })
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
        undo: undo.ctor,
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
  await startTextSync({ client, sync, undoGroup: undo.groups.undoGroup })
  const { onWillSave } = options
  if (onWillSave) tellSaves((await getService(ITextFileService)).files, workspacePath, onWillSave)
  const indented = (error: unknown) => report('The .editorconfig files were not read', error)
  startEditorConfig({ fs: client.fs, files, workspacePath, onError: indented }).catch(indented)
  await showStatus(client.connection, sync, options.isSavingShown ?? false)
  options.onReady?.()

  const background = (what: string, work: Promise<void>) => work.catch((error: unknown) => report(what, error))
  void background('No file was opened', openWhenEmpty(editors[0]?.uri))
  const shown = firstTextShown()
  // One at a time, and behind whatever is still to be drawn.
  let turn = shown
  const after = (what: string, work: () => Promise<void>) => {
    turn = turn.then(idle)
    void background(what, turn.then(work))
  }
  const panes = lightPanes()
  const paneChanges = new Emitter<Pane>()
  void background(
    'The panes do not follow the size of the window',
    panes.then((found) => void found.onDidChangePane((pane) => paneChanges.fire(pane))),
  )
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
  after('Which files are open is not kept at once', keepOpenEditors)
  after('Files that others rename are not followed', async () => {
    const { followRenames } = await import('../files/followRenames.ts')
    const onError = (error: unknown) => report('A file that was renamed did not open', error)
    await followRenames({ tree: client.fs.tree, files, workspacePath, onError })
  })
  // A sandbox without a machine keeps its edits in this browser anyway.
  if (project.kind !== 'sandbox') {
    after('Edits are kept in this page alone', async () => {
      const { startBackup } = await import('../backup/startBackup.ts')
      await startBackup({ box: project.id, sync, openFile })
    })
  }
  after('Nobody can be followed', async () => {
    const { startFollowing } = await import('../follow/startFollowing.ts')
    followed.begin(await startFollowing({ client, sync, workspacePath }))
  })
  const activeEditor = new Emitter<void>()
  after('The next visit may begin with another file', async () => {
    const service = await getService(IEditorService)
    service.onDidActiveEditorChange(() => activeEditor.fire())
    activeEditor.fire()
  })
  const theme = new ThemeOfPage()
  after('The page does not follow the theme', () => theme.follow())
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

  return {
    openFile,
    openPreview,
    showPane: (pane) => {
      panes.then((found) => found.show(pane)).catch((error: unknown) => report('The pane was not shown', error))
    },
    onDidChangePane: paneChanges.event,
    toggleFollowing: (clientId) => followed.toggle(clientId),
    get followedClient() {
      return followed.clientId
    },
    onDidChangeFollowedClient: followed.onDidChange,
    setColorScheme: (scheme) => theme.set(scheme),
    chooseColorScheme: (scheme) => theme.choose(scheme),
    get colors() {
      return theme.colors
    },
    onDidChangeColors: theme.onDidChange,
    whenShown: shown,
    editorPlace: () => editorPlace(workspacePath),
    onDidChangeEditor: activeEditor.event,
    focus: () => {
      getService(ICommandService)
        .then((commands) => commands.executeCommand('workbench.action.focusActiveEditorGroup'))
        .catch((error: unknown) => report('The command failed', error))
    },
    dispose: () => {
      chrome.dispose()
      sync.dispose()
      files.dispose()
    },
    get saveState() {
      return sync.saveState
    },
    onDidChangeSaveState: sync.onDidChangeSaveState,
  }
}
