import { ConfigurationError, readConfiguration } from './configuration.ts'
import { createServer } from './server.ts'
import { StartError } from './startError.ts'

/** Starts the server and keeps it until a signal asks it to stop. A signal during the start stops what was started so far. */
async function main(): Promise<void> {
  const stopRequested = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  const configuration = readConfiguration(process.env)
  const server = await createServer(configuration)
  try {
    await Promise.race([server.listen(), stopRequested])
    console.log(`Boxyard is at ${configuration.appOrigin}`)
    await stopRequested
  } finally {
    await server.close()
  }
  process.exit(0)
}

main().catch((error: unknown) => {
  // A person can remove the first two by what they say; a stack would hide it.
  console.error(error instanceof ConfigurationError || error instanceof StartError ? error.message : error)
  process.exit(1)
})
