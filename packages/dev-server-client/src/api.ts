import type {
  Client,
  Command,
  Feature,
  GitCommit,
  GitCredentials,
  GitRemotes,
  GitStatus,
  JoinResult,
  Language,
  MethodName,
  Metrics,
  NotificationName,
  NotificationParams,
  ParamsInput,
  Port,
  Result,
  SearchResult,
  Selection,
  SetupProgress,
  Shell,
  ShellSize,
  StreamingSearchResult,
  Task,
  TaskDefinition,
  TaskList,
  TreeNode,
  TreeOperation,
} from '@boxyard/protocol'
import type { TextOperation, UndoAction } from '@boxyard/ot'
import type { Clock } from './clock.ts'
import type { Disposable, Event } from './event.ts'
import type { ConnectionTelemetry } from './telemetry.ts'
import type { WebSocketLike } from './webSocketLike.ts'

/** One run of a box, as the host answered it. */
export interface Instance {
  id: string
  /** Address of the dev server's socket, without a query: `ws://app.boxyard.localhost:4100/box/{id}`. */
  url: string
  token: string
  /** Absolute path of the workspace in the box. */
  workspacePath: string
  bootType: 'RUNNING' | 'RESUME' | 'CLEAN' | 'FORK'
}

export interface DevServerClientOptions {
  /** Names the kind of client in the list of clients, for example `editor`. */
  appId: string
  /**
   * Asks the host for a running instance. Called at every connect and reconnect. A WorkspaceFrozenError ends the tries at once;
   * any other error counts as a failed try.
   */
  resolveInstance(): Promise<Instance>
  /** Opens a socket; by default with the WebSocket of the platform. */
  createSocket?(url: string): WebSocketLike
  /** Whether the person looks at the page; by default always. */
  isFocused?(): boolean
  onDidFocus?: Event<void>
  /** Whether there is a network; by default as the browser says. */
  isOnline?(): boolean
  clock?: Clock
}

export type ConnectionState =
  /** connect() was not called yet. */
  | { kind: 'IDLE' }
  | { kind: 'CONNECTING'; attempt: number }
  | { kind: 'CONNECTED'; connectedAt: number }
  | { kind: 'RECONNECTING'; attempt: number; disconnect: Disconnect }
  | ({ kind: 'DISCONNECTED' } & Disconnect)
  | { kind: 'HIBERNATED'; hibernatedAt: number }

export interface Disconnect {
  reason: string
  /** Close code of the socket, where there was one. */
  code: number | undefined
  wasClean: boolean
  wasFocused: boolean
  disconnectedAt: number
}

export interface InitStatus {
  message: string
  /** 0..100 */
  progress: number
  /** 0..100, what `progress` may creep up to until the next status. */
  nextProgress: number
  isError?: boolean | undefined
  stdout?: string | undefined
}

export interface RequestOptions<M extends MethodName> {
  /**
   * Called with the result in the order frames arrive, before any later notification. Code that awaits the promise may run after
   * a notification that came behind the answer.
   */
  onResult?(result: Result<M>): void
}

export interface Connection {
  readonly state: ConnectionState
  readonly onDidChangeState: Event<ConnectionState>
  /** Progress of a dev server that still starts, between connect() and the first CONNECTED. */
  readonly onInitStatus: Event<InitStatus>
  /** The answer to the last join; undefined before the first. */
  readonly joined: JoinResult | undefined
  /** Whether the version of the joined dev server has a feature; false before the first join. */
  hasFeature(feature: Feature): boolean
  /** Whether the dev server is older than that version. */
  isOlderThan(version: string): boolean
  /** Every join, the first and those after a reconnect. */
  readonly onDidJoin: Event<JoinResult>
  /** Permissions or protection changed; `joined` has the new ones. */
  readonly onDidChangePermissions: Event<JoinResult>
  /** The instance of the last connect; undefined before the first. */
  readonly instance: Instance | undefined
  /**
   * Gives up the present socket, if any, and connects again. Resolves when joined.
   * @throws DevServerClientError ALREADY_RECONNECTING, CHANNEL_DISPOSED, or what ended the last try
   */
  reconnect(): Promise<void>
  /**
   * Moves to another instance, for example to the branch that the first edit of a protected one makes. `prepare` makes it and answers how
   * the host is asked for it, now and at every later reconnect. Until it is done, reads go to the present instance, changes wait for the
   * new one, and edits of open files are dropped; they come back when the files are opened there again. Resolves when joined there. When
   * it fails, the client connects to the old instance again, and what waited is rejected with INSTANCE_CHANGE_REQUIRED.
   * @throws DevServerClientError CAN_NOT_CHANGE_INSTANCE unless CONNECTED, or what `prepare` or the last try failed with
   */
  changeInstance(prepare: () => Promise<() => Promise<Instance>>): Promise<void>
  /** Losses, reconnects and changes of the instance, for whoever measures. */
  readonly onTelemetry: Event<ConnectionTelemetry>
  /**
   * @throws ProtocolError as answered by the dev server; DevServerClientError REQUEST_TIMED_OUT, ATTEMPTING_RECONNECT, NOT_ABLE_TO_SEND
   */
  request<M extends MethodName>(method: M, params: ParamsInput<M>, options?: RequestOptions<M>): Promise<Result<M>>
  onNotification<N extends NotificationName>(name: N, listener: (params: NotificationParams<N>) => void): Disposable
}

/** What every synchronised area has. */
export interface SyncedArea {
  /** Resolves when the area has its first state from the dev server. Never rejects: a failed synchronisation is repeated after a reconnect. */
  readonly ready: Promise<void>
}

export interface ClientsArea extends SyncedArea {
  /** This client as the dev server sees it; undefined before the first join. */
  readonly self: Client | undefined
  /** Everybody who is joined, self included. */
  readonly all: readonly Client[]
  readonly onDidChange: Event<readonly Client[]>
}

export interface FileStat {
  /** 0 file, 1 directory */
  type: 0 | 1
  isSymlink: boolean
  /** Bytes */
  size: number
  /** Milliseconds since the epoch */
  mtime: number
  ctime: number
  atime: number
}

export interface DirectoryEntry {
  name: string
  /** 0 file, 1 directory */
  type: 0 | 1
  isSymlink: boolean
}

/** `resync`: events may have been missed under the paths (the connection was lost meanwhile), so read them again. */
export interface WatchEvent {
  type: 'add' | 'change' | 'remove' | 'resync'
  /** Absolute paths in the box. */
  paths: string[]
}

export interface SearchOptions {
  text: string
  glob?: string
  isRegex?: boolean
  caseSensitivity?: 'smart' | 'enabled' | 'disabled'
}

export interface StreamingSearch extends Disposable {
  /** Settles when the search ends; disposing ends it early with `hitLimit` false. */
  readonly done: Promise<{ hitLimit: boolean }>
}

/**
 * The file system. Every path is absolute in the box or relative to the workspace. File-system failures are ProtocolErrors
 * RAWFS_ERROR with `data.errno` (positive: 2 ENOENT, 17 EEXIST, ...).
 */
export interface FileSystemArea {
  readonly tree: FileTree
  readFile(path: string): Promise<Uint8Array>
  writeFile(path: string, content: Uint8Array, options: { create: boolean; overwrite: boolean }): Promise<void>
  readdir(path: string): Promise<DirectoryEntry[]>
  stat(path: string): Promise<FileStat>
  mkdir(path: string, options?: { recursive?: boolean }): Promise<void>
  rename(from: string, to: string, options?: { overwrite?: boolean }): Promise<void>
  copy(from: string, to: string, options?: { recursive?: boolean; overwrite?: boolean }): Promise<void>
  remove(path: string, options?: { recursive?: boolean }): Promise<void>
  /** Watches until disposed, across reconnects. */
  watch(
    path: string,
    options: { recursive?: boolean; excludes?: string[] },
    listener: (events: WatchEvent[]) => void,
  ): Promise<Disposable>
  search(options: SearchOptions): Promise<SearchResult[]>
  streamingSearch(
    options: SearchOptions & { maxResults?: number },
    onMatches: (matches: StreamingSearchResult[]) => void,
  ): StreamingSearch
  pathSearch(text: string): Promise<Result<'fs/pathSearch'>['matches']>
  /** Adds a file to a directory of the tree; answers with its id. */
  upload(parentId: string, filename: string, content: Uint8Array): Promise<string>
}

/** Paths are relative to the workspace, without a slash in front; the root is the empty text. */
export type TreeChange =
  | { type: 'create'; id: string; nodeType: 0 | 1; path: string }
  | { type: 'delete'; id: string; nodeType: 0 | 1; path: string }
  | { type: 'move'; id: string; nodeType: 0 | 1; from: string; to: string }
  /** The whole tree was read again. */
  | { type: 'reset' }

/** The synchronised tree of the workspace: confirmed by the dev server, with own unanswered operations applied on top. */
export interface FileTree extends SyncedArea {
  readonly clock: number
  readonly onDidChange: Event<readonly TreeChange[]>
  get(id: string): TreeNode | undefined
  /** Path relative to the workspace, without a slash in front; the root is the empty text. */
  pathOf(id: string): string | undefined
  /** Takes a path relative to the workspace, or an absolute one inside it. */
  idOf(path: string): string | undefined
  children(id: string): TreeNode[]
  /**
   * Applies an operation at once and rolls it back when the dev server refuses it. Ids of new entries are made by the caller (UUID v4).
   * @returns false when the dev server ignored it
   */
  operation(operation: TreeOperation): Promise<boolean>
}

export interface FilesArea {
  /**
   * Opens a file for editing together. Every open() needs its own dispose(); the file is closed on the wire one second after the
   * last one. The path is absolute in the box or relative to the workspace.
   */
  open(path: string): Promise<OpenFile>
}

export type OpenFile = TextFile | BinaryFile

export interface BinaryFile extends Disposable {
  readonly kind: 'binary'
  readonly id: string
  readonly path: string
  readonly content: Uint8Array
  readonly savedHash: string
  /** The file was saved or written by somebody; `content` is new. */
  readonly onDidChange: Event<void>
}

/** An opaque key; edits with the same key are undone together. */
export type UndoGroup = string | number | object

export type TextSyncState =
  /** Everything typed is accepted by the dev server. */
  | 'SYNCED'
  /** Edits are on their way, or wait for a connection or a resync. */
  | 'SYNCING'
  /** The disk of the box is full. The edits stay here and are sent again by themselves, and at every save(). */
  | 'NO_ROOM'
  /** The dev server keeps refusing the edits, or has the file no more. Nothing is lost or sent until resolve(). */
  | 'OUT_OF_SYNC'

/** Why a text changed other than by this editor. */
export type RemoteReason = 'USER' | 'DISK' | 'RESYNC'

export interface TextFile extends Disposable {
  readonly kind: 'text'
  readonly id: string
  readonly path: string
  /** What the editor shows: the dev server's text with own unanswered edits. */
  readonly text: string
  /** Hash of the text on disk, see savedHash() of the protocol. */
  readonly savedHash: string
  readonly isDirty: boolean
  readonly syncState: TextSyncState
  /** Own operations that the dev server has not accepted yet. */
  readonly pendingOperations: number
  /**
   * What would be lost with this page: the text, beside what the dev server was known to have (`known`) and may have by now (`sent`);
   * undefined when it has everything.
   */
  unaccepted(): { known: string; sent: string; text: string } | undefined
  /** To be applied to the editor as it is, without coming back through edit(). */
  readonly onDidApplyRemote: Event<{ operation: TextOperation; reason: RemoteReason }>
  /** After a resync; a difference was applied by onDidApplyRemote before. */
  readonly onDidResync: Event<void>
  /** Somebody saved the file, or wrote it on disk. */
  readonly onDidSave: Event<{ savedHash: string }>
  readonly onDidChangeDirty: Event<boolean>
  readonly onDidChangeSync: Event<TextSyncState>
  /** Takes in an edit that the editor shows already. */
  edit(operation: TextOperation, group?: UndoGroup): void
  readonly canUndo: boolean
  readonly canRedo: boolean
  /** The operation that the editor applies, taken in already; undefined when there is nothing to undo. */
  undo(): TextOperation | undefined
  redo(): TextOperation | undefined
  /** What undo() and redo() would do now, with the key of the group; nothing changes. */
  nextUndo(): UndoAction | undefined
  nextRedo(): UndoAction | undefined
  /** The next edit begins a new group, whatever its key. */
  closeGroup(): void
  /** Own selections, offsets in UTF-16 units. */
  setSelection(selections: Selection[]): void
  /** Selections of the others who have the file open, by client id, moved along with the text. */
  readonly selections: ReadonlyMap<string, readonly Selection[]>
  readonly onDidChangeSelections: Event<void>
  /**
   * Waits until every edit is accepted, then saves.
   * @throws DevServerClientError FILE_OUT_OF_SYNC; ProtocolError RAWFS_ERROR with errno 28 when the disk is full
   */
  save(): Promise<void>
  /**
   * Ends OUT_OF_SYNC: the text of the client replaces the one of the dev server, or the other way round. Undo begins anew.
   * @throws ProtocolError when the file can't be opened
   */
  resolve(keep: 'client' | 'server'): Promise<void>
}

export interface ShellsArea extends SyncedArea {
  readonly all: readonly Shell[]
  readonly onDidChange: Event<readonly Shell[]>
  create(options: {
    command?: string
    cwd?: string
    size?: ShellSize
    type?: 'TERMINAL' | 'COMMAND'
    isSystemShell?: boolean
  }): Promise<ShellSession>
  open(shellId: string, size: ShellSize): Promise<ShellSession>
  restart(shellId: string): Promise<void>
  terminate(shellId: string): Promise<void>
  rename(shellId: string, name: string): Promise<void>
}

export interface ShellSession extends Disposable {
  readonly shell: Shell
  /** Output. What came before the first listener, the scrollback included, is delivered to it in one piece when it subscribes. */
  readonly onData: Event<string>
  /** The scrollback follows anew by onData: clear the screen. */
  readonly onReset: Event<void>
  readonly onExit: Event<{ exitCode: number | undefined }>
  write(input: string): Promise<void>
  resize(size: ShellSize): void
}

export interface TasksArea extends SyncedArea {
  readonly all: readonly Task[]
  readonly list: TaskList
  readonly onDidChange: Event<readonly Task[]>
  readonly onConfigurationError: Event<string>
  run(taskId: string): Promise<Task>
  stop(taskId: string): Promise<Task | null>
  runCommand(command: string, options?: { name?: string; saveToConfig?: boolean }): Promise<Task>
  create(task: TaskDefinition, options?: { startTask?: boolean }): Promise<TaskList>
  update(taskId: string, fields: Partial<TaskDefinition>): Promise<Task>
  saveToConfig(taskId: string): Promise<Task>
  /**
   * Writes what is inferred to .codesandbox/tasks.json. Resolves when the file is in the tree.
   * @throws DevServerClientError CONFIG_NOT_GENERATED after 5 s; ProtocolError CONFIG_FILE_ALREADY_EXISTS
   */
  generateConfig(): Promise<void>
  /** Replaces the set-up tasks of the configuration. */
  createSetupTasks(tasks: TaskDefinition[]): Promise<void>
  /**
   * The task that runs a command now.
   * @throws DevServerClientError NO_TASK_RUNS
   */
  running(command: string): Task
}

export interface SetupArea extends SyncedArea {
  /** Undefined before the first synchronisation. */
  readonly progress: SetupProgress | undefined
  readonly onDidChange: Event<SetupProgress>
  skip(stepIndex: number): Promise<void>
  skipAll(): Promise<void>
  setStep(stepIndex: number): Promise<void>
  enable(): Promise<void>
  disable(): Promise<void>
  init(): Promise<void>
}

export interface PortsArea extends SyncedArea {
  readonly all: readonly Port[]
  readonly onDidChange: Event<{ all: readonly Port[]; opened: readonly Port[]; closed: readonly Port[] }>
  /** @throws DevServerClientError WAITING_FOR_PORT_TIMED_OUT after `timeout` ms (5 s) */
  waitForPort(port: number, options?: { timeout?: number }): Promise<Port>
}

/**
 * The repository of the workspace. Its state is undefined where there is none to follow: before the first synchronisation, without git in
 * the box, and for who may not see it. One operation runs at a time; another one meanwhile is a ProtocolError GIT_OPERATION_IN_PROGRESS.
 */
export interface GitArea extends SyncedArea {
  readonly status: GitStatus | undefined
  readonly remotes: GitRemotes
  readonly onDidChange: Event<void>
  /** Whether a pull or a commit runs, of whomever. */
  readonly isBusy: boolean
  readonly onDidChangeBusy: Event<boolean>
  /** Somebody left the branch that the box is for. */
  readonly onDidLeaveBranch: Event<{ branch: string | null }>
  readonly onDidRenameBranch: Event<{ oldBranch: string; newBranch: string }>
  pull(options: { branch?: string; force?: boolean; credentials?: GitCredentials }): Promise<void>
  push(credentials?: GitCredentials): Promise<void>
  /**
   * Commits the paths, or everything, and resolves when the status after it is known.
   * @throws DevServerClientError COMMIT_FAILED, CONNECTION_LOST
   */
  commit(options: {
    message: string
    paths?: string[]
    push: boolean
    author?: { name: string; email: string }
    credentials?: GitCredentials
  }): Promise<void>
  /** Takes back the changes of the paths since the last commit, or all. */
  discard(paths?: string[]): Promise<void>
  resetToRemote(credentials?: GitCredentials): Promise<void>
  checkoutInitialBranch(): Promise<void>
  renameBranch(oldBranch: string, newBranch: string): Promise<void>
  pushToRemote(options: {
    url: string
    branch: string
    squashAllCommits?: boolean
    credentials?: GitCredentials
  }): Promise<void>
  /** The text of a file at a branch of the remote, or at a commit. */
  contentAt(reference: string, path: string): Promise<string>
  /** The commits of the branch that changed a file, newest first; `skip` leaves out the newest ones. */
  history(path: string, skip: number): Promise<{ commits: GitCommit[]; hasMore: boolean }>
  /** Fetches what a shallow clone left out; false where the history is whole. */
  deepen(credentials?: GitCredentials): Promise<boolean>
  /** Where lines of commits are in the files as they are now; null for those that were changed, or that the box does not know. */
  transposeLines(
    lines: readonly { sha: string; path: string; line: number }[],
  ): Promise<({ path: string; line: number } | null)[]>
}

export interface SystemArea {
  /** Asks for metrics now. Not queued while disconnected. */
  metrics(): Promise<Metrics>
  /** Polled every 5 s while somebody listens. */
  readonly onDidMetrics: Event<Metrics>
  /** Says that the person is still active. */
  update(): Promise<void>
  hibernate(): Promise<void>
}

/** Messages that the dev server shows to this person. */
export interface NotificationsArea {
  readonly onDidNotify: Event<NotificationParams<'notification/notify'>>
  /** Its id: it is to be shown no more. */
  readonly onDidDismiss: Event<string>
  /** What was chosen; null when it was dismissed. Without a connection nobody waits for it any more. */
  respond(notificationId: string, label: string | null): void
}

/** Commands of the dev server for the palette. There are none where it has none or this client may not run them. */
export interface CommandsArea extends SyncedArea {
  readonly all: readonly Command[]
  readonly onDidChange: Event<readonly Command[]>
  execute(commandId: string): Promise<void>
}

/** A language server that this client uses until dispose(); texts are kept in step by the dev server. */
export interface LanguageServerSession extends Disposable {
  readonly server: { languageId: string; serverId: string }
  /** A request or a notification to the language server; notifications answer null. */
  request(method: string, params?: unknown): Promise<unknown>
  readonly onNotification: Event<NotificationParams<'language/lspNotification'>['message']>
  /** The language server asks; see answer(). */
  readonly onRequest: Event<NotificationParams<'language/lspServerRequest'>['message']>
  answer(id: number | string, answer: { result: unknown } | { error: { code: number; message: string } }): Promise<void>
  /** After a reconnect `initialize` was repeated as it was asked; its answer. */
  readonly onDidInitializeAgain: Event<unknown>
}

export interface LanguagesArea extends SyncedArea {
  readonly all: readonly Language[]
  readonly onDidChange: Event<readonly Language[]>
  connect(languageId: string, serverId: string): LanguageServerSession
}

/** A synchronisation of an area failed. Its last state stays; it is repeated after the next reconnect. */
export interface SyncFailure {
  area: string
  error: Error
}
