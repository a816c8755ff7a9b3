import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Area, Connections } from './area.ts'
import { previewHostOf, type Configuration } from './configuration.ts'
import { Documents } from './file/documents.ts'
import { createFileArea } from './file/fileArea.ts'
import { boxPath } from './fs/boxPath.ts'
import { createFsArea, type FsArea } from './fs/fsArea.ts'
import { hasTextSearch } from './fs/textSearch.ts'
import { Workspace } from './fs/workspace.ts'
import { Journal, type JournalOptions } from './journal/journal.ts'
import { decodeRecord, encodeRecord } from './journal/records.ts'
import { StoredState } from './journal/storedState.ts'
import type { Log } from './log.ts'
import type { Readiness } from './readiness.ts'

/** Every start of a dev server on a disk counts revisions and clocks from here on: no client mistakes new ones for old ones. */
const PER_BOOT = 1_000_000_000

function firstNumberOf(boots: number): number {
  return (boots - 1) * PER_BOOT
}

export interface Files {
  workspace: Workspace
  documents: Documents
  fsArea: FsArea
  fileArea: Area
  /** Resolves when everything acknowledged so far, and what is about to be, is on disk. */
  flush: () => Promise<void>
  /** The box was copied with its memory, and this is the copy: it counts from where no client of the original has been. */
  adopted: (boots: number) => Promise<void>
  /** The text of a file of the workspace as it is now, unsaved edits included; null where there is none to show. */
  textAt: (path: string) => Promise<string | null>
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
  const firstNumber = firstNumberOf(options.boots)
  // Both are there, with everything the journal has, before anything is appended: a snapshot is always complete.
  let documents: Documents
  let workspace: Workspace

  readiness.report({ message: 'Reading unsaved work', progress: 10, nextProgress: 30 })
  const { journal, stored } = await openJournal(
    {
      path: join(configuration.state, 'journal'),
      snapshot: () => [...documents.records(), { kind: 'ids' as const, ids: workspace.ids() }].map(encodeRecord),
      onFailure: (error, durable) => {
        log.error('The journal could not be written', error)
        documents.restore(new StoredState(durable.map(decodeRecord)).documents)
      },
    },
    log,
  )

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
  documents = new Documents({
    journal,
    workspace,
    connections,
    stored: stored.documents.values(),
    firstRevision: firstNumber,
    log,
  })
  await workspace.start()
  await documents.recover({ renumber: configuration.boot === 'FORK' && !configuration.isSuccessor })
  const flush = (): Promise<void> => journal.flushed()

  const fsArea = createFsArea(workspace, log, {
    textSearch: hasTextSearch(),
    previewHost: (port) => previewHostOf(configuration, port),
  })
  return {
    workspace,
    documents,
    fsArea: {
      ...fsArea,
      async dispose() {
        await fsArea.dispose()
        await workspace.stop()
        await journal.close()
      },
    },
    fileArea: createFileArea(documents, configuration.workspace),
    flush,
    adopted(boots) {
      workspace.renumber(firstNumberOf(boots))
      documents.renumber(firstNumberOf(boots))
      return flush()
    },
    textAt: (path) => documents.shownTextAt(boxPath(configuration.workspace, path)),
  }
}

/** A journal that can't be understood must not keep the box from starting: it is set aside, whole, for whoever can read it. */
async function openJournal(options: JournalOptions, log: Log): Promise<{ journal: Journal; stored: StoredState }> {
  const { journal, records } = await Journal.open(options)
  try {
    return { journal, stored: new StoredState(records.map(decodeRecord)) }
  } catch (error) {
    const aside = `${options.path}.unreadable-${Date.now()}`
    log.error('The journal could not be understood and was set aside', error, { aside })
    await journal.close()
    await rename(options.path, aside)
    return { journal: (await Journal.open(options)).journal, stored: new StoredState([]) }
  }
}
