import { readConfiguration } from './configuration.ts'
import { startDevServer } from './devServer.ts'
import { createLog } from './log.ts'

const log = createLog((line) => process.stderr.write(line))

process.on('uncaughtException', (error) => {
  // The state of the process is unknown after this. The journal holds everything acknowledged, so a clean start is safer.
  log.error('The dev server crashed', error)
  process.exit(1)
})

const devServer = await startDevServer(readConfiguration(process.env), log)
log.info('The dev server listens')

const stop = (signal: NodeJS.Signals): void => {
  log.info('The dev server stops', { signal })
  devServer.stop().then(
    () => process.exit(0),
    (error: unknown) => {
      log.error('The dev server did not stop cleanly', error)
      process.exit(1)
    },
  )
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
