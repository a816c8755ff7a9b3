import { packageFolder, runNode, runScript } from './programs.ts'
import type { ShellCommand } from './commands.ts'
import { PROGRAM_OPTION } from '../process/nodeCommand.ts'
import type { ShellState, Streams } from './shellState.ts'

const HELP = `npm in browser mode knows:
  npm run SCRIPT, npm start, npm test    run what package.json names
  npm install PACKAGE, npm remove PACKAGE    change the dependencies
  npm install    nothing to do: packages are there when a program starts
  npm ls    the dependencies with their versions
  npx PROGRAM    runs a program of a package
`

/** What npm does that needs no machine. */
export const npm: ShellCommand = async (args, state, streams) => {
  const [name = 'help', ...rest] = args
  const words = rest.filter((arg) => !arg.startsWith('-'))
  switch (name) {
    case 'run':
    case 'run-script': {
      const [script, ...given] = rest.filter((arg, index) => arg !== '--' && !(index === 0 && arg === '--silent'))
      return script === undefined ? listScripts(state, streams) : runScript(script, given, state, streams)
    }
    case 'start':
    case 'test':
    case 't':
    case 'stop':
    case 'restart':
      return runScript(
        name === 't' ? 'test' : name,
        rest.filter((arg) => arg !== '--'),
        state,
        streams,
      )
    case 'install':
    case 'i':
    case 'ci':
    case 'add':
      if (words.length > 0) return change('add', words, state, streams)
      streams.out('Nothing to install: in browser mode packages are there when a program starts.\n')
      return 0
    case 'uninstall':
    case 'remove':
    case 'rm':
    case 'un':
      return change('remove', words, state, streams)
    case 'ls':
    case 'list':
      return list(state, streams)
    case 'exec':
      return npx(rest, state, streams)
    case '-v':
    case '--version':
      streams.out('browser mode\n')
      return 0
    case 'help':
    case '--help':
    case '-h':
      streams.out(HELP)
      return 0
    default:
      streams.err(`npm: "${name}" is not there in browser mode\n${HELP}`)
      return 1
  }
}

export const npx: ShellCommand = (args, state, streams) => {
  const [name, ...rest] = args.filter(
    (arg, index) => !(arg.startsWith('-') && args.slice(0, index).every((before) => before.startsWith('-'))),
  )
  if (name === undefined) {
    streams.err('npx: which program?\n')
    return 1
  }
  return runNode([PROGRAM_OPTION, name.replace(/(.)@.*$/, '$1'), ...rest], state, streams)
}

async function change(
  kind: 'add' | 'remove',
  packages: readonly string[],
  state: ShellState,
  streams: Streams,
): Promise<number> {
  if (packages.length === 0) {
    streams.err('npm: which package?\n')
    return 1
  }
  for (const name of packages) {
    try {
      const { value } = await state.changeDependency(`dependency ${kind} ${name}`)
      streams.out(`${String(value)}\n`)
    } catch (error) {
      streams.err(`npm: ${(error as Error).message}\n`)
      return 1
    }
  }
  return 0
}

async function list(state: ShellState, streams: Streams): Promise<number> {
  let versions: Readonly<Record<string, string>>
  try {
    versions = await state.versions()
  } catch (error) {
    streams.err(`npm: ${(error as Error).message}\n`)
    return 1
  }
  const manifest = manifestOf(state)
  const names = Object.keys({ ...manifest['dependencies'], ...manifest['devDependencies'] }).toSorted()
  streams.out(`${String(manifest['name'] ?? 'sandbox')} ${state.cwd}\n`)
  names.forEach((name, index) =>
    streams.out(`${index === names.length - 1 ? '└──' : '├──'} ${name}@${versions[name] ?? 'missing'}\n`),
  )
  return 0
}

function listScripts(state: ShellState, streams: Streams): number {
  const { scripts = {} } = manifestOf(state)
  for (const [name, line] of Object.entries(scripts)) streams.out(`  ${name}\n    ${line}\n`)
  return 0
}

function manifestOf(state: ShellState): Record<string, Record<string, string>> {
  const folder = packageFolder(state)
  return folder === undefined
    ? {}
    : (JSON.parse(state.files.text(`${folder}/package.json`)) as Record<string, Record<string, string>>)
}
