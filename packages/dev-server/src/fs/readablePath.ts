import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ProtocolError } from '@boxyard/protocol'
import type { Connection } from '../area.ts'
import { hasCode } from './errno.ts'

/**
 * Lets a path pass for whoever may write, and could read everything with a program anyway. Whoever may only read is kept to the
 * workspace, wherever links lead: what else is in the box, such as variables and keys, was not shown to them.
 */
export async function readablePath(workspace: string, path: string, connection: Connection): Promise<string> {
  if (connection.permissions.fs.operation) return path
  const [root, real] = await Promise.all([realpath(workspace), realExisting(path)])
  if (real === root || real.startsWith(`${root}/`)) return path
  throw new ProtocolError('INVALID_PATH', 'Only files of the workspace can be read without write access')
}

/** Where a path leads; for one that does not exist, where the part of it leads that does. */
async function realExisting(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    try {
      return await realpath(at)
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR') && at !== '/') continue
      if (hasCode(error, 'ELOOP', 'EACCES', 'ENAMETOOLONG')) return '/'
      throw error
    }
  }
}
