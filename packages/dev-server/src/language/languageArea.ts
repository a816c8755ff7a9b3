import { ProtocolError } from '@boxyard/protocol'
import type { Area, Connection } from '../area.ts'
import type { Configuration } from '../configuration.ts'
import type { Timers } from '../shell/Timers.ts'
import { knows, listLanguages, type ServerId } from './languages.ts'
import { LanguageServer } from './LanguageServer.ts'
import { findServerPrograms } from './serverPrograms.ts'
import type { OpenTexts } from './ServedDocuments.ts'

/** These change what the server is for everybody, or have it change files. */
const writing: ReadonlySet<string> = new Set(['workspace/executeCommand', 'workspace/didChangeConfiguration'])

export interface LanguageAreaDependencies {
  configuration: Pick<Configuration, 'workspace' | 'languageServers'>
  environment: Readonly<Record<string, string>>
  texts: OpenTexts
  timers: Timers
  report: (error: unknown) => void
}

export interface LanguageArea extends Area {
  /** Ends the processes that run and starts them again. */
  restart(): Promise<void>
}

/** Language servers behind the protocol. See SPEC-language.md. */
export function createLanguageArea(dependencies: LanguageAreaDependencies): LanguageArea {
  const { configuration, environment, texts, timers, report } = dependencies
  const servers = new Map<ServerId, LanguageServer>()
  for (const [serverId, program] of findServerPrograms(configuration.languageServers)) {
    const { workspace } = configuration
    servers.set(serverId, new LanguageServer({ serverId, program, workspace, environment, texts, timers, report }))
  }
  const languages = listLanguages(new Set(servers.keys()))
  const gone = new WeakMap<Connection, AbortController>()

  const find = (languageId: string, serverId: string): LanguageServer => {
    const server = servers.get(serverId as ServerId)
    if (!server || !knows(serverId as ServerId, languageId)) {
      throw new ProtocolError(
        'FEATURE_UNAVAILABLE',
        `There is no language server ${serverId} for ${languageId} in this box`,
      )
    }
    return server
  }
  const leaving = (connection: Connection): AbortSignal => {
    const known = gone.get(connection) ?? new AbortController()
    gone.set(connection, known)
    return known.signal
  }

  return {
    async restart() {
      await Promise.all([...servers.values()].map((server) => server.restart()))
    },
    handlers: {
      'language/list': () => ({ languages }),
      'language/lspRequest': ({ languageId, serverId, message }, connection) => {
        const server = find(languageId, serverId)
        if (writing.has(message.method) && !connection.permissions.language.lspWrite)
          throw new ProtocolError('NO_ACCESS')
        return server.request(connection, languageId, message, leaving(connection))
      },
      'language/lspServerResponse': ({ languageId, serverId, message }, connection) => {
        find(languageId, serverId).answer(connection, message.id, message)
        return null
      },
    },
    left(connection) {
      gone.get(connection)?.abort()
      for (const server of servers.values()) server.detach(connection)
    },
    async dispose() {
      await Promise.all([...servers.values()].map((server) => server.stop()))
    },
  }
}
