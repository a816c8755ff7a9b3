import { buildDevServer } from '../buildDevServer.ts'
import { DevServerProcess } from '../devServerProcess.ts'
import type { Terminals } from './terminal.ts'

/** Terminals of a dev server, seen by the client of the editor. */
export async function startBoxyardTerminals(): Promise<Terminals> {
  const server = await DevServerProcess.create(await buildDevServer())
  await server.run()
  const client = await server.connect('user')
  return {
    async start(command) {
      const session = await client.shells.create({ command, type: 'COMMAND', size: { cols: 80, rows: 24 } })
      return {
        onData(listener) {
          const subscription = session.onData(listener)
          return () => subscription.dispose()
        },
        write: (input) => void session.write(input),
        async close() {
          await client.shells.terminate(session.shell.shellId)
          session.dispose()
        },
      }
    },
    stop: () => server.stop(),
  }
}
