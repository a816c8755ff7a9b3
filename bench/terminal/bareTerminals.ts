import { spawn } from '@lydell/node-pty'
import type { Terminals } from './terminal.ts'

export const bareTerminal = 'node-pty in the reader’s own process'

/** Nothing between the program and its reader but the pseudo-terminal itself. */
export const bareTerminals: Terminals = {
  async start(command) {
    const pty = spawn('bash', ['-c', command], { cols: 80, rows: 24 })
    const ended = new Promise<void>((resolve) => pty.onExit(() => resolve()))
    return {
      onData(listener) {
        const subscription = pty.onData(listener)
        return () => subscription.dispose()
      },
      write: (input) => pty.write(input),
      async close() {
        pty.kill('SIGKILL')
        await ended
      },
    }
  },
  stop: async () => undefined,
}
