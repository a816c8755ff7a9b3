import type { Connection, WatchEvent } from '@boxyard/dev-server-client'
import { NODE_FILE, rawFsError } from '@boxyard/protocol'
import type { BoxFiles } from './fileSystem.ts'

const ENOENT = 2

export interface KnownText {
  /** Absolute. */
  path: string
  text: string
}

/**
 * The files of a box for a workbench that starts before anything may be asked of it. Until the client has joined there is the text that the page has, and the workspace
 * has no settings, which the workbench would wait for with all of its start. The box is asked for those as soon as it can be; everything else waits for it.
 */
export function filesAhead(
  files: BoxFiles,
  connection: Pick<Connection, 'joined' | 'onDidJoin'>,
  { workspacePath, known }: { workspacePath: string; known: KnownText | undefined },
): BoxFiles {
  const content = known && new TextEncoder().encode(known.text)
  const settings = `${workspacePath}/.vscode/`
  const missed = new Set<string>()
  let report: ((events: WatchEvent[]) => void) | undefined
  const isAhead = () => connection.joined === undefined
  const refuse = (path: string) => {
    missed.add(path)
    return rawFsError(ENOENT, `${path} is not known yet`)
  }
  const joining = connection.onDidJoin(() => {
    joining.dispose()
    if (missed.size > 0) report?.([{ type: 'add', paths: [...missed] }])
  })
  return {
    async stat(path) {
      if (isAhead() && path.startsWith(settings)) throw refuse(path)
      if (isAhead() && content && path === known.path)
        return { type: NODE_FILE, isSymlink: false, size: content.length, mtime: 0, ctime: 0, atime: 0 }
      return files.stat(path)
    },
    async readFile(path) {
      if (isAhead() && path.startsWith(settings)) throw refuse(path)
      return isAhead() && content && path === known.path ? content : files.readFile(path)
    },
    watch(path, options, listener) {
      // What is watched changes together: one of them tells of everything.
      report ??= listener
      return files.watch(path, options, listener)
    },
    readdir: (path) => files.readdir(path),
    writeFile: (path, written, options) => files.writeFile(path, written, options),
    mkdir: (path, options) => files.mkdir(path, options),
    remove: (path, options) => files.remove(path, options),
    rename: (from, to, options) => files.rename(from, to, options),
    copy: (from, to, options) => files.copy(from, to, options),
  }
}
