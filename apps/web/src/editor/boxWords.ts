import type { LampTone } from '@boxyard/ui'
import type { SnapshotFrom } from 'xstate'
import type { Isolation } from '../api/schemas.ts'
import type { boxMachine } from './boxMachine.ts'

type BoxState = Pick<SnapshotFrom<typeof boxMachine>, 'matches'>

/** The state of the box as the header says it. */
export function boxWords(state: BoxState): { tone: LampTone; words: string } {
  if (state.matches('STARTING')) return { tone: 'working', words: 'Starting' }
  if (
    state.matches('RESTARTING') ||
    state.matches({ LINKED: 'RESTARTING' }) ||
    state.matches({ LINKED: 'RELOADING' })
  ) {
    return { tone: 'working', words: 'Restarting' }
  }
  if (state.matches('ERROR')) return { tone: 'failed', words: 'Not started' }
  if (state.matches({ LINKED: 'CONNECTING' })) return { tone: 'working', words: 'Connecting' }
  if (state.matches({ LINKED: 'READY' })) return { tone: 'on', words: 'Running' }
  if (state.matches({ LINKED: 'HIBERNATED' })) return { tone: 'off', words: 'Asleep' }
  if (state.matches({ LINKED: 'DISCONNECTED' })) return { tone: 'failed', words: 'Disconnected' }
  return { tone: 'warning', words: 'Reconnecting' }
}

/** How the box is kept apart from its host, in words: short, and the sentence behind it. */
export const isolationWords: Readonly<Record<Isolation, { short: string; long: string }>> = {
  none: {
    short: 'Not isolated',
    long: 'Programs of this devbox run on the host without a wall around them. Run only code that you trust.',
  },
  namespace: {
    short: 'Isolated',
    long: 'Programs of this devbox run in a sandbox of their own on the kernel of the host.',
  },
  'userspace-kernel': {
    short: 'Isolated, own kernel',
    long: 'Programs of this devbox run on a kernel of their own in user space.',
  },
  vm: { short: 'Isolated, virtual machine', long: 'Programs of this devbox run in a virtual machine of their own.' },
}
