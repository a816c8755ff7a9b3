import type { DevServerClient } from '@boxyard/dev-server-client'
import {
  getService,
  IContextKeyService,
  IDialogService,
  IEditorService,
  ILanguageService,
  IModelService,
  INotificationService,
  IQuickInputService,
  ITextFileService,
} from '@codingame/monaco-vscode-api'
import { isCodeEditor, isDiffEditor } from '@codingame/monaco-vscode-api/vscode/vs/editor/browser/editorBrowser'
import { ITextModelService } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/services/resolverService.service'
import type { Command } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/languages'
import { Severity } from '@codingame/monaco-vscode-api/vscode/vs/platform/notification/common/notification'
import { IQuickDiffModelService } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/scm/browser/quickDiffModel.service'
import { IQuickDiffService } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/scm/common/quickDiff.service'
import { ISCMService } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/scm/common/scm.service'
import { IDecorationsService } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/decorations/common/decorations.service'
import { Uri } from 'monaco-editor'
import { isBoxUri } from '../files/boxUri.ts'
import { boxUri } from '../files/boxUri.ts'
import { report } from '../status/report.ts'
import type { BranchHost, RepositoryMaker } from './branchHost.ts'
import { askForPullRequest, askForRepository, showBranchMenu } from './branchMenu.ts'
import { branchEntry, nextStep, pullRequestEntry, syncEntry } from './branchWords.ts'
import { gitChanges, isRepository, type GitChange } from './gitChanges.ts'
import { gitCommands } from './gitCommandIds.ts'
import { GIT_SCHEME, GitContent } from './gitContent.ts'
import { GitDecorations } from './gitDecorations.ts'
import { GitResource, type ChangeOpener } from './gitGroup.ts'
import { gitContext, registerGitMenus } from './gitMenus.ts'
import { GIT_PROVIDER, GitProvider } from './gitProvider.ts'
import { QuickDiffGutter } from './quickDiffGutter.ts'
import { revertEdits } from './revertChange.ts'
import { ShownRepository } from './ShownRepository.ts'
import { SourceControl } from './sourceControl.ts'
import { startFileHistory } from './startFileHistory.ts'
import { stepButton } from './stepButton.ts'
import { saveAllTexts } from '../text/saveAllTexts.ts'
import type { TextSync } from '../text/textSync.ts'

export interface StartSourceControlOptions {
  client: Pick<DevServerClient, 'git' | 'fs' | 'connection'>
  texts: Pick<TextSync, 'saveAll'>
  host: BranchHost | undefined
  maker: RepositoryMaker | undefined
  workspacePath: string
  canWrite: boolean
}

/** Shows the repository of the box in the workbench's source control, and lets the person work with it. */
export async function startSourceControl({
  client,
  texts,
  host,
  maker,
  workspacePath,
  canWrite,
}: StartSourceControlOptions): Promise<void> {
  const { git } = client
  const root = boxUri(workspacePath)
  const [scm, models, languages, editors, contextKeys, ask, notifications, textFiles] = await Promise.all([
    getService(ISCMService),
    getService(IModelService),
    getService(ILanguageService),
    getService(IEditorService),
    getService(IContextKeyService),
    getService(IQuickInputService),
    getService(INotificationService),
    getService(ITextFileService),
  ])
  const content = new GitContent(git, workspacePath, { models, languages })
  ;(await getService(ITextModelService)).registerTextModelContentProvider(GIT_SCHEME, content)
  const decorations = new GitDecorations(workspacePath)
  ;(await getService(IDecorationsService)).registerDecorationsProvider(decorations)

  const head = () => git.status?.head
  const openFile = (path: string) =>
    editors.openEditor({ resource: Uri.joinPath(root, path), options: { pinned: true } })
  const opener: ChangeOpener = {
    original: ({ path, kind }) => {
      const commit = head()
      return commit === undefined || kind === 'untracked' || kind === 'added'
        ? undefined
        : content.resource(path, commit)
    },
    modified: ({ path, kind }) => (kind === 'deleted' ? undefined : Uri.joinPath(root, path)),
    open: (change, preserveFocus) => openChange(change, preserveFocus),
  }
  const openChange = async (change: GitChange, preserveFocus: boolean): Promise<void> => {
    const original = opener.original(change)
    const modified = opener.modified(change)
    const options = { preserveFocus, pinned: !preserveFocus }
    const name = change.path.split('/').at(-1)
    if (change.kind === 'conflict' || !original || !modified) {
      const resource = modified ?? original
      if (resource) await editors.openEditor({ resource, options, ...(!modified && { label: `${name} (deleted)` }) })
      return
    }
    const sides = { original: { resource: original }, modified: { resource: modified } }
    await editors.openEditor({ ...sides, label: `${name} (since the last commit)`, options })
  }

  const getOriginalResource = async ({ scheme, path }: Uri): Promise<Uri | null> => {
    const commit = head()
    const isInside = isBoxUri({ scheme }) && path.startsWith(`${workspacePath}/`)
    if (commit === undefined || !isInside) return null
    const relative = path.slice(workspacePath.length + 1)
    return (await content.text(relative, commit)) === null ? null : content.resource(relative, commit)
  }

  const shownRepository = new ShownRepository((message) => {
    const input = Uri.from({ scheme: 'vscode-scm', path: `/${GIT_PROVIDER}/input` })
    const model = models.createModel(message, languages.createById('scminput'), input)
    const provider = new GitProvider(root, model, opener, getOriginalResource)
    const repository = scm.registerSCMProvider(provider)
    repository.input.placeholder = 'What changed'
    repository.input.enabled = canWrite
    return { provider, repository }
  })
  const control = new SourceControl({
    git,
    fs: client.fs,
    host,
    dialogs: await getService(IDialogService),
    repository: () => shownRepository.made?.repository,
    saveAll: () => saveAllTexts({ editors, files: textFiles.files, texts }),
    suggestCommit: async (files) => (await client.connection.request('ai/suggestCommit', { files })).commit,
    openFile,
  })

  const quickDiffs = await getService(IQuickDiffService)
  quickDiffs.addQuickDiffProvider({
    id: GIT_PROVIDER,
    label: 'Last commit',
    rootUri: root,
    kind: 'primary',
    getOriginalResource,
  })
  const historyChanged = await startFileHistory(git, workspacePath, content)
  const gutter = new QuickDiffGutter(await getService(IQuickDiffModelService), textFiles)

  const revertChange = (): void => {
    const active = editors.activeTextEditorControl
    const shown = isDiffEditor(active) ? active.getModifiedEditor() : active
    const model = isCodeEditor(shown) ? shown.getModel() : null
    if (!isCodeEditor(shown) || !model) return
    const { changes, original } = gutter.changesIn(model, shown.getSelections() ?? [])
    if (changes.length === 0 || !original) {
      notifications.info('Nothing changed in this line since the last commit. Put the caret into a changed one.')
      return
    }
    shown.pushUndoStop()
    shown.executeEdits('boxyard.git.revertChange', revertEdits(model, original, changes))
    shown.pushUndoStop()
  }
  const changesOf = (given: readonly unknown[]) =>
    given.flatMap((one) =>
      one instanceof GitResource
        ? [one.change]
        : Array.isArray(one)
          ? one.filter((each) => each instanceof GitResource).map(({ change }) => change)
          : [],
    )
  const fileOfEditor = (): string[] => {
    const active = editors.activeTextEditorControl
    const shown = isDiffEditor(active) ? active.getModifiedEditor() : active
    const uri = isCodeEditor(shown) ? shown.getModel()?.uri : undefined
    return uri?.path.startsWith(`${workspacePath}/`) ? [uri.path.slice(workspacePath.length + 1)] : []
  }
  const reported =
    (what: string, work: (...given: unknown[]) => Promise<unknown>) =>
    (...given: unknown[]) => {
      work(...given).catch((error: unknown) => report(what, error))
    }
  const suggestion = () => git.status?.commits[0]?.message.split('\n', 1)[0] ?? lastMessage ?? git.status?.branch ?? ''
  let lastMessage: string | undefined

  const createRepository = reported('The repository was not created', async () => {
    if (maker) await askForRepository(ask, maker, (made) => control.fillRepository(made))
  })
  registerGitMenus({
    commit: reported('Nothing was committed', async () => control.commit(false)),
    commitAndPush: reported('The commit did not get to the remote', async () => {
      const message = shownRepository.made?.repository.input.value.trim().split('\n', 1)[0]
      await control.commit(true)
      lastMessage = message
    }),
    suggestMessage: reported('No message was suggested', async () => control.suggestMessage()),
    push: reported('Nothing was pushed', async () => control.push()),
    pull: reported('Nothing was pulled', async () => control.pull()),
    pullTarget: reported('Nothing was pulled', async () =>
      control.pull(host?.targetBranch ?? git.status?.target.branch ?? undefined),
    ),
    openFile: reported('The file did not open', async (...given) => {
      const paths = changesOf(given).map(({ path }) => path)
      for (const path of paths.length > 0 ? paths : fileOfEditor()) await openFile(path)
    }),
    openChange: reported('The change did not open', async (...given) => {
      for (const change of changesOf(given)) await openChange(change, false)
    }),
    discard: reported('The changes are still there', async (...given) =>
      control.discard(changesOf(given).map(({ path }) => path)),
    ),
    discardAll: reported('The changes are still there', async () => control.discard()),
    revertChange,
    resetToRemote: reported('Nothing was reset', async () => control.resetToRemote()),
    returnToBranch: reported('The branch was not changed', async () => git.checkoutInitialBranch()),
    branchMenu: reported('Nothing was changed', async () => {
      if (host) await showBranchMenu(ask, host, git.status?.branch ?? null, (name) => control.rename(name))
    }),
    createPullRequest: reported('The pull request was not opened', async () => {
      if (!host) return
      const opened = await askForPullRequest(ask, host, suggestion())
      if (!opened) return
      // A window that opens by itself after so many steps is what browsers keep from opening.
      notifications.prompt(Severity.Info, `Pull request #${opened.number} was opened: ${opened.title}`, [
        { label: 'Show Pull Request', run: () => host.showPullRequest() },
      ])
    }),
    createRepository: () => createRepository(),
    showPullRequest: () => host?.showPullRequest(),
  })

  const key = (name: keyof typeof gitContext) => contextKeys.createKey<boolean>(gitContext[name], false)
  const keys = {
    isRepository: key('isRepository'),
    canWrite: key('canWrite'),
    hasRemote: key('hasRemote'),
    hasHost: key('hasHost'),
    canPush: key('canPush'),
    hasPullRequest: key('hasPullRequest'),
    canMakeRepository: key('canMakeRepository'),
  }
  keys.canWrite.set(canWrite)
  keys.canMakeRepository.set(maker !== undefined)
  keys.hasHost.set(host !== undefined)
  keys.canPush.set(host ? host.canPush : true)

  let shownHead: string | undefined
  const show = (): void => {
    const { status } = git
    if (status?.head !== shownHead) historyChanged()
    shownHead = status?.head
    keys.isRepository.set(isRepository(status))
    keys.hasRemote.set(git.remotes.origin !== '')
    keys.hasPullRequest.set(host?.pullRequest !== undefined)
    const provider = shownRepository.at(status)?.provider
    if (!provider || !isRepository(status)) {
      decorations.show([])
      return
    }
    decorations.show(gitChanges(status))
    provider.show(status)
    provider.actionButton.set(
      canWrite ? stepButton(nextStep(status, host), git.isBusy, host?.pushesToFork === true) : undefined,
      undefined,
    )
    const branch = { ...entry(branchEntry(status)), id: host ? gitCommands.branchMenu : 'workbench.view.scm' }
    const sync = syncEntry(status)
    const pull = host?.pullRequest
    provider.statusBarCommands.set(
      [
        branch,
        ...(sync && canWrite && git.remotes.origin !== '' ? [{ ...entry(sync), id: gitCommands[sync.action] }] : []),
        ...(pull ? [{ ...entry(pullRequestEntry(pull)), id: gitCommands.showPullRequest }] : []),
      ],
      undefined,
    )
  }
  git.onDidChange(show)
  git.onDidChangeBusy(show)
  host?.onDidChangePullRequest(show)
  git.onDidLeaveBranch(({ branch }) => {
    notifications.prompt(
      Severity.Warning,
      branch === null
        ? 'The box left its branch. What is committed now belongs to no branch.'
        : `The box left its branch for ${branch}, which has or can get a machine of its own. Your changes are safe.`,
      [
        {
          label: 'Return to the branch of this box',
          run: reported('The branch was not changed', () => git.checkoutInitialBranch()),
        },
        ...(host && branch !== null ? [{ label: `Open ${branch}`, run: () => host.openBranch(branch) }] : []),
      ],
      { sticky: true },
    )
  })
  show()
  if (maker?.asksAtOnce) createRepository()

  // The box began with the newest commits alone, so that it opened soon.
  if (canWrite && host && git.status?.isShallow)
    host
      .credentials('pull')
      .then((credentials) => git.deepen(credentials))
      .then(
        (isDeeper) => isDeeper && historyChanged(),
        (error: unknown) => console.warn('The older history is not in this box yet', error),
      )
}

const entry = ({ text, tooltip }: { text: string; tooltip: string }): Omit<Command, 'id'> => ({ title: text, tooltip })
