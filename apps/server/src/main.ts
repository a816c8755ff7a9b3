import { hasNoUsers } from './accounts/index.ts'
import { ConfigurationError, readConfiguration } from './configuration.ts'
import type { Configuration } from './configuration.ts'
import { describeFindings, examineMachine } from './doctor.ts'
import { createLogger, logDestination, logFileOf } from './logger.ts'
import type { Logger } from './logger.ts'
import { createMachines } from './machines/createMachines.ts'
import { describeMachines, fetchVsCodeServer, hibernateAll, updateAll } from './operatorCommands.ts'
import { createServer } from './server.ts'
import type { Server } from './server.ts'
import { StartError } from './startError.ts'

/** In a terminal a person reads the output; the log goes to a file then. */
const isTerminal = process.stdout.isTTY === true

/** Starts the server and keeps it until a signal asks it to stop. A signal during the start stops what was started so far. */
async function main(): Promise<void> {
  let isStopping = false
  const stopRequested = new Promise<void>((resolve) => {
    // Whoever starts it with nohup wants it to outlive the terminal.
    for (const signal of ['SIGINT', 'SIGTERM', ...(isTerminal ? ['SIGHUP' as const] : [])] as const) {
      process.once(signal, () => {
        isStopping = true
        resolve()
      })
    }
  })
  const configuration = readConfiguration(process.env)
  const log = createLogger(configuration, logDestination(configuration, isTerminal))
  process.on('uncaughtException', (error) => end(error, configuration, log))
  try {
    const server = await createServer(configuration, { machines: createMachines, log })
    try {
      if (!isStopping) await Promise.race([server.listen(), stopRequested])
      if (!isStopping) await greet(server, configuration)
      await stopRequested
    } finally {
      if (isTerminal && isStopping) console.log('\nStopping')
      await server.close()
    }
  } catch (error) {
    return end(error, configuration, log)
  }
  process.exit(0)
}

async function greet({ context }: Server, configuration: Configuration): Promise<void> {
  console.log(`Boxyard is at ${configuration.appOrigin}`)
  if (!isTerminal) return
  if (await hasNoUsers(context.database)) console.log('The first person to sign in becomes the administrator.')
  console.log(`The log is in ${logFileOf(configuration)}`)
  console.log('Press Ctrl-C to stop it. Devboxes and their files stay.')
}

/** A person can remove the cause of a StartError by what it says; anything else needs the log. */
function end(error: unknown, configuration: Configuration, log: Logger): never {
  if (error instanceof StartError) console.error(error.message)
  else {
    log.fatal({ err: error }, 'the server ended because of an error')
    if (isTerminal) {
      const said = error instanceof Error ? error.message : String(error)
      console.error(`The server ended: ${said}\nWhat was saved is safe. The log has more: ${logFileOf(configuration)}`)
    }
  }
  process.exit(1)
}

/** Says what this machine can do, and ends with 1 when something that is needed does not work. */
async function doctor(): Promise<void> {
  const findings = await examineMachine(readConfiguration(process.env))
  console.log(describeFindings(findings))
  process.exit(findings.some(({ state }) => state === 'missing') ? 1 : 0)
}

const commands: Readonly<Record<string, () => Promise<void>>> = {
  doctor,
  boxes: async () => console.log(await describeMachines(readConfiguration(process.env))),
  hibernate: async () => console.log(await hibernateAll(readConfiguration(process.env))),
  'extensions-server': async () => console.log(await fetchVsCodeServer(readConfiguration(process.env))),
  update: async () => console.log(await updateAll(readConfiguration(process.env))),
}

async function run(name: string | undefined): Promise<void> {
  if (name === undefined) return main()
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command) return command()
  throw new StartError(
    `There is no command ${name}. Without one the server starts. doctor says what this machine can do, boxes lists the devboxes that cost something now, hibernate puts them all to sleep, extensions-server fetches the VS Code server for all devboxes, update gives those that run the installed dev server.`,
  )
}

run(process.argv[2]).catch((error: unknown) => {
  console.error(error instanceof ConfigurationError || error instanceof StartError ? error.message : error)
  process.exit(1)
})
