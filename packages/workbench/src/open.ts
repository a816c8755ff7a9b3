import { type DevServerClient } from '@boxyard/dev-server-client'
import { getService, INotificationService } from '@codingame/monaco-vscode-api'
import { SearchProviderType } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/search/common/search'
import { ISearchService } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/search/common/search.service'
import { BOX_AUTHORITY, boxScheme } from './files/boxUri.ts'
import type { startLanguageServer as StartLanguageServer } from './language/startLanguageServer.ts'
import type { Workbench, WorkbenchOptions } from './index.ts'
import { registerChatPlace } from './ai/registerChatPlace.ts'
import { openPreviewWhenServed } from './preview/openPreview.ts'
import { gitCommands } from './scm/gitCommandIds.ts'
import { registerGitColors } from './scm/gitColors.ts'
import { reviewSource } from './comments/reviewSource.ts'
import { registerNoRepository } from './scm/registerNoRepository.ts'
import { startSourceControl } from './scm/startSourceControl.ts'
import { NARROW } from './layout/narrow.ts'
import { narrowLayout } from './layout/narrowLayout.ts'
import { showSideBar } from './layout/showSideBar.ts'
import { registerPicturePane } from './images/registerPicturePane.ts'
import { openFirstNewTab } from './newTab/openNewTab.ts'
import { registerNewTab, terminalCommand, workbenchCommands } from './newTab/registerNewTab.ts'
import { startFormat } from './format/startFormat.ts'
import { SearchProvider } from './search/searchProvider.ts'
import { EditorOfPage } from './startup/EditorOfPage.ts'
import { workbenchServices } from './startup/services.ts'
import { start } from './startup/start.ts'
import { windowIndicator } from './startup/windowIndicator.ts'
import { readFoldersAgain } from './files/readFoldersAgain.ts'
import { RECONNECT } from './status/showStatus.ts'
import { report } from './status/report.ts'
import { openTerminals } from './terminal/openTerminals.ts'
import { shellRights } from './terminal/shellRights.ts'
import { limitTerminalClipboard } from './terminal/terminalClipboard.ts'
import type { TerminalOpener } from './terminal/terminalOpener.ts'
import { TerminalBackend } from './terminal/terminalBackend.ts'
import { boxSockets } from './vsCodeServer/boxSockets.ts'
import { connectVsCodeServer } from './vsCodeServer/connectVsCodeServer.ts'
import { keepServerLink } from './vsCodeServer/keepServerLink.ts'
import { ServerLink } from './vsCodeServer/ServerLink.ts'
import { registerDebugOffer } from './vsCodeServer/registerDebugOffer.ts'
import { DISABLE_VS_CODE_SERVER, ENABLE_VS_CODE_SERVER } from './vsCodeServer/serverCommands.ts'
import { dependencyActions } from './views/dependencyActions.ts'
import { dependencyStore } from './views/dependencyStore.ts'
import { registerBoxView } from './views/registerBoxView.tsx'
import { registerRemoteView } from './views/registerRemoteView.tsx'

const NO_LANGUAGES = 'Help with TypeScript and JavaScript is not there'

/** See openWorkbench(). Kept apart from it, so that nothing of the editor is fetched before it is asked for. */
export async function open(options: WorkbenchOptions): Promise<Workbench> {
  const { client, project, canWrite, element } = options
  const { workspacePath } = project
  const editor = new EditorOfPage(options)
  const { store, tasks, files } = editor
  const background = (what: string, work: Promise<void>) => editor.background(what, work)
  const after = (what: string, work: () => Promise<void>) => editor.after(what, work)
  const showPreview = (port: number) => editor.showPreview(port)
  const rights = shellRights(canWrite, client.connection)
  const backend = new TerminalBackend({ shells: client.shells, cwd: workspacePath, rights })
  editor.registerPreview()
  let opener: Promise<TerminalOpener> | undefined
  const terminals = () => (opener ??= openTerminals(client, backend, rights))
  const showShell = (shellId: string, name: string) => {
    terminals()
      .then((found) => found.show(shellId, name))
      .catch((error: unknown) => report('The terminal did not open', error))
  }
  registerNewTab({
    store,
    canWrite,
    commands: canWrite ? [terminalCommand, ...workbenchCommands] : workbenchCommands,
    openPreview: showPreview,
    runTask: tasks.run,
    showShell,
  })
  registerBoxView({
    name: project.kind === 'sandbox' ? 'Sandbox' : 'Devbox',
    store,
    canWrite,
    dependencies:
      project.kind === 'sandbox'
        ? { store: dependencyStore(client.fs, workspacePath), actions: dependencyActions(client.tasks) }
        : null,
    actions: {
      ...tasks,
      showShell,
      openPreview: showPreview,
      runSetupStep: (step) => editor.runSetupStep(step),
      skipSetupStep: (stepIndex) => {
        client.setup.skip(stepIndex).catch((error: unknown) => report('The step was not skipped', error))
      },
      follow: (clientId) => editor.followed.toggle(clientId),
    },
    // A sandbox without a machine has nothing to measure.
    system: project.kind === 'sandbox' ? undefined : client.system,
    services: options.box ?? {},
  })

  limitTerminalClipboard()
  registerPicturePane(files)
  registerGitColors()
  const connected = await connectVsCodeServer(options.vsCodeServer, client.connection, {
    onStart: options.onServerStart,
  })
  const { server } = connected
  if (server) backend.serve(BOX_AUTHORITY)
  const link = server && new ServerLink({ place: options.vsCodeServer!, connection: client.connection, server })
  registerChatPlace()
  const mayHaveServer = options.vsCodeServer !== undefined && canWrite
  if (mayHaveServer && !server) registerDebugOffer()
  if (project.kind === 'sandbox') registerNoRepository(options.onConvert)
  // A sandbox without a machine is in this page.
  if (project.kind !== 'sandbox') {
    registerRemoteView({
      title: project.title,
      store,
      connection: client.connection,
      link,
      previewUrl: (port) => options.previewUrl(port),
      actions: {
        openPreview: showPreview,
        copy: (address) => {
          navigator.clipboard.writeText(address).catch((error: unknown) => report('The address was not copied', error))
        },
        reconnect: () => editor.runCommand(RECONNECT),
        enableServer: mayHaveServer ? () => editor.runCommand(ENABLE_VS_CODE_SERVER) : undefined,
        disableServer: mayHaveServer && server ? () => editor.runCommand(DISABLE_VS_CODE_SERVER) : undefined,
      },
    })
  }

  let found: ReturnType<typeof findLanguages> | undefined
  const languages = () => (found ??= findLanguages(client))
  const startLanguages = async () => {
    const start = await languages()
    const told = (error: unknown) => report(NO_LANGUAGES, error)
    await start?.(client, { workspacePath, whenTold: (path) => editor.sync.whenTold(path), report: told })
  }
  // It sets out while the editor does, and asks for it when it needs it. A VS Code server knows languages itself, and two would tell everything
  // twice.
  if (project.kind !== 'sandbox' && !server) void background(NO_LANGUAGES, startLanguages())
  const editors = await editor.firstEditors()
  const debugging = server && (await import('@codingame/monaco-vscode-debug-service-override')).default
  await start({
    element,
    projectId: project.id,
    kind: project.kind,
    workspacePath,
    colorScheme: options.colorScheme,
    files,
    services: (databases) =>
      workbenchServices({
        terminals: backend,
        undo: editor.undo.ctor,
        title: project.title,
        workspacePath,
        colorScheme: options.colorScheme,
        extensions: options.extensions,
        debugging,
        databases,
      }),
    extensions: options.extensions,
    defaultLayout: { editors },
    server: server && { ...server, sockets: boxSockets(client.connection, server.port) },
    windowIndicator: windowIndicator(project.kind, link),
  })

  if (link) await keepServerLink(link)
  if (server && options.extensions) {
    const { installFromOurGallery } = await import('./vsCodeServer/installInBox.ts')
    await installFromOurGallery().catch((error: unknown) => report('Extensions can not be installed in the box', error))
  }
  const search = await getService(ISearchService)
  const searchProvider = new SearchProvider(client.fs, workspacePath)
  search.registerSearchResultProvider(boxScheme(), SearchProviderType.text, searchProvider)
  search.registerSearchResultProvider(boxScheme(), SearchProviderType.file, searchProvider)
  readFoldersAgain([client.connection.onDidJoin, editor.files.onDidBeginWatching], (error) =>
    report('The explorer did not read its folders again', error),
  )
  await editor.begin()

  after('The second column did not open', async () => {
    const layout = await narrow
    await openFirstNewTab(project.id)
    layout.keep()
    await openPreviewWhenServed(client)
    layout.keep()
  })
  const terminalsTaken = after('The terminals were not taken up', async () => {
    try {
      await (await terminals()).start((error) => report('A terminal did not open', error))
    } finally {
      options.onCommandsReady?.()
    }
  })
  const narrow = narrowLayout(terminalsTaken)
  const { sideBar } = options
  // In a small window it is a drawer over the code.
  if (sideBar !== undefined && !window.matchMedia(NARROW).matches)
    void background(
      'The side bar is not what the address asks for',
      narrow.then(() => showSideBar(sideBar)),
    )
  // A sandbox without a machine has none.
  if (project.kind !== 'sandbox') {
    after('The dev container is not followed', async () => {
      const { startDevContainer } = await import('./devContainer/startDevContainer.ts')
      await startDevContainer({ client, workspacePath, canWrite })
    })
  }
  editor.follow()
  // The archive of a sandbox without a machine is one of everything, which the page around the editor offers.
  if (project.kind !== 'sandbox' && options.mayDownload) {
    after('Folders are not downloaded', async () => {
      const { offerFolderDownload } = await import('./files/offerFolderDownload.ts')
      offerFolderDownload({
        connection: client.connection,
        workspacePath,
        previewUrl: (port) => options.previewUrl(port),
        onError: (error) => report('The folder was not downloaded', error),
      })
    })
  }
  after('Failed uploads are not named', async () => {
    const { tellFailedUploads } = await import('./files/tellFailedUploads.ts')
    const notifications = await getService(INotificationService)
    tellFailedUploads((text) => notifications.error(text))
  })
  after('Source control did not start', async () =>
    startSourceControl({
      client,
      texts: editor.sync,
      // Without it there are still changes and commits.
      host: await options.branch?.catch((error: unknown) => {
        report('Pulls, pushes and pull requests are not there. Load the page again to try once more', error)
        return undefined
      }),
      maker: options.repositoryMaker,
      workspacePath,
      canWrite,
    }),
  )
  after('What AI offers is not shown', async () => {
    const { startAiPlaces } = await import('./ai/startAiPlaces.ts')
    await startAiPlaces(client.connection)
  })
  after('Pull requests are not listed', async () => {
    const host = await options.branch?.catch(() => undefined)
    if (!host) return
    const { registerPullRequestsView } = await import('./scm/registerPullRequestsView.tsx')
    registerPullRequestsView(
      host,
      client.git,
      canWrite && host.canPush ? () => editor.runCommand(gitCommands.createPullRequest) : undefined,
    )
  })
  after('Comments are not shown', async () => {
    const { startComments } = await import('./comments/startComments.ts')
    const shown = await startComments(workspacePath, options.revealedComment)
    // Source control says why there is no host.
    const host = await options.branch?.catch(() => undefined)
    if (host?.review) shown.add(reviewSource(host.review, client.git))
    if (options.comments) shown.add(await options.comments())
  })
  after('What the box offers is not in the command palette', async () => {
    const { offerCommands } = await import('./status/offerCommands.ts')
    await client.commands.ready
    offerCommands(client.commands, project.kind === 'sandbox' ? 'Sandbox' : 'Devbox', report)
  })
  const { onPreviewRun } = options
  if (onPreviewRun) {
    after('The preview follows every edit', async () => {
      const { startPreviewRun } = await import('./preview/previewRun.ts')
      await startPreviewRun(onPreviewRun)
    })
  }
  // Before the formatters of languages: there is never a text that has those alone.
  after('Texts are not formatted by Prettier', () => startFormat({ fs: client.fs, workspacePath }))
  // The compiler of a sandbox without a machine runs in this browser, and waits for the preview.
  if (project.kind === 'sandbox') after(NO_LANGUAGES, startLanguages)
  after('Key bindings are not looked at', async () => {
    const { watchKeyBindings } = await import('./settings/watchKeyBindings.ts')
    await watchKeyBindings((error) => report('Your key bindings were not read', error))
  })
  after('Extensions did not start', async () => {
    if (!server) await languages()
    await startLate(options)
  })
  const { settings, extensions, vsCodeServer } = options
  if (vsCodeServer && canWrite) {
    after('VSCode Extensions can not be enabled', async () => {
      const { offerVsCodeServer } = await import('./vsCodeServer/offerVsCodeServer.ts')
      await offerVsCodeServer(vsCodeServer, client.connection, connected, link)
    })
  }
  if (extensions) {
    after('Extensions are not installed from files', async () => {
      const { startExtensions } = await import('./extensions/startExtensions.ts')
      await startExtensions(extensions, server !== undefined)
    })
  }
  if (settings) {
    after('Your settings are kept in this browser alone', async () => {
      const { startSettingsSync } = await import('./settings/startSettingsSync.ts')
      await startSettingsSync(settings, extensions)
    })
  }

  return editor.forPage(narrow)
}

/** What starts the language server of the dev server. Undefined without one: then a part of the page does it, for each file that is shown alone. */
async function findLanguages(client: DevServerClient): Promise<typeof StartLanguageServer | undefined> {
  const { hasLanguageServer, startLanguageServer } = await import('./language/startLanguageServer.ts')
  if (await hasLanguageServer(client)) return startLanguageServer
  await import('./language/typescriptFeatures.ts')
  return undefined
}

/** Extensions, their host and the other languages. */
async function startLate({ extensions }: WorkbenchOptions): Promise<void> {
  const { startExtensionHost } = await import('./startup/late.ts')
  // What extensions say of themselves is not taken in while a host of theirs is on its way, and without a server none comes.
  await extensions?.whenServed()
  await startExtensionHost()
}
