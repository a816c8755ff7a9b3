import { ProtocolError } from '@boxyard/protocol'
import type { Area, Connection } from '../area.ts'
import type { Configuration } from '../configuration.ts'
import type { Timers } from '../shell/Timers.ts'
import { knows, listLanguages, type ServerId } from './languages.ts'
import type { LanguageServer } from './LanguageServer.ts'
import { findServerPrograms, type ServerProgram } from './serverPrograms.ts'
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
  const programs = findServerPrograms(configuration.languageServers)
  const servers = new Map<ServerId, Promise<LanguageServer>>()
  const languages = listLanguages(new Set(programs.keys()))
  const gone = new WeakMap<Connection, AbortController>()

  /** What speaks with the programs is loaded with the first of them: a box needs it after somebody looks at code, not to start. */
  const open = async (serverId: ServerId, program: ServerProgram): Promise<LanguageServer> => {
    const { LanguageServer: Server } = await import('./LanguageServer.ts')
    return new Server({ serverId, program, workspace: configuration.workspace, environment, texts, timers, report })
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
  const leaving = (connection: Connection): AbortSignal => {
    const known = gone.get(connection) ?? new AbortController()
    gone.set(connection, known)
    return known.signal
  }

  return {
    restart: () => each((server) => server.restart()),
    handlers: {
      'language/list': () => ({ languages }),
      'language/lspRequest': async ({ languageId, serverId, message }, connection) => {
        const opened = find(languageId, serverId)
        if (writing.has(message.method) && !connection.permissions.language.lspWrite)
          throw new ProtocolError('NO_ACCESS')
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
    dispose: () => each((server) => server.stop()),
  }
}
