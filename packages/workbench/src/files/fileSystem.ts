import { Emitter } from '@codingame/monaco-vscode-api/vscode/vs/base/common/event'
import {
  Disposable,
  toDisposable,
  type IDisposable,
} from '@codingame/monaco-vscode-api/vscode/vs/base/common/lifecycle'
import {
  FileChangeType,
  FileSystemProviderCapabilities,
  FileType,
  type IFileChange,
  type IFileDeleteOptions,
  type IFileOverwriteOptions,
  type IFileSystemProviderWithFileReadWriteCapability,
  type IFileWriteOptions,
  type IStat,
  type IWatchOptions,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/files/common/files'
import type { FileSystemArea, WatchEvent } from '@boxyard/dev-server-client'
import { NODE_DIRECTORY } from '@boxyard/protocol'
import type { Uri } from 'monaco-editor'
import { boxUri } from './boxUri.ts'
import { fileError } from './fileError.ts'

/** The files of the box, by absolute path. */
export type BoxFiles = Pick<
  FileSystemArea,
  'stat' | 'readdir' | 'readFile' | 'writeFile' | 'mkdir' | 'remove' | 'rename' | 'copy' | 'watch'
>

/** A file whose text is kept in step by operations: saving goes through it, and changes on disk arrive through it. */
export interface BoundFile {
  /** The text as the model holds it, in UTF-8. */
  read(): Uint8Array
  /** Resolves when the text that the model holds now is saved. */
  save(): Promise<void>
}

/**
 * The workbench's file system: the files of the box, under their own paths. It replaces the `file` scheme wholly instead of
 * lying over the one in memory, which would take the writes that the box refuses and look saved.
 */
export class FileSystem extends Disposable implements IFileSystemProviderWithFileReadWriteCapability {
  readonly capabilities: FileSystemProviderCapabilities
  readonly #changes = this._register(new Emitter<readonly IFileChange[]>())
  readonly onDidChangeFile = this.#changes.event
  readonly #capabilityChanges = this._register(new Emitter<void>())
  readonly onDidChangeCapabilities = this.#capabilityChanges.event
  readonly #watchErrors = this._register(new Emitter<string>())
  readonly onDidWatchError = this.#watchErrors.event
  readonly #watchBegins = this._register(new Emitter<void>())
  /** A folder is watched from now on, with everything below it. What changed in it before was told to nobody. */
  readonly onDidBeginWatching = this.#watchBegins.event
  readonly #diskChanges = this._register(new Emitter<readonly WatchEvent[]>())
  /** What is watched has changed on disk, files whose text is kept in step included. */
  readonly onDidChangeOnDisk = this.#diskChanges.event
  /** Those that the tree has not told of yet. */
  readonly #ownRenames = new Set<string>()
  readonly #files: BoxFiles
  readonly #boundFile: (path: string) => BoundFile | undefined

  constructor(files: BoxFiles, options: { readonly: boolean; boundFile(path: string): BoundFile | undefined }) {
    super()
    this.#files = files
    this.#boundFile = options.boundFile
    this.capabilities =
      FileSystemProviderCapabilities.FileReadWrite |
      FileSystemProviderCapabilities.FileFolderCopy |
      FileSystemProviderCapabilities.PathCaseSensitive |
      (options.readonly ? FileSystemProviderCapabilities.Readonly : FileSystemProviderCapabilities.None)
  }

  async stat(resource: Uri): Promise<IStat> {
    const { type, isSymlink, size, mtime, ctime } = await answer(this.#files.stat(resource.path))
    // What others save reaches a bound file as operations; seen through a newer time on disk it would be a save conflict.
    return { type: fileType(type, isSymlink), size, mtime: this.#boundFile(resource.path) ? 0 : mtime, ctime }
  }

  async readdir(resource: Uri): Promise<[string, FileType][]> {
    const entries = await answer(this.#files.readdir(resource.path))
    return entries.map(({ name, type, isSymlink }) => [name, fileType(type, isSymlink)])
  }

  async readFile(resource: Uri): Promise<Uint8Array> {
    return this.#boundFile(resource.path)?.read() ?? answer(this.#files.readFile(resource.path))
  }

  async writeFile(resource: Uri, content: Uint8Array, { create, overwrite }: IFileWriteOptions): Promise<void> {
    const bound = this.#boundFile(resource.path)
    if (bound) return answer(bound.save())
    await answer(this.#files.writeFile(resource.path, content, { create, overwrite }))
  }

  mkdir(resource: Uri): Promise<void> {
    return answer(this.#files.mkdir(resource.path))
  }

  delete(resource: Uri, { recursive }: IFileDeleteOptions): Promise<void> {
    return answer(this.#files.remove(resource.path, { recursive }))
  }

  async rename(from: Uri, to: Uri, { overwrite }: IFileOverwriteOptions): Promise<void> {
    const own = renameKey(from.path, to.path)
    this.#ownRenames.add(own)
    try {
      await answer(this.#files.rename(from.path, to.path, { overwrite }))
    } catch (error) {
      this.#ownRenames.delete(own)
      throw error
    }
  }

  /** Whether this person has renamed it; asked once for each time. */
  takeOwnRename(from: string, to: string): boolean {
    return this.#ownRenames.delete(renameKey(from, to))
  }

  copy(from: Uri, to: Uri, { overwrite }: IFileOverwriteOptions): Promise<void> {
    return answer(this.#files.copy(from.path, to.path, { recursive: true, overwrite }))
  }

  watch(resource: Uri, { recursive, excludes }: IWatchOptions): IDisposable {
    const watching = this.#files.watch(resource.path, { recursive, excludes }, (events) => this.#report(events))
    watching.then(
      () => {
        if (recursive) this.#watchBegins.fire()
      },
      (error: unknown) => {
        const { message } = fileError(error)
        this.#watchErrors.fire(`Changes in ${resource.path} are not seen: ${message}`)
      },
    )
    return toDisposable(() => {
      void watching.then(
        (watcher) => watcher.dispose(),
        // It never started, which was reported above.
        () => undefined,
      )
    })
  }

  #report(events: WatchEvent[]): void {
    this.#diskChanges.fire(events)
    const changes = events.flatMap(({ type, paths }) =>
      paths
        // The text of a bound file comes by operations: read from disk again it would come back as an edit.
        .filter((path) => changeTypes[type] !== FileChangeType.UPDATED || !this.#boundFile(path))
        .map((path) => ({ type: changeTypes[type], resource: boxUri(path) })),
    )
    if (changes.length > 0) this.#changes.fire(changes)
  }
}

const renameKey = (from: string, to: string) => `${from}\0${to}`

const changeTypes = {
  add: FileChangeType.ADDED,
  change: FileChangeType.UPDATED,
  remove: FileChangeType.DELETED,
  resync: FileChangeType.UPDATED,
} as const

function fileType(type: number, isSymlink: boolean): FileType {
  const kind = type === NODE_DIRECTORY ? FileType.Directory : FileType.File
  return isSymlink ? kind | FileType.SymbolicLink : kind
}

async function answer<T>(result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (error) {
    throw fileError(error)
  }
}
