import type { ConnectionState } from '@boxyard/dev-server-client'
import type { SaveState } from '../text/textSync.ts'

export interface StatusText {
  text: string
  tooltip: string
  kind: 'standard' | 'warning' | 'error'
}

/** State of the connection and of the work, in words for the status bar. */
export function statusText(connection: ConnectionState, save: SaveState): StatusText {
  switch (connection.kind) {
    case 'IDLE':
    case 'CONNECTING':
      return { text: '$(sync) Connecting', tooltip: 'The editor is connecting to the box.', kind: 'standard' }
    case 'RECONNECTING':
      return {
        text: `$(sync) Reconnecting (attempt ${connection.attempt})`,
        tooltip: 'What you type is kept in this page and sent when the connection is back.',
        kind: 'warning',
      }
    case 'DISCONNECTED':
      return {
        text: '$(debug-disconnect) Disconnected',
        tooltip: `${connection.reason}. What you type is kept in this page. Click to connect again.`,
        kind: 'error',
      }
    case 'HIBERNATED':
      return { text: '$(debug-pause) Asleep', tooltip: 'The box sleeps. Click to wake it up.', kind: 'warning' }
    case 'CONNECTED':
      return saveTexts[save]
  }
}

const saveTexts: Record<SaveState, StatusText> = {
  saved: { text: '$(check) Saved', tooltip: 'Every open file is saved.', kind: 'standard' },
  unsaved: {
    text: '$(circle-filled) Not saved',
    tooltip: 'What you typed is safe on the box, but not in the files yet. Save with Ctrl or Cmd S.',
    kind: 'standard',
  },
  saving: { text: '$(sync) Saving', tooltip: 'A file is being saved.', kind: 'standard' },
  full: {
    text: '$(error) Disk full',
    tooltip: 'What you type stays in this page until there is room on the disk of the box.',
    kind: 'error',
  },
  offline: { text: '$(debug-disconnect) Offline', tooltip: 'The box cannot be reached.', kind: 'warning' },
}
