import { describe, expect, it } from 'vitest'
import { permissionsFor, type PermissionFlag } from './access.ts'
import { methods, type MethodName } from './methods.ts'

/** Everything that a reader may call. Whatever changes, runs or costs something is missing here. */
const readable: readonly MethodName[] = [
  'client/join',
  'client/list',
  'fs/read',
  'fs/search',
  'fs/streamingSearch',
  'fs/cancelStreamingSearch',
  'fs/pathSearch',
  'fs/download',
  'fs/readFile',
  'fs/readdir',
  'fs/stat',
  'fs/watch',
  'fs/unwatch',
  'file/open',
  'file/openByPath',
  'file/close',
  'file/documentAck',
  'file/documentSelection',
  'shell/list',
  'shell/open',
  'shell/close',
  'task/list',
  'setup/get',
  'port/list',
  'system/metrics',
  'git/status',
  'git/remotes',
  'git/targetDiff',
  'git/remoteContent',
  'git/diffStatus',
  'git/log',
  'git/transposeLines',
  'language/list',
  'language/lspRequest',
  'language/lspServerResponse',
  'command/list',
  'channel/subscribe',
  'channel/unsubscribe',
  'channel/message',
  'notification/notifyResponse',
  'box/installedDependencies',
]

describe('access', () => {
  it('P8: a writer may call everything, a reader only what looks', () => {
    const may = (level: 'read' | 'write', flag: PermissionFlag | null): boolean => {
      if (flag === null) return true
      const [group = '', key = ''] = flag.split('.')
      const permissions: Record<string, Record<string, boolean>> = permissionsFor(level)
      return permissions[group]?.[key] === true
    }
    const names = Object.keys(methods) as MethodName[]
    for (const name of names) {
      expect([name, may('write', methods[name].permission)]).toEqual([name, true])
      expect([name, may('read', methods[name].permission)]).toEqual([name, readable.includes(name)])
    }
  })
})
