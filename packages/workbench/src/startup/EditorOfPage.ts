import { Emitter } from '@boxyard/dev-server-client'
import {
  getService,
  ICommandService,
  IEditorService,
  IExtensionService,
  ITextFileService,
} from '@codingame/monaco-vscode-api'
import { ICodeEditorService } from '@codingame/monaco-vscode-api/vscode/vs/editor/browser/services/codeEditorService.service'
import type { Uri } from 'monaco-editor'
import { startEditorConfig } from '../editorConfig/startEditorConfig.ts'
import { fileOpener } from '../files/fileOpener.ts'
import { filesAhead } from '../files/filesAhead.ts'
import { FileSystem } from '../files/fileSystem.ts'
import { FollowedClient } from '../follow/followedClient.ts'
import type { LightEditorOptions, Pane, Workbench, WorkbenchOptions } from '../index.ts'
import type { Panes } from '../layout/panes.ts'
import { openPreview } from '../preview/openPreview.ts'
import { registerPreviewPane } from '../preview/previewPane.tsx'
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
import { editorPlace } from './editorPlace.ts'
import { keepFirstColors } from './firstColors.ts'
import { firstEditors } from './firstEditors.ts'
import { firstTextShown } from './firstTextShown.ts'
import { idle } from './idle.ts'
import { keepOpenEditors } from './keepOpenEditors.ts'
import { openWhenEmpty } from './openWhenEmpty.ts'
import { takeOver } from './takeOver.ts'
import { whenJoined } from './whenJoined.ts'

/**
 * What the workbench and the light editor do alike on a box: files, texts edited together, the text that the page showed first, and the work that
 * follows it in turns.
 */
export class EditorOfPage {
  readonly sync: TextSync
  readonly undo: ReturnType<typeof undoServiceOf>
  readonly files: FileSystem
  readonly store: ReturnType<typeof boxStore>
  readonly tasks: ReturnType<typeof taskActions>
  readonly openFile: ReturnType<typeof fileOpener>
  readonly followed = new FollowedClient()
  readonly #options: WorkbenchOptions | LightEditorOptions
  readonly #theme = new ThemeOfPage()
  readonly #paneChanges = new Emitter<Pane>()
  readonly #activeEditor = new Emitter<void>()
  #firstFile: Uri | undefined
  #shown: Promise<void> = Promise.resolve()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: WorkbenchOptions | LightEditorOptions) {
    this.#options = options
    const { client, project, canWrite, element, firstText, isAhead } = options
    const { workspacePath } = project
    // An editor that starts takes the focus several times.
    element.inert = firstText !== undefined
    this.sync = new TextSync({ connection: client.connection, files: client.files, workspacePath, canWrite })
    this.undo = undoServiceOf({ bindings: this.sync.bindings, reveal })
    const known = firstText && { path: `${workspacePath}/${firstText.path}`, text: firstText.base }
    const boxFiles = isAhead ? filesAhead(client.fs, client.connection, { workspacePath, known }) : client.fs
    this.files = new FileSystem(boxFiles, { readonly: !canWrite, boundFile: (path) => this.sync.boundFile(path) })
    this.store = boxStore(client)
    this.tasks = taskActions(client.tasks)
    this.openFile = fileOpener(workspacePath)
  }

  showPreview(port: number): void {
    openPreview(port).catch((error: unknown) => report('The preview did not open', error))
  }

  runSetupStep(step: number): void {
    this.#options.client.setup.setStep(step).catch((error: unknown) => report('The set-up did not go on', error))
  }

  runCommand(id: string): void {
    getService(ICommandService)
      .then((commands) => commands.executeCommand(id))
      .catch((error: unknown) => report('The command failed', error))
  }

  /** Call before `start`. */
  registerPreview(): void {
    const { client, canWrite, showsConsole = false } = this.#options
    registerPreviewPane({
      store: this.store,
      shells: client.shells,
      previewUrl: (port) => this.#options.previewUrl(port),
      canWrite,
      showsConsole,
      runTask: this.tasks.run,
      openPort: (port) => this.showPreview(port),
      openPlace: ({ path, line, column }) => {
        this.openFile(path, { line, column }).catch((error: unknown) => report(`${path} did not open`, error))
      },
      runSetupStep: (step) => this.runSetupStep(step),
    })
  }

  /** What a first visit begins with. */
  async firstEditors(): ReturnType<typeof firstEditors> {
    const { client, project, file, firstText } = this.#options
    // A text that an earlier load of the page kept may be of a file that is gone; colors are of one that is there.
    const present = firstText && firstText.lines.length > 0 ? firstText.path : undefined
    const editors = await firstEditors(client.fs, project, { file, present })
    this.#firstFile = editors[0]?.uri
    return editors
  }

  /** The services are there: binds the texts, tells that the editor can be used, and shows the file of a first visit. */
  async begin(): Promise<void> {
    const { client, project, firstText, isSavingShown, beginOwnCopy, onReady, onWillSave } = this.#options
    const { workspacePath } = project
    // The first key may come as soon as there is an editor.
    if (beginOwnCopy) void this.background('What is typed makes no copy', this.#copyOnEdit(beginOwnCopy))
    if (firstText) await keepFirstColors(firstText, workspacePath)
    await startTextSync({ client, sync: this.sync, undoGroup: this.undo.groups.undoGroup })
    if (onWillSave) tellSaves((await getService(ITextFileService)).files, workspacePath, onWillSave)
    const indented = (error: unknown) => report('The .editorconfig files were not read', error)
    startEditorConfig({ fs: client.fs, files: this.files, workspacePath, onError: indented }).catch(indented)
    await showStatus(client.connection, this.sync, isSavingShown ?? false)
    onReady?.()
    void this.background('No file was opened', openWhenEmpty(this.#firstFile))
    this.#shown = this.#show()
    // Behind what the built-in extensions say of themselves and whatever is still to be drawn.
    this.#turn = this.#shown.then(async () => (await getService(IExtensionService)).whenInstalledExtensionsRegistered())
  }

  /** Resolves when the work is done or its failure is told. */
  background(what: string, work: Promise<void>): Promise<void> {
    return work.catch((error: unknown) => report(what, error))
  }

  /** Does work when the person looks at the text and the browser has nothing better to do, one at a time. */
  after(what: string, work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(idle)
    return this.background(what, this.#turn.then(work))
  }

  /** The work that follows the text in both editors. */
  follow(): void {
    const { client, project } = this.#options
    const { workspacePath } = project
    const { sync, files, openFile } = this
    void this.after('Which files are open is not kept at once', keepOpenEditors)
    void this.after('Files that others rename are not followed', async () => {
      const { followRenames } = await import('../files/followRenames.ts')
      const onError = (error: unknown) => report('A file that was renamed did not open', error)
      await followRenames({ tree: client.fs.tree, files, workspacePath, onError })
    })
    // A sandbox without a machine keeps its edits in this browser anyway.
    if (project.kind !== 'sandbox') {
      void this.after('Edits are kept in this page alone', async () => {
        const { startBackup } = await import('../backup/startBackup.ts')
        await startBackup({ box: project.id, sync, openFile })
      })
    }
    void this.after('Nobody can be followed', async () => {
      const { startFollowing } = await import('../follow/startFollowing.ts')
      this.followed.begin(await startFollowing({ client, sync, workspacePath }))
    })
    void this.after('The next visit may begin with another file', async () => {
      const editors = await getService(IEditorService)
      editors.onDidActiveEditorChange(() => this.#activeEditor.fire())
      this.#activeEditor.fire()
    })
    void this.after('The page does not follow the theme', () => this.#theme.follow())
  }

  /** What the page around it is given. `chrome` is what else goes with it. */
  forPage(panes: Promise<Panes>, chrome?: { dispose(): void }): Workbench {
    void this.background(
      'The panes do not follow the size of the window',
      panes.then((found) => void found.onDidChangePane((pane) => this.#paneChanges.fire(pane))),
    )
    const { sync, followed } = this
    const theme = this.#theme
    const { workspacePath } = this.#options.project
    return {
      openFile: this.openFile,
      openPreview,
      showPane: (pane) => {
        panes.then((found) => found.show(pane)).catch((error: unknown) => report('The pane was not shown', error))
      },
      onDidChangePane: this.#paneChanges.event,
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
      whenShown: this.#shown,
      editorPlace: () => editorPlace(workspacePath),
      onDidChangeEditor: this.#activeEditor.event,
      focus: () => this.runCommand('workbench.action.focusActiveEditorGroup'),
      dispose: () => {
        chrome?.dispose()
        sync.dispose()
        this.files.dispose()
      },
      get saveState() {
        return sync.saveState
      },
      onDidChangeSaveState: sync.onDidChangeSaveState,
    }
  }

  async #copyOnEdit(begin: NonNullable<WorkbenchOptions['beginOwnCopy']>): Promise<void> {
    const { workspacePath } = this.#options.project
    const { ownCopyOnEdit } = await import('../text/ownCopyOnEdit.ts')
    ownCopyOnEdit(await getService(ICodeEditorService), { workspacePath, begin })
  }

  /** Resolves when the text is on the screen, in the editor itself. */
  async #show(): Promise<void> {
    const { client, element, firstText, isAhead, project } = this.#options
    // On a page that is made ahead the first text stays as long as there is no box: what is typed there is kept in the tab.
    if (isAhead) await whenJoined(client.connection)
    if (!firstText) return firstTextShown()
    try {
      await takeOver(firstText, element, project.workspacePath)
    } catch (error) {
      element.inert = false
      report('What was typed is still on the page', error)
    }
  }
}
