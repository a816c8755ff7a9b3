import { NODE_DIRECTORY, NODE_FILE, ROOT_ID } from '@boxyard/protocol'
import type { ProtocolError, TreeOperation } from '@boxyard/protocol'
import { dataUrl } from './dataUrl.ts'
import { existsAsFile, fileError, moveWithoutParent, nameless, notADirectory, notCreated } from './errors.ts'
import type { FileErrorName } from './errors.ts'
import { NO_ANSWER, StorageError } from './restStorage.ts'
import type { SandboxStorage, StoredChange } from './storage.ts'
import { isBinary } from './textDetection.ts'
import { WORKSPACE } from './tree.ts'
import type { DirectoryNode, FileNode, SandboxNode, SandboxTree } from './tree.ts'

/** HTTP: another entry has the name. */
const NAME_TAKEN = 409

type Stored = Pick<FileNode, 'code' | 'isBinary'>

export interface WriteOptions {
  create: boolean
  overwrite: boolean
  /** What is no text stays in the file itself: for writers that write it again and again, as programs do. */
  isInline?: boolean
}

export interface FilesOptions {
  tree: SandboxTree
  storage: SandboxStorage
  now(): number
  newId(): string
  /** The tree changed: told to everybody, the one who did it included. */
  onOperation(operation: TreeOperation, clock: number): void
  /** A file came, went or has another content; the path is absolute in the workspace. Nobody is shown a hidden one. */
  onEvent(type: 'add' | 'change' | 'remove', path: string, node: SandboxNode, isHidden: boolean): void
  /** Nobody answered a change: it failed here, and may have been stored. */
  onUnanswered(): void
}

/**
 * The file system of a sandbox. One operation after the other: each is stored first and then done, so what is answered is durable and
 * what failed did not happen.
 */
export class Files {
  readonly #options: FilesOptions
  #storage: SandboxStorage
  #work: Promise<unknown> = Promise.resolve()
  /** Of contents, by the address that a binary file has them at. */
  readonly #sizes = new Map<string, number>()

  constructor(options: FilesOptions) {
    this.#options = options
    this.#storage = options.storage
  }

  get tree(): SandboxTree {
    return this.#options.tree
  }

  pathOf(node: SandboxNode): string {
    const path = this.tree.pathOf(node)
    return path === '/' ? WORKSPACE : WORKSPACE + path
  }

  async operation(operation: TreeOperation): Promise<{ code: 0; clock: number } | { code: 1 }> {
    return this.#do(async () => {
      switch (operation.type) {
        case 'create': {
          const { id, type, name } = operation.newEntry
          if (this.tree.nodes.has(id)) return { code: 1 }
          const parent = this.tree.nodes.get(operation.parentId)
          if (!parent) throw fileError('PARENT_NOT_FOUND')
          if (parent.type !== NODE_DIRECTORY) throw notADirectory(this.pathOf(parent))
          if (type === NODE_DIRECTORY) await this.#createDirectory(parent, name, id)
          else await this.#createFile(parent, name, new Uint8Array(), id)
          // Whoever made it does not show it either.
          if (this.tree.isHidden(this.tree.nodes.get(id)!)) return { code: 1 }
          break
        }
        case 'delete': {
          const node = this.tree.nodes.get(operation.id)
          if (!node) return { code: 1 }
          await this.#delete(node)
          break
        }
        case 'move': {
          const node = this.tree.nodes.get(operation.id)
          if (!node) return { code: 1 }
          if (node.id === ROOT_ID) throw fileError('ROOT')
          const { parentId = node.parentId!, name } = operation
          // A name alone is a new name in the same place.
          if (operation.parentId === undefined && name === undefined) throw moveWithoutParent()
          const parent = this.tree.nodes.get(parentId)
          if (!parent) throw fileError('PARENT_NOT_FOUND')
          if (parent.type !== NODE_DIRECTORY) throw notADirectory(this.pathOf(parent))
          await this.#move(node, parent, name ?? node.name)
        }
      }
      return { code: 0, clock: this.tree.clock }
    })
  }

  async readFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
    return this.contentOf(this.tree.file(path))
  }

  async contentOf(node: FileNode): Promise<Uint8Array<ArrayBuffer>> {
    if (!node.isBinary) return new TextEncoder().encode(node.code)
    const { code } = node
    const content = await this.#storage.download(code)
    this.#sizes.set(code, content.length)
    return content
  }

  /** In bytes; none of a file whose content is not to be had. */
  async sizeOf(node: FileNode): Promise<number> {
    const known = node.isBinary ? this.#sizes.get(node.code) : undefined
    if (known !== undefined) return known
    // Whoever reads it is told why there is nothing.
    return this.contentOf(node).then(
      ({ length }) => length,
      () => 0,
    )
  }

  /** Answers with the text that an existing file is to hold, where it is one: that goes the way of edits. */
  writeFile(
    path: string,
    content: Uint8Array,
    options: WriteOptions,
  ): Promise<{ node: FileNode; text: string | null }> {
    return this.#do(async () => {
      const node = this.tree.find(path)
      if (node?.type === NODE_DIRECTORY) throw fileError('DIRECTORY_EXISTS')
      if (node) {
        if (!options.overwrite) throw fileError('FILE_EXISTS')
        if (!node.isBinary && !isBinary(node.name, content)) return { node, text: new TextDecoder().decode(content) }
        await this.#store(node, await this.#encode(node.name, content, options))
        return { node, text: null }
      }
      if (!options.create) throw fileError('FILE_NOT_FOUND')
      const { parent, name } = this.tree.placeOf(path)
      return { node: await this.#createFile(parent, name, content, this.#options.newId(), options), text: null }
    })
  }

  byShortid(shortid: string): FileNode | undefined {
    for (const node of this.tree.files()) if (node.shortid === shortid) return node
    return undefined
  }

  /** The text of a file was stored by whoever edits it. */
  stored(node: FileNode, text: string): void {
    if (node.code === text) return
    Object.assign(node, { code: text, mtime: this.#options.now() })
    this.#options.onEvent('change', this.pathOf(node), node, this.tree.isHidden(node))
  }

  /** Takes over what another page has done. */
  adopt(change: StoredChange): Promise<void> {
    return this.#do(async () => this.#adopt(change))
  }

  /** Takes over whatever changed meanwhile. With another storage it is from then on the one that keeps the files. */
  reload(storage: SandboxStorage = this.#storage): Promise<number> {
    return this.#do(async () => {
      const { version, modules, directories } = await storage.read()
      this.#storage = storage
      const kept = new Set([...modules, ...directories].map(({ shortid }) => shortid))
      const gone = [...this.tree.nodes.values()].filter(({ shortid }) => shortid !== null && !kept.has(shortid))
      const removed = gone.map(({ shortid }) => shortid!)
      this.#adopt({ modules, directories, removedModules: removed, removedDirectories: removed })
      return version
    })
  }

  #adopt({ modules, directories, removedModules, removedDirectories }: StoredChange): void {
    for (const shortid of [...removedModules, ...removedDirectories]) {
      const node = this.#find(shortid)
      if (node) this.#drop(node)
    }
    // A folder may stand behind those that are in it.
    const waiting = [...directories]
    for (let before = -1; waiting.length > 0 && waiting.length !== before;) {
      before = waiting.length
      for (const directory of waiting.splice(0)) {
        const { shortid, title } = directory
        const parent = this.#find(directory.directoryShortid)
        const known = this.#find(shortid)
        if (parent?.type !== NODE_DIRECTORY) waiting.push(directory)
        else if (known) this.#moved(known, parent, title)
        else this.#add({ type: NODE_DIRECTORY, id: shortid, shortid, name: title, parentId: parent.id })
      }
    }
    for (const { shortid, title, directoryShortid, code, isBinary, insertedAt, updatedAt } of modules) {
      const parent = this.#find(directoryShortid)
      if (parent?.type !== NODE_DIRECTORY) continue
      const known = this.#find(shortid)
      if (known?.type !== NODE_FILE) {
        const times = { ctime: insertedAt, mtime: updatedAt }
        this.#add({ type: NODE_FILE, id: shortid, shortid, name: title, parentId: parent.id, code, isBinary, ...times })
        continue
      }
      this.#moved(known, parent, title)
      if (known.code === code && known.isBinary === isBinary) continue
      Object.assign(known, { code, isBinary, mtime: updatedAt })
      this.#options.onEvent('change', this.pathOf(known), known, this.tree.isHidden(known))
    }
  }

  #find(shortid: string | null): SandboxNode | undefined {
    for (const node of this.tree.nodes.values()) if (node.shortid === shortid) return node
    return undefined
  }

  mkdir(path: string, isRecursive: boolean): Promise<void> {
    return this.#do(async () => {
      const found = this.tree.find(path)
      if (found?.type === NODE_FILE) throw existsAsFile(path)
      if (found) {
        if (isRecursive) return
        throw fileError('DIRECTORY_EXISTS')
      }
      await this.#mkdir(path, isRecursive)
    })
  }

  async #mkdir(path: string, isRecursive: boolean): Promise<DirectoryNode> {
    const cut = path.lastIndexOf('/')
    const above = cut < 0 ? '' : path.slice(0, cut)
    if (isRecursive && !this.tree.find(above)) await this.#mkdir(above, true)
    const { parent, name } = this.tree.placeOf(path)
    return this.#createDirectory(parent, name, this.#options.newId())
  }

  remove(path: string, isRecursive: boolean): Promise<void> {
    return this.#do(async () => {
      const node = this.tree.find(path)
      if (!node) throw fileError('FILE_NOT_FOUND')
      if (node.type === NODE_DIRECTORY && !isRecursive && this.tree.children(node.id).length > 0)
        throw fileError('DIRECTORY_NOT_EMPTY')
      await this.#delete(node)
    })
  }

  rename(from: string, to: string, overwrite: boolean): Promise<void> {
    return this.#do(async () => {
      const node = this.tree.find(from)
      if (!node) throw fileError('FILE_NOT_FOUND')
      const { parent, name } = this.tree.placeOf(to)
      const taken = this.tree.find(to)
      if (taken && taken !== node) {
        if (!overwrite) throw fileError(taken.type === NODE_FILE ? 'FILE_EXISTS' : 'DIRECTORY_EXISTS')
        if (taken.type === NODE_DIRECTORY && this.tree.children(taken.id).length > 0)
          throw fileError('DIRECTORY_NOT_EMPTY')
        await this.#delete(taken)
      }
      await this.#move(node, parent, name)
    })
  }

  copy(from: string, to: string, options: { recursive: boolean; overwrite: boolean }): Promise<void> {
    return this.#do(async () => {
      const source = this.tree.find(from)
      if (!source) throw fileError('FILE_NOT_FOUND')
      const taken = this.tree.find(to)
      if (taken && !options.overwrite) throw fileError(taken.type === NODE_FILE ? 'FILE_EXISTS' : 'DIRECTORY_EXISTS')
      if (`${to}/`.startsWith(`${from}/`)) throw fileError('NOT_A_DIRECTORY')
      if (source.type === NODE_DIRECTORY && !options.recursive) throw fileError('NOT_A_DIRECTORY')
      const { parent, name } = this.tree.placeOf(to)
      if (taken) await this.#delete(taken)
      await this.#copy(source, parent, name)
    })
  }

  async #copy(source: SandboxNode, parent: DirectoryNode, name: string): Promise<void> {
    if (source.type === NODE_FILE) {
      await this.#createStored(parent, name, { code: source.code, isBinary: source.isBinary }, this.#options.newId())
      return
    }
    const children = this.tree.children(source.id)
    const made = await this.#createDirectory(parent, name, this.#options.newId())
    for (const child of children) await this.#copy(child, made, child.name)
  }

  async #createFile(
    parent: DirectoryNode,
    name: string,
    content: Uint8Array,
    id: string,
    options: Pick<WriteOptions, 'isInline'> = {},
  ): Promise<FileNode> {
    this.#requireFree(parent, name, NODE_FILE)
    return this.#createStored(parent, name, await this.#encode(name, content, options), id)
  }

  async #createStored(parent: DirectoryNode, name: string, stored: Stored, id: string): Promise<FileNode> {
    this.#requireFree(parent, name, NODE_FILE)
    const given = { title: name, directoryShortid: parent.shortid, ...stored }
    const made = await this.#change((storage) => storage.createModule(given)).catch((error: unknown) => {
      throw taken(error, 'FILE_EXISTS') ?? notCreated(error instanceof Error ? error.message : String(error))
    })
    const node: FileNode = {
      type: NODE_FILE,
      id,
      shortid: made.shortid,
      name,
      parentId: parent.id,
      ...stored,
      ctime: made.insertedAt,
      mtime: made.updatedAt,
    }
    this.#add(node)
    return node
  }

  async #createDirectory(parent: DirectoryNode, name: string, id: string): Promise<DirectoryNode> {
    this.#requireFree(parent, name, NODE_DIRECTORY)
    const given = { title: name, directoryShortid: parent.shortid }
    const { shortid } = await this.#change((storage) => storage.createDirectory(given)).catch((error: unknown) => {
      throw taken(error, 'DIRECTORY_EXISTS') ?? error
    })
    const node: DirectoryNode = { type: NODE_DIRECTORY, id, shortid, name, parentId: parent.id }
    this.#add(node)
    return node
  }

  /** Bytes as they are stored: text as text, anything else as its address. */
  async #encode(
    name: string,
    content: Uint8Array,
    { isInline = false }: Pick<WriteOptions, 'isInline'>,
  ): Promise<Stored> {
    if (!isBinary(name, content)) return { code: new TextDecoder().decode(content), isBinary: false }
    // There is nothing to upload of an empty one.
    const isUploaded = !isInline && content.length > 0
    const code = isUploaded ? await this.#change((storage) => storage.upload(name, content)) : dataUrl(content)
    this.#sizes.set(code, content.length)
    return { code, isBinary: true }
  }

  #requireFree(parent: DirectoryNode, name: string, type: SandboxNode['type']): void {
    if (name === '') throw nameless(type)
    const taken = this.tree.children(parent.id).find((child) => child.name === name)
    if (taken) throw fileError(taken.type === NODE_FILE ? 'FILE_EXISTS' : 'DIRECTORY_EXISTS')
  }

  #add(node: SandboxNode): void {
    this.tree.nodes.set(node.id, node)
    const isHidden = this.tree.isHidden(node)
    if (!isHidden) this.#tell(createOf(node))
    this.#options.onEvent('add', this.pathOf(node), node, isHidden)
  }

  async #delete(node: SandboxNode): Promise<void> {
    if (node.id === ROOT_ID) throw fileError('ROOT')
    const { type, shortid } = node
    // The server removes what is in a directory along with it.
    if (shortid !== null)
      await this.#change((storage) =>
        type === NODE_FILE ? storage.deleteModule(shortid) : storage.deleteDirectory(shortid),
      )
    this.#drop(node)
  }

  #drop(node: SandboxNode): void {
    const branch = this.tree.branch(node)
    const paths = branch.map((one) => this.pathOf(one))
    const isHidden = this.tree.isHidden(node)
    for (const { id } of branch) this.tree.nodes.delete(id)
    if (!isHidden) this.#tell({ type: 'delete', id: node.id })
    branch.forEach((one, index) => this.#options.onEvent('remove', paths[index]!, one, isHidden))
  }

  async #move(node: SandboxNode, parent: DirectoryNode, name: string): Promise<void> {
    if (node.id === ROOT_ID) throw fileError('ROOT')
    if (node.parentId === parent.id && node.name === name) return
    if (this.tree.branch(node).includes(parent)) throw fileError('NOT_A_DIRECTORY')
    this.#requireFree(parent, name, node.type)
    const given = { title: name, directoryShortid: parent.shortid }
    const { type, shortid } = node
    const isFile = type === NODE_FILE
    if (shortid !== null)
      await this.#change((storage) =>
        isFile ? storage.updateModule(shortid, given) : storage.updateDirectory(shortid, given),
      ).catch((error: unknown) => {
        throw taken(error, isFile ? 'FILE_EXISTS' : 'DIRECTORY_EXISTS') ?? error
      })
    this.#moved(node, parent, name)
  }

  #moved(node: SandboxNode, parent: DirectoryNode, name: string): void {
    if (node.parentId === parent.id && node.name === name) return
    const branch = this.tree.branch(node)
    const wasHidden = this.tree.isHidden(node)
    for (const one of branch) this.#options.onEvent('remove', this.pathOf(one), one, wasHidden)
    node.name = name
    node.parentId = parent.id
    const isHidden = this.tree.isHidden(node)
    if (!wasHidden)
      this.#tell(isHidden ? { type: 'delete', id: node.id } : { type: 'move', id: node.id, parentId: parent.id, name })
    else if (!isHidden) for (const one of branch) this.#tell(createOf(one))
    for (const one of branch) this.#options.onEvent('add', this.pathOf(one), one, isHidden)
  }

  async #store(node: FileNode, stored: Stored): Promise<void> {
    await this.#change((storage) => storage.updateModule(node.shortid, stored))
    Object.assign(node, stored, { mtime: this.#options.now() })
    this.#options.onEvent('change', this.pathOf(node), node, this.tree.isHidden(node))
  }

  /** Counts what is told and nothing else: clients wait for every number. */
  #tell(operation: TreeOperation): void {
    this.tree.clock += 1
    this.#options.onOperation(operation, this.tree.clock)
  }

  async #change<T>(work: (storage: SandboxStorage) => Promise<T>): Promise<T> {
    try {
      return await work(this.#storage)
    } catch (error) {
      if (error instanceof StorageError && error.status === NO_ANSWER) this.#options.onUnanswered()
      throw error
    }
  }

  #do<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work)
    this.#work = done.catch(() => undefined)
    return done
  }
}

const createOf = ({ id, type, name, parentId }: SandboxNode): TreeOperation => ({
  type: 'create',
  parentId: parentId ?? ROOT_ID,
  newEntry: { id, type, name },
})

/** Somebody else has made an entry of this name that nobody here has heard of yet; undefined for any other failure. */
function taken(error: unknown, name: FileErrorName): ProtocolError | undefined {
  return error instanceof StorageError && error.status === NAME_TAKEN ? fileError(name) : undefined
}
