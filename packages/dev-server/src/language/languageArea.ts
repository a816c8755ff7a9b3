import { knows, listLanguages, ProtocolError, type ServerId } from '@boxyard/protocol'
import type { Area, Connection } from '../area.ts'
import type { Configuration } from '../configuration.ts'
import type { Timers } from '../shell/Timers.ts'
import type { WatchFolder } from '../task/watchFolder.ts'
import type { LanguageServer } from './LanguageServer.ts'
import { findServerPrograms, type ServerProgram } from './serverPrograms.ts'
import type { OpenTexts } from './ServedDocuments.ts'
import { watchPackages } from './watchPackages.ts'
import type { OpenFolder } from './WatchedFiles.ts'

/** These change what the server is for everybody, or have it change files. */
const writing: ReadonlySet<string> = new Set(['workspace/executeCommand', 'workspace/didChangeConfiguration'])

/** A set-up that takes longer does more than install packages. */
const HOLD_MS = 60_000

/** What the language server protocol has. Servers have methods of their own beside it, such as one that writes a profile into a folder. */
const ofProtocol =
  /^(initialized?|shutdown|exit|\$\/.+|(textDocument|workspace|callHierarchy|typeHierarchy)\/.+|\w+\/resolve)$/

export interface LanguageAreaDependencies {
  configuration: Pick<Configuration, 'workspace' | 'languageServers'>
  environment: Readonly<Record<string, string>>
  texts: OpenTexts
  files: OpenFolder & { filePaths(): string[] }
  watchFolder: WatchFolder
  /** Whether the set-up of the box runs. */
  isInstalling: () => boolean
  timers: Timers
  report: (error: unknown) => void
}

export interface LanguageArea extends Area {
  /** The set-up of the box has come further. */
  setupChanged(): void
  /** Ends the processes that run and starts them again. */
  restart(): Promise<void>
}

/** Language servers behind the protocol. See SPEC-language.md. */
export function createLanguageArea(dependencies: LanguageAreaDependencies): LanguageArea {
  const { configuration, environment, texts, files, watchFolder, isInstalling, timers, report } = dependencies
  const { workspace } = configuration
  const programs = findServerPrograms(configuration.languageServers, workspace)
  const servers = new Map<ServerId, Promise<LanguageServer>>()
  const languages = listLanguages(new Set(programs.keys()))
  const gone = new WeakMap<Connection, AbortController>()

  /** What speaks with the programs is loaded with the first of them: a box needs it after somebody looks at code, not to start. */
  const open = async (serverId: ServerId, program: () => ServerProgram | undefined): Promise<LanguageServer> => {
    const { LanguageServer: Server } = await import('./LanguageServer.ts')
    const isHeld = (): boolean => endHold !== undefined
    return new Server({ serverId, program, workspace, environment, texts, files, isHeld, timers, report })
  }
  const find = (languageId: string, serverId: string): Promise<LanguageServer> => {
    const id = serverId as ServerId
    const program = programs.get(id)
    if (!program || !knows(id, languageId)) {
      throw new ProtocolError(
        'FEATURE_UNAVAILABLE',
        `There is no language server ${serverId} for ${languageId} in this box`,
      )
    }
    const server = servers.get(id) ?? open(id, program)
    servers.set(id, server)
    return server
  }
  const each = async (work: (server: LanguageServer) => Promise<void>): Promise<void> => {
    await Promise.all([...servers.values()].map(async (server) => work(await server)))
  }
  const packagesChanged = async (): Promise<void> => (await servers.get('typescript'))?.packagesChanged()
  const packages = watchPackages({ workspace, files, watchFolder, timers, report }, () => {
    packagesChanged().catch(report)
  })
  /** Undefined when mistakes are told: while packages are being installed nearly everything is one. */
  let endHold: (() => void) | undefined
  const release = async (): Promise<void> => {
    endHold?.()
    endHold = undefined
    await packagesChanged()
    await each((server) => Promise.resolve(server.tellHeld()))
  }
  if (isInstalling()) endHold = timers.after(HOLD_MS, () => void release().catch(report))
  const leaving = (connection: Connection): AbortSignal => {
    const known = gone.get(connection) ?? new AbortController()
    gone.set(connection, known)
    return known.signal
  }

  return {
    setupChanged() {
      if (endHold && !isInstalling()) release().catch(report)
    },
    restart: () => each((server) => server.restart()),
    handlers: {
      'language/list': () => ({ languages }),
      'language/lspRequest': async ({ languageId, serverId, message }, connection) => {
        const opened = find(languageId, serverId)
        const isReading = ofProtocol.test(message.method) && !writing.has(message.method)
        if (!isReading && !connection.permissions.language.lspWrite) throw new ProtocolError('NO_ACCESS')
        const abandoned = leaving(connection)
        return (await opened).request(connection, languageId, message, abandoned)
      },
      'language/lspServerResponse': async ({ languageId, serverId, message }, connection) => {
        const server = await find(languageId, serverId)
        server.answer(connection, message.id, message)
        return null
      },
    },
    left(connection) {
      gone.get(connection)?.abort()
      each((server) => {
        server.detach(connection)
        return Promise.resolve()
      }).catch(report)
    },
    dispose: () => {
      endHold?.()
      packages.dispose()
      return each((server) => server.stop())
    },
  }
}
