import type { Connection } from '@boxyard/dev-server-client'

/** What the person may do with shells of the box. */
export interface ShellRights {
  readonly create: boolean
  /** Types into them, and ends their own. */
  readonly write: boolean
}

/** Read anew each time: it changes while the page is open. Until the box has told, what the page knows counts, and the box has the last word. */
export function shellRights(canWrite: boolean, connection: Pick<Connection, 'joined'>): ShellRights {
  const may = (what: 'create' | 'write') => canWrite && connection.joined?.permissions.shell[what] !== false
  return {
    get create() {
      return may('create')
    },
    get write() {
      return may('write')
    },
  }
}
