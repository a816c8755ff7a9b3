import type { NoticeContent } from '@boxyard/ui'
import type { SnapshotFrom } from 'xstate'
import type { editorVersionMachine } from './editorVersionMachine.ts'

export const VERSION_NOTICE = 'editor-version'

export type VersionStatus =
  | 'checking'
  | 'installing'
  | 'updating'
  | 'latest'
  | 'updated'
  | 'updateError'
  | 'newMicroVm'
  | 'bothUpdated'
  | 'reloading'

/** What there is to say about the versions of the editor and the microVM. */
export function versionStatus(state: SnapshotFrom<typeof editorVersionMachine>): VersionStatus {
  if (state.matches({ EDITOR: 'RELOADING' }) || state.matches({ EDITOR: 'CLEARING' })) return 'reloading'
  if (state.matches({ EDITOR: 'UPDATE_ERROR' })) return 'updateError'
  const isNewMicroVm = state.matches({ MICROVM: 'NEW_AVAILABLE' })
  if (state.matches({ EDITOR: 'UPDATED' })) return isNewMicroVm ? 'bothUpdated' : 'updated'
  if (isNewMicroVm) return 'newMicroVm'
  if (state.matches({ EDITOR: { LOOKING: 'INSTALLING' } })) return 'installing'
  if (state.matches({ EDITOR: { LOOKING: 'UPDATING' } })) return 'updating'
  return state.matches({ EDITOR: 'LOOKING' }) ? 'checking' : 'latest'
}

export interface VersionActions {
  reload: () => void
  clearCache: () => void
  /** Restarts the microVM, after which the page reloads. Undefined: the person may not. */
  restart?: (() => void) | undefined
  /** Why there is no newer editor. */
  reason: string | null
}

/** What is said of it. Null: nothing that a person has to do something about. */
export function versionNotice(
  status: VersionStatus,
  { reload, clearCache, restart, reason }: VersionActions,
): NoticeContent | null {
  const shared = { uniqueName: VERSION_NOTICE }
  switch (status) {
    case 'updated':
      return {
        ...shared,
        title: 'A new version of the editor is there',
        body: 'Reload the page to use it. Your files and terminals stay as they are.',
        actions: [{ label: 'Reload', perform: reload }],
      }
    case 'newMicroVm':
      if (!restart) return null
      return {
        ...shared,
        title: 'A new version of the microVM is there',
        body: 'Restart it to use it. Your files stay; programs and terminals start anew.',
        actions: [{ label: 'Restart microVM', perform: restart }],
      }
    case 'bothUpdated':
      return {
        ...shared,
        title: 'New versions of the editor and the microVM are there',
        body: restart
          ? 'Restart the microVM to use both. Your files stay; programs and terminals start anew, and the page reloads.'
          : 'Reload the page to use the editor’s. Your files and terminals stay as they are.',
        actions: [
          ...(restart ? [{ label: 'Restart microVM', perform: restart }] : []),
          { label: restart ? 'Reload only' : 'Reload', perform: reload },
        ],
      }
    case 'updateError':
      return {
        ...shared,
        tone: 'error',
        title: 'The new version of the editor could not be installed',
        body: `${reason === null ? '' : `${reason}. `}Clear what this browser keeps of the editor and reload. Your files are not kept there.`,
        actions: [{ label: 'Clear cache and reload', perform: clearCache }],
      }
    case 'reloading':
      return { ...shared, title: 'Updating the editor', body: 'This page reloads in a moment.' }
    default:
      return null
  }
}
