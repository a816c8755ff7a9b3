import { getService, INotificationService } from '@codingame/monaco-vscode-api'
import { InMemoryStorageDatabase } from '@codingame/monaco-vscode-api/vscode/vs/base/parts/storage/common/storage'
import { StorageScope } from '@codingame/monaco-vscode-api/vscode/vs/platform/storage/common/storage'
import { createIndexedDBProviders } from '@codingame/monaco-vscode-files-service-override'
import type getStorage from '@codingame/monaco-vscode-storage-service-override'
import { inTime } from './inTime.ts'

/** Where the editor keeps what it remembers; nothing said: in the browser. */
export type Databases = Pick<NonNullable<Parameters<typeof getStorage>[0]>, 'databaseFactories'>

const inMemory = () => new InMemoryStorageDatabase()

/** A browser whose database does not open would keep the editor waiting for each of these too. */
export const databasesInMemory: Databases = {
  databaseFactories: {
    [StorageScope.APPLICATION]: inMemory,
    [StorageScope.PROFILE]: inMemory,
    [StorageScope.WORKSPACE]: inMemory,
  },
}

/** Puts the files of the person's settings into the browser's database. Answers whether that opened: without it they are in memory. */
export async function openBrowserStorage(): Promise<boolean> {
  try {
    await inTime(createIndexedDBProviders())
    return true
  } catch (error) {
    console.warn('The database of the browser did not open', error)
    return false
  }
}

export async function tellNothingIsKept(): Promise<void> {
  const notifications = await getService(INotificationService)
  notifications.warn(
    'The database of this browser did not open. Files are saved as always; settings and which files are open last until this page is closed.',
  )
}
