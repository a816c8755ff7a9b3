import type {
  ClientsArea,
  CommandsArea,
  Connection,
  DevServerClientOptions,
  FilesArea,
  FileSystemArea,
  GitArea,
  LanguagesArea,
  NotificationsArea,
  PortsArea,
  SetupArea,
  ShellsArea,
  SyncFailure,
  SystemArea,
  TasksArea,
} from './api.ts'
import type { AreaContext } from './areaSync.ts'
import { Clients } from './clients.ts'
import { Commands } from './commands.ts'
import { DevServerConnection } from './devServerConnection.ts'
import { Emitter } from './event.ts'
import { Files } from './files/files.ts'
import { FileSystem } from './fs/fileSystem.ts'
import { Git } from './git.ts'
import { Languages } from './languages.ts'
import { Notifications } from './notifications.ts'
import { Ports } from './ports.ts'
import { Setup } from './setup.ts'
import { Shells } from './shells/shells.ts'
import { System } from './system.ts'
import { Tasks } from './tasks.ts'

/** One client of one dev server: the connection and the areas of the protocol. */
export class DevServerClient {
  readonly #connection: DevServerConnection
  readonly #system: System
  readonly #failureEmitter = new Emitter<SyncFailure>()
  readonly connection: Connection
  readonly clients: ClientsArea
  readonly fs: FileSystemArea
  readonly files: FilesArea
  readonly shells: ShellsArea
  readonly tasks: TasksArea
  readonly setup: SetupArea
  readonly ports: PortsArea
  readonly git: GitArea
  readonly system: SystemArea
  readonly languages: LanguagesArea
  readonly commands: CommandsArea
  readonly notifications: NotificationsArea

  /** Something in the background failed that nobody awaits. */
  readonly onSyncFailure = this.#failureEmitter.event

  constructor(options: DevServerClientOptions) {
    this.#connection = new DevServerConnection(options)
    this.connection = this.#connection
    const reportFailure = (failure: SyncFailure) => this.#failureEmitter.fire(failure)
    this.#connection.onInvalidNotification(reportFailure)
    const context: AreaContext = { connection: this.#connection, reportFailure }
    // After a join the areas synchronise in this order; open files come before the tree.
    this.clients = new Clients(context)
    const fs = new FileSystem(context)
    this.fs = fs
    this.files = new Files(context, fs.tree)
    this.shells = new Shells(context)
    this.tasks = new Tasks(context)
    this.setup = new Setup(context)
    this.ports = new Ports(context)
    this.git = new Git(context)
    this.#system = new System(context)
    this.system = this.#system
    this.languages = new Languages(context)
    this.commands = new Commands(context)
    this.notifications = new Notifications(context)
  }

  /**
   * Connects and joins. The areas synchronise behind it: see `ready` of each.
   * @throws what ended the last of three tries: DevServerClientError, or the error of resolveInstance
   */
  connect(): Promise<void> {
    return this.#connection.connect()
  }

  dispose(): void {
    this.#system.dispose()
    this.#connection.dispose()
  }
}
