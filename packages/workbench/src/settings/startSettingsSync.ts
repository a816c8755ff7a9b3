import { getService, IFileService, IUserDataProfileService } from '@codingame/monaco-vscode-api'
import type { ExtensionPlace } from '../extensions/extensionPlace.ts'
import { extensionShelf } from '../extensions/extensionShelf.ts'
import { installedExtensions } from '../extensions/installedExtensions.ts'
import { missingExtensions } from '../extensions/missingExtensions.ts'
import { joinSettings } from './joinSettings.ts'
import { report } from '../status/report.ts'
import { browserMemory } from './browserMemory.ts'
import { settingsFiles } from './settingsFiles.ts'
import type { SettingsKeeper } from './settingsKeeper.ts'
import { SettingsSync } from './settingsSync.ts'

/** Milliseconds in which several changes are one. */
const GATHERING = 500

/** Keeps what the person sets in this editor for their next one, and brings what they have set elsewhere. */
export async function startSettingsSync(keeper: SettingsKeeper, place: ExtensionPlace | undefined): Promise<void> {
  const { currentProfile } = await getService(IUserDataProfileService)
  const files = settingsFiles(await getService(IFileService), currentProfile)
  const shelf = place && (await extensionShelf(place))
  const local = shelf
    ? joinSettings([
        files,
        installedExtensions(shelf, missingExtensions(localStorage), (ids, error) =>
          report(`These extensions of yours are not here yet, the next visit tries again: ${ids.join(', ')}`, error),
        ),
      ])
    : files
  const sync = new SettingsSync(keeper, local, browserMemory(localStorage))
  let hasComplained = false
  const run = async () => {
    try {
      await sync.run()
      hasComplained = false
    } catch (error) {
      // Said once, until it has worked again. The browser has them, and the next change or visit tries anew.
      if (hasComplained) return
      hasComplained = true
      report('Your settings are kept in this browser alone for now', error)
    }
  }
  let gathering: ReturnType<typeof setTimeout> | undefined
  const gather = () => {
    clearTimeout(gathering)
    gathering = setTimeout(() => void run(), GATHERING)
  }
  files.onDidChange(gather)
  shelf?.onDidChange(gather)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void run()
  })
  await run()
}
