import { rm, writeFile } from 'node:fs/promises'
import type { Connection } from '../area.ts'
import type { Shells } from '../shell/Shells.ts'
import type { ShellSession } from '../shell/ShellSession.ts'
import type { GitChanges } from './GitChanges.ts'
import type { GitRepository } from './GitRepository.ts'

export interface GitCommitShellDependencies {
  repository: GitRepository
  changes: GitChanges
  shells: Shells
  /** Where the chosen paths are handed over: there may be more than fit into a command. */
  pathsFile: string
}

/** Makes commits in a shell, so that people see what hooks print. */
export class GitCommitShell {
  readonly #dependencies: GitCommitShellDependencies
  #last: ShellSession | undefined

  constructor(dependencies: GitCommitShellDependencies) {
    this.#dependencies = dependencies
  }

  /** Resolves when git runs; `ended` with its exit code. A shell that somebody ends is a commit that failed. */
  async start(options: {
    message: string
    paths: readonly string[] | undefined
    variables: Readonly<Record<string, string>>
    connection: Connection
  }): Promise<{ session: ShellSession; ended: Promise<number> }> {
    const { repository, changes, shells, pathsFile } = this.#dependencies
    const { message, paths, variables, connection } = options
    await changes.stage(paths)
    // In a merge everything is committed: git has no merge of some paths.
    const isPartial = paths !== undefined && !(await repository.isMerging())
    if (isPartial) await writeFile(pathsFile, paths.join('\0'))
    const assignments = Object.entries(variables).map(([name, value]) => `${name}=${quote(value)}`)
    const command = [
      ...assignments,
      'git --literal-pathspecs -c core.fsync=all commit',
      ...(isPartial ? [`--only --pathspec-from-file=${quote(pathsFile)} --pathspec-file-nul`] : []),
      `--message=${quote(message)}`,
    ].join(' ')
    if (this.#last && shells.find(this.#last.id)) await shells.terminate(this.#last, '')
    const session = await shells.create({ type: 'COMMAND', command, name: 'git commit', creator: connection })
    this.#last = session
    // Nothing may be awaited between the creation and this: a quick end would go unseen.
    const ended = new Promise<number>((resolve) => {
      const forget = shells.observe({
        exited: (one, exitCode) => finish(one, exitCode),
        removed: (one) => finish(one, 1),
      })
      const finish = (one: ShellSession, exitCode: number): void => {
        if (one !== session) return
        forget()
        resolve(exitCode)
      }
    })
    return { session, ended: ended.finally(() => rm(pathsFile, { force: true })) }
  }
}

/** A word that bash takes as it is. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
