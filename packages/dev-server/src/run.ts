import { readConfiguration } from './configuration.ts'
import { startDevServer, type DevServer } from './devServer.ts'
import { createLog } from './log.ts'

/** Starts the dev server of this box, as the environment describes it. */
export function run(): void {
  const log = createLog((line) => process.stderr.write(line))

  process.on('uncaughtException', (error) => {
    // The state of the process is unknown after this. The journal holds everything acknowledged, so a clean start is safer.
    log.error('The dev server crashed', error)
    process.exit(1)
  })

  const stopOn = (devServer: DevServer, signal: NodeJS.Signals): void => {
    process.on(signal, () => {
      log.info('The dev server stops', { signal })
      devServer.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error('The dev server did not stop cleanly', error)
          process.exit(1)
        },
      )
    })
  }
  startDevServer(readConfiguration(process.env), log).then(
    (devServer) => {
      log.info('The dev server listens')
      stopOn(devServer, 'SIGTERM')
      stopOn(devServer, 'SIGINT')
    },
    (error: unknown) => {
      log.error('The dev server could not open its socket', error)
      process.exit(1)
    },
  )
}
