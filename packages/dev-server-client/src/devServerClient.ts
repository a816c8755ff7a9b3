import type {
  ClientsArea,
  Connection,
  DevServerClientOptions,
  FilesArea,
  FileSystemArea,
  PortsArea,
  SetupArea,
  ShellsArea,
  SyncFailure,
  SystemArea,
  TasksArea,
} from './api.ts'
import type { Event } from './event.ts'

/** One client of one dev server: the connection and the areas of the protocol. */
export declare class DevServerClient {
  constructor(options: DevServerClientOptions)
  readonly connection: Connection
  readonly clients: ClientsArea
  readonly fs: FileSystemArea
  readonly files: FilesArea
  readonly shells: ShellsArea
  readonly tasks: TasksArea
  readonly setup: SetupArea
  readonly ports: PortsArea
  readonly system: SystemArea
  readonly onSyncFailure: Event<SyncFailure>
  /** Connects and joins. The areas synchronise behind it: see `ready` of each. */
  connect(): Promise<void>
  dispose(): void
}
