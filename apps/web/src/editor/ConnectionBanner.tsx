import { Banner, Button } from '@boxyard/ui'
import type { SnapshotFrom } from 'xstate'
import type { boxMachine } from './boxMachine.ts'

export interface ConnectionBannerProps {
  state: SnapshotFrom<typeof boxMachine>
  onReconnect: () => void
  onRestart: (() => void) | undefined
}

/** Says in words that the editor and its machine are apart, what that means for what is typed, and what can be done. */
export function ConnectionBanner({ state, onReconnect, onRestart }: ConnectionBannerProps) {
  const restart = onRestart && (
    <Button size="small" onClick={onRestart}>
      Restart microVM
    </Button>
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
