import { Banner, Button, Tooltip } from '@boxyard/ui'
import type { SnapshotFrom } from 'xstate'
import type { boxMachine } from './boxMachine.ts'
import { noRestart } from './EditorHeader.tsx'

export interface ConnectionBannerProps {
  state: SnapshotFrom<typeof boxMachine>
  onReconnect: () => void
  /** Undefined: the person may not. */
  onRestart: (() => void) | undefined
}

/** Says in words that the editor and its machine are apart, what that means for what is typed, and what can be done. */
export function ConnectionBanner({ state, onReconnect, onRestart }: ConnectionBannerProps) {
  const restart = onRestart ? (
    <Button size="small" onClick={onRestart}>
      Restart microVM
    </Button>
  ) : (
    <Tooltip text={noRestart}>
      <Button size="small" aria-disabled>
        Restart microVM
      </Button>
    </Tooltip>
  )
  if (state.matches({ LINKED: 'RECONNECTING' }) || state.matches({ LINKED: 'DISCONNECTED_RECONNECTING' })) {
    const attempt = state.context.attempt > 1 ? ` (try ${state.context.attempt})` : ''
    return (
      <Banner tone="warning">
        Reconnecting{attempt}. Keep this page open: what you type now is stored as soon as the connection is back.
      </Banner>
    )
  }
  if (state.matches({ LINKED: 'DISCONNECTED' })) {
    const { disconnect, failure } = state.context
    return (
      <Banner
        tone="error"
        actions={
          <>
            <Button size="small" variant="primary" onClick={onReconnect}>
              Reconnect
            </Button>
            {restart}
          </>
        }
      >
        {failure
          ? `The machine was not restarted: ${failure.message}.`
          : `Disconnected${disconnect?.reason ? `: ${disconnect.reason}` : ''}.`}{' '}
        What was saved is safe. Keep this page open: what you typed since is only here, and the connection is tried
        again.
      </Banner>
    )
  }
  if (state.matches({ LINKED: 'HIBERNATED' })) {
    return (
      <Banner
        tone="info"
        actions={
          <Button size="small" variant="primary" onClick={onReconnect}>
            Wake it up
          </Button>
        }
      >
        The machine sleeps. Your files are safe; it wakes up when you go on.
      </Banner>
    )
  }
  if (state.matches({ LINKED: 'RESTARTING' }) || state.matches({ LINKED: 'RELOADING' })) {
    return <Banner tone="info">Restarting the machine. This page reloads when it is done.</Banner>
  }
  return null
}
