import { join } from 'node:path'
import type { Area, Connection, Connections } from '../area.ts'
import type { Configuration } from '../configuration.ts'
import type { HandedShells } from './handedShell.ts'
import { ensureZshSettings, findShellPrograms } from './interactiveShell.ts'
import { shellEnvironment } from './shellEnvironment.ts'
import { OutputPace } from './OutputPace.ts'
import type { ShellSession } from './ShellSession.ts'
import { Shells } from './Shells.ts'
import { FileShellStore } from './ShellStore.ts'
import type { Timers } from './Timers.ts'

export interface ShellAreaDependencies {
  configuration: Pick<
    Configuration,
    'boxId' | 'previewHost' | 'home' | 'programs' | 'egressSocket' | 'workspace' | 'state' | 'isAgain'
  >
  /** The disk was copied from another box. */
  isCopy: boolean
  connections: Connections
  timers: Timers
  /** The dev server's own environment. */
  environment: NodeJS.ProcessEnv
  /** The name of the user everything runs as. */
  username: string
  /** What the dev server before this one handed over, or null. */
  handed: HandedShells | null
  report: (error: unknown) => void
}

export interface ShellArea extends Area {
  readonly shells: Shells
  /** To be told of what is typed elsewhere. */
  readonly pace: OutputPace
  /** What every program that a person starts is given. */
  readonly environment: Readonly<Record<string, string>>
  /** The box has another id: what is started from now on is told so. */
  adopted(): void
}

/** Terminals and commands. See SPEC-shells.md, rules SH1 and on. */
export async function createShellArea(dependencies: ShellAreaDependencies): Promise<ShellArea> {
  const { configuration, connections, timers, report } = dependencies
  const programs = findShellPrograms(dependencies.environment['PATH'] ?? '/usr/local/bin:/usr/bin:/bin')
  if (programs.interactive.endsWith('/zsh')) await ensureZshSettings(configuration.home).catch(report)
  const person = { username: dependencies.username, shell: programs.interactive }
  const environment = shellEnvironment(dependencies.environment, configuration, person)
  const pace = new OutputPace(timers)
  const shells = await Shells.load({
    store: new FileShellStore(join(configuration.state, 'shells'), timers, report),
    connections,
    timers,
    pace,
    programs,
    environment,
    workspace: configuration.workspace,
    isFork: dependencies.isCopy,
    isAgain: configuration.isAgain,
    handed: dependencies.handed,
    report,
  })

  const heard = (shellId: string, connection: Connection): ShellSession => {
    const session = shells.get(shellId)
    session.heardFrom(connection)
    return session
  }

  return {
    shells,
    pace,
    environment,
    adopted() {
      Object.assign(environment, shellEnvironment(dependencies.environment, configuration, person))
    },
    handlers: {
      'shell/create': async (params, connection) => {
        const session = await shells.create({
          command: params.command,
          cwd: params.cwd ?? params.projectPath,
          size: params.size,
          type: params.type,
          isSystemShell: params.isSystemShell,
          creator: connection,
        })
        return session.describeOpen()
      },
      'shell/list': () => ({ shells: shells.list().map((session) => session.describe()) }),
      'shell/open': ({ shellId, size }, connection) => {
        const session = heard(shellId, connection)
        session.subscribe(connection)
        // Somebody who comes to watch does not change the picture of those who are already there.
        if (size && session.subscribers.size === 1 && connection.permissions.shell.resize) session.resize(size)
        return session.describeOpen()
      },
      'shell/close': ({ shellId }, connection) => {
        heard(shellId, connection).unsubscribe(connection)
        return null
      },
      'shell/in': ({ shellId, input, size }, connection) => {
        const session = heard(shellId, connection)
        if (size) session.resize(size)
        session.write(input)
        return null
      },
      'shell/resize': ({ shellId, size }, connection) => {
        heard(shellId, connection).resize(size)
        return null
      },
      'shell/restart': async ({ shellId }, connection) => {
        await shells.restart(heard(shellId, connection))
        return null
      },
      'shell/terminate': async ({ shellId }, connection) => {
        const session = heard(shellId, connection)
        await shells.terminate(session, connection.client.username)
        return session.describe()
      },
      'shell/rename': async ({ shellId, name }, connection) => {
        await shells.rename(heard(shellId, connection), name)
        return null
      },
    },
    joined: (connection) => shells.welcome(connection),
    left(connection) {
      for (const session of shells.list()) session.unsubscribe(connection)
    },
    dispose: () => shells.dispose(),
  }
}
