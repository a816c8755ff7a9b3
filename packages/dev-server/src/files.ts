import { join } from 'node:path'
import type { Area, Connections } from './area.ts'
import type { Configuration } from './configuration.ts'
import { Documents } from './file/documents.ts'
import { createFileArea } from './file/fileArea.ts'
import { createFsArea } from './fs/fsArea.ts'
import { hasTextSearch } from './fs/textSearch.ts'
import { Workspace } from './fs/workspace.ts'
import { Journal } from './journal/journal.ts'
import { decodeRecord, encodeRecord } from './journal/records.ts'
import { StoredState } from './journal/storedState.ts'
import type { Log } from './log.ts'
import type { Readiness } from './readiness.ts'

/** Every start of a dev server on a disk counts revisions and clocks from here on: no client mistakes new ones for old ones. */
const PER_BOOT = 1_000_000_000

export interface Files {
  fsArea: Area
  fileArea: Area
  /** Resolves when everything acknowledged so far, and what is about to be, is on disk. */
  flush: () => Promise<void>
}

/** Starts the two areas of files on their common workspace and journal. */
export async function startFiles(options: {
  configuration: Configuration
  boots: number
  connections: Connections
  readiness: Readiness
  log: Log
}): Promise<Files> {
  const { configuration, connections, readiness, log } = options
  const firstNumber = (options.boots - 1) * PER_BOOT
  let documents: Documents | undefined
  let workspace: Workspace | undefined

  readiness.report({ message: 'Reading unsaved work', progress: 10, nextProgress: 30 })
  const { journal, records } = await Journal.open({
    path: join(configuration.state, 'journal'),
    snapshot: () =>
      [...(documents?.records() ?? []), { kind: 'ids' as const, ids: workspace?.ids() ?? [] }].map(encodeRecord),
    onFailure: (error, durable) => {
      log.error('The journal could not be written', error)
      documents?.restore(new StoredState(durable.map(decodeRecord)).documents)
    },
  })
  const stored = new StoredState(records.map(decodeRecord))

  readiness.report({ message: 'Reading the files', progress: 30, nextProgress: 90 })
  workspace = new Workspace({
    root: configuration.workspace,
    ids: stored.ids,
    clock: firstNumber,
    saveIds: (ids) => journal.appended(encodeRecord({ kind: 'ids', ids })),
    announce(operations) {
      for (const connection of connections.all()) {
        if (connection.subscriptions.fs?.operations !== true) continue
        const foreign = operations.filter(({ author }) => author !== connection.client.clientId)
        if (foreign.length === 0) continue
        connection.notify('fs/operations', {
          operations: foreign.map(({ operation, clock }) => ({ operation, clock })),
        })
      }
    },
    log,
  })
  await workspace.start()
  documents = new Documents({ journal, workspace, connections, firstRevision: firstNumber, log })
  await documents.recover(stored.documents.values(), { renumber: configuration.boot === 'FORK' })
  const flush = (): Promise<void> => journal.flushed()
  await flush()

  const fsArea = createFsArea(workspace, log, { textSearch: hasTextSearch() })
  const started = workspace
  return {
    fsArea: {
      ...fsArea,
      async dispose() {
        await fsArea.dispose()
        await started.stop()
        await journal.close()
      },
    },
    fileArea: createFileArea(documents, configuration.workspace),
    flush,
  }
}
