import type { DevServerClient, Event } from '@boxyard/dev-server-client'
import { WorkbenchError } from './errors.ts'
import type { CommentSource, Lines, TextComment, TextThread } from './comments/commentSource.ts'
import type { ExtensionPlace, KeptExtension } from './extensions/extensionPlace.ts'
import type { SideBarView } from './layout/sideBarViews.ts'
import type {
  BranchHost,
  BranchPullRequest,
  ListedPullRequest,
  RepositoryMaker,
  ReviewComment,
  ReviewHost,
} from './scm/branchHost.ts'
import type { OwnEdit } from './text/typedCopy.ts'
import type { KeptSettings, SettingsKeeper } from './settings/settingsKeeper.ts'
import type { ColorScheme } from './startup/settings.ts'
import type { EditorColors, EditorPalette } from './theme/editorColors.ts'
import type { SaveState } from './text/textSync.ts'
import type { PreviewRun } from './preview/previewRun.ts'
import type { PendingServerStart, VsCodeServerPlace, VsCodeServerStart } from './vsCodeServer/vsCodeServerPlace.ts'

export type {
  BranchHost,
  BranchPullRequest,
  ColorScheme,
  CommentSource,
  EditorColors,
  EditorPalette,
  ExtensionPlace,
  KeptExtension,
  KeptSettings,
  Lines,
  ListedPullRequest,
  OwnEdit,
  PendingServerStart,
  PreviewRun,
  RepositoryMaker,
  ReviewComment,
  ReviewHost,
  SaveState,
  SettingsKeeper,
  SideBarView,
  TextComment,
  TextThread,
  VsCodeServerPlace,
  VsCodeServerStart,
}

/** A text of the workspace that the page showed, and took edits of, before the workbench was there. */
export interface FirstText {
  /** Relative to the workspace. */
  readonly path: string
  /** The text that was edited. */
  readonly base: string
  /** Colors of the theme, `#rrggbb`. */
  readonly colors: readonly string[]
  /** Of `base`: pairs of a length and the number of a color, a line each. */
  readonly lines: readonly (readonly number[])[]
  /** The text and the view of it, as they are now. Offsets are in UTF-16 units. */
  now(): { text: string; anchor: number; head: number; hasFocus: boolean; scrollTop: number; scrollLeft: number }
  /** Resolves when no input method is composing. */
  settled(): Promise<void>
  /** The editor shows the text and has its edits: the early view is done. */
  taken(): void
  /** Takes the early view away without having its edits. */
  hide(): void
}

/** Where an editor stands on the page, in pixels, and the file in it. */
export interface EditorPlace {
  /** Relative to the workspace. */
  path: string
  left: number
  top: number
  width: number
  height: number
  /** Where the text begins, from the left of the editor. */
  contentLeft: number
  fontSize: number
  lineHeight: number
}

export interface WorkbenchProject {
  id: string
  title: string
  kind: 'devbox' | 'sandbox' | 'branch'
  /** Absolute path of the workspace in the box. */
  workspacePath: string
  /** The file that the first visit opens, relative to the workspace; by default the README. */
  defaultFile?: string
}

/** What a small window shows one of at a time. */
export type Pane = 'code' | 'preview' | 'terminal'

export type PortVisibility = 'private' | 'workspace' | 'public'

/** One size that a machine may have. */
export interface MachineSize {
  /** Larger ones have larger numbers. */
  tier: number
  name: string
  /** Cores. */
  cpu: number
  /** GiB. */
  memory: number
  /** GB. */
  storage: number
}

/** What the platform can do for a box beside its dev server. What is absent this person may not do, or the box does not have. */
export interface BoxServices {
  restart?: (() => void) | undefined
  sizes?:
    | {
        /** Smallest first, and the size that the machine has. */
        list(): Promise<{ sizes: readonly MachineSize[]; current: number | undefined }>
        /** What a machine can not take while it runs it has from its next start on. */
        set(tier: number): Promise<void>
      }
    | undefined
  secrets?:
    | {
        /** Names alone: values are not shown again. */
        list(): Promise<string[]>
        set(name: string, value: string): Promise<string[]>
        remove(name: string): Promise<string[]>
      }
    | undefined
  /** Who may look at which port; a port that is not in the answer is as private as the box. */
  ports?:
    | {
        list(): Promise<ReadonlyMap<number, PortVisibility>>
        set(port: number, visibility: PortVisibility | null): Promise<ReadonlyMap<number, PortVisibility>>
      }
    | undefined
}

export interface WorkbenchOptions {
  /** The workbench fills it; it needs a height of its own. */
  element: HTMLElement
  project: WorkbenchProject
  /** May still be connecting: what the workbench asks meanwhile waits for it. */
  client: DevServerClient
  /** The address at which the browser reaches a port of the box, on an origin of its own. */
  previewUrl(port: number): Promise<string>
  colorScheme: ColorScheme
  canWrite: boolean
  /** Offers its folders as archives. */
  mayDownload: boolean
  /** What the page does for the branch, when the box is one of a repository at a git host. */
  branch?: Promise<BranchHost> | undefined
  /** Makes a repository of a devbox, where the person may. */
  repositoryMaker?: RepositoryMaker | undefined
  box?: BoxServices | undefined
  /** What people say about its texts. */
  comments?: (() => Promise<CommentSource>) | undefined
  /** Where the person's settings are kept for their other browsers; without it they stay in this one. */
  settings?: SettingsKeeper | undefined
  /** Where extensions come from and run; without it there are those that the editor brings. */
  extensions?: ExtensionPlace | undefined
  /** The VS Code server of the box, where the person may run programs there. */
  vsCodeServer?: VsCodeServerPlace | undefined
  /** Before it opens, the workbench waits for that server to start; null when it waits no longer. */
  onServerStart?: ((start: PendingServerStart | null) => void) | undefined
  /** The id of a comment whose thread is opened. */
  revealedComment?: string | undefined
  /** The file that a first visit opens in place of the project's own, relative to the workspace. */
  file?: string | undefined
  /** The view in the side bar of a large window, false for none; what the last visit showed where it is not said. */
  sideBar?: SideBarView | false | undefined
  /** The console of the preview is open from the beginning. */
  showsConsole?: boolean | undefined
  /** What the page shows until the editor does; the editor takes it over, with what was typed into it. */
  firstText?: FirstText | undefined
  /** The page is made before anybody asks for it: the client connects later, and until then there is the first text alone of the box. */
  isAhead?: boolean | undefined
  /** A save of a text begins. The path is that in the workspace, with a slash in front. */
  onWillSave?: ((path: string, text: string) => void) | undefined
  /** Asks the person whether the sandbox is to become a devbox; undefined where they may not. */
  onConvert?: (() => void) | undefined
  /** Makes a copy, or a branch, of their own for a person who may not edit this one, and opens it with what they typed. Rejects when it has told why
   * there is none. */
  beginOwnCopy?: ((edit: () => OwnEdit) => Promise<void>) | undefined
  /** The person has chosen when the preview follows; until then it follows edits. Undefined where the preview does not follow the editor. */
  onPreviewRun?: ((run: PreviewRun) => void) | undefined
  /** The page around the workbench says how saving is: the status bar needs not say it again. */
  isSavingShown?: boolean | undefined
  /** The workbench is drawn and can be used; languages and extensions follow. */
  onReady?(): void
  /** Every command can be run, those of the terminals included. */
  onCommandsReady?(): void
}

/** Which columns the light editor begins with: the code, what is beside it, or both. */
export type LightLayout = 'editor' | 'preview' | 'split'

/** The light editor takes what the workbench does, of what it has. */
export interface LightEditorOptions extends Pick<
  WorkbenchOptions,
  | 'element'
  | 'project'
  | 'client'
  | 'previewUrl'
  | 'colorScheme'
  | 'canWrite'
  | 'file'
  | 'showsConsole'
  | 'firstText'
  | 'isAhead'
  | 'beginOwnCopy'
  | 'onWillSave'
  | 'isSavingShown'
  | 'onReady'
  | 'onCommandsReady'
> {
  layout: LightLayout
  /** The person wants the workbench. Everything that is typed is with the box. */
  openWorkbench(): void
}

export interface Position {
  /** From 1. */
  line: number
  /** From 1, in UTF-16 units. */
  column: number
}

export interface Workbench {
  /** Takes a path relative to the workspace, or an absolute one. */
  openFile(path: string, position?: Position): Promise<void>
  /** Shows a port of the box in the second column. */
  openPreview(port: number): Promise<void>
  /** Where the window is too small for several panes: puts one in front. */
  showPane(pane: Pane): void
  /** Where the window is too small for several panes, another one came in front: the window became small, or it was asked for. */
  readonly onDidChangePane: Event<Pane>
  /** Follows another client through its files and lines, or ends that. */
  toggleFollowing(clientId: string): void
  readonly followedClient: string | undefined
  readonly onDidChangeFollowedClient: Event<string | undefined>
  setColorScheme(scheme: ColorScheme): void
  /** The person wants it dark or light: a theme of the other kind that they have chosen goes. */
  chooseColorScheme(scheme: ColorScheme): void
  /** Of the theme that is shown, for the page around the editor. */
  readonly colors: EditorColors | undefined
  readonly onDidChangeColors: Event<EditorColors>
  /** Resolves when the text that the person looks at is on the screen, in the editor itself. */
  readonly whenShown: Promise<void>
  /** Where the active editor of a text of the workspace stands. */
  editorPlace(): EditorPlace | undefined
  /** Another editor is active. */
  readonly onDidChangeEditor: Event<void>
  focus(): void
  /** Leaves every file and stops listening. The workbench of a page cannot be opened again; load the page anew. */
  dispose(): void
  readonly saveState: SaveState
  readonly onDidChangeSaveState: Event<SaveState>
}

let isTaken = false

function mustBeOnPage({ isConnected }: HTMLElement): void {
  if (!isConnected) throw new WorkbenchError('NO_ELEMENT')
}

/** VS Code's services live as long as the page. */
function takePage(): void {
  if (isTaken) throw new WorkbenchError('ALREADY_OPEN')
  isTaken = true
}

/** Fetches and evaluates the workbench's code. Call early: it takes as long as the start of a box. */
export async function loadWorkbench(): Promise<void> {
  await import('./open.ts')
}

/**
 * Opens the workbench on a box. Once per page: VS Code's services live as long as the page.
 * @throws WorkbenchError ALREADY_OPEN, NO_ELEMENT
 */
export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  mustBeOnPage(options.element)
  const { open } = await import('./open.ts')
  takePage()
  return open(options)
}

/** Fetches and evaluates the code of the light editor. */
export async function loadLightEditor(): Promise<void> {
  await import('./light/openLight.ts')
}

/**
 * Opens the light editor on a box: files, shared texts, previews and a status bar, without what the workbench has beside them. Once per page, in
 * place of the workbench.
 * @throws WorkbenchError ALREADY_OPEN, NO_ELEMENT
 */
export async function openLightEditor(options: LightEditorOptions): Promise<Workbench> {
  mustBeOnPage(options.element)
  const { openLight } = await import('./light/openLight.ts')
  takePage()
  return openLight(options)
}

export { workbenchErrors, WorkbenchError } from './errors.ts'
export type { WorkbenchErrorCode } from './errors.ts'
export { canMoveFrames, showEarlyPreview } from './preview/earlyPreview.ts'
