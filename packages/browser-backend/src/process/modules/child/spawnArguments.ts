import { codedError } from '../../nodeError.ts'
import {
  checkArray,
  checkBoolean,
  checkFunction,
  checkObject,
  checkString,
  outOfRange,
  wrongType,
  wrongValue,
} from '../check.ts'
import { signalName } from '../signals.ts'
import type { Loose } from '../../loose.ts'

// What programs give to `spawn` and its kin, as Node takes it and refuses it.

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

export function checkNoNull(name: string, given: unknown): void {
  if (typeof given === 'string' && given.includes('\u0000'))
    throw wrongValue(name, given, 'must be a string without null bytes')
}
export function checkNoNulls(name: string, given: readonly unknown[]): void {
  for (const [index, one] of given.entries()) checkNoNull(`${name}[${index}]`, one)
}

/** A path as text or as the address of a file. */
export function pathOf(name: string, given: Loose): string {
  if (given instanceof URL) {
    if (given.protocol !== 'file:')
      throw codedError('ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file', TypeError)
    if (given.hostname !== '' && given.hostname !== 'localhost')
      throw codedError('ERR_INVALID_FILE_URL_HOST', 'File URL host must be "localhost" or empty on linux', TypeError)
    return decodeURIComponent(given.pathname)
  }
  if (typeof given !== 'string' && !(given instanceof Uint8Array))
    throw wrongType(name, 'of type string or an instance of Buffer or URL', given)
  checkNoNull(name, String(given))
  return String(given)
}

export function checkTimeout(given: unknown): void {
  if (isGiven(given) && !(Number.isInteger(given) && (given as number) >= 0))
    throw outOfRange('timeout', 'an unsigned integer', given)
}
export function checkMaxBuffer(given: unknown): void {
  if (isGiven(given) && !(typeof given === 'number' && given >= 0))
    throw outOfRange('options.maxBuffer', 'a positive number', given)
}
export function killSignalOf(given: unknown): string | undefined {
  if (!isGiven(given)) return undefined
  if (typeof given !== 'string' && typeof given !== 'number')
    throw wrongType('options.killSignal', 'one of type string or number', given)
  return signalName(given)
}

/** `spawn(file, args, options)`, as the options of `ChildProcess.spawn`. */
export function spawnArguments(file: Loose, args: Loose, options: Loose, environment: Loose): Loose {
  checkString('file', file)
  checkNoNull('file', file)
  if (file.length === 0) throw wrongValue('file', file, 'cannot be empty')
  let [words, given]: [Loose[], Loose] = [[], options]
  if (Array.isArray(args)) words = [...args]
  else if (isGiven(args) && typeof args !== 'object') throw wrongType('args', 'of type object', args)
  else if (isGiven(args)) given = args
  checkNoNulls('args', words)
  if (given === undefined) given = {}
  else checkObject('options', given)
  const { shell, argv0, uid, gid } = given
  const cwd = isGiven(given.cwd) ? pathOf('options.cwd', given.cwd) : undefined
  for (const name of ['detached', 'windowsHide', 'windowsVerbatimArguments'])
    if (isGiven(given[name])) checkBoolean(`options.${name}`, given[name])
  for (const [name, id] of Object.entries({ uid, gid }))
    if (isGiven(id) && id !== ((id as number) | 0)) throw wrongType(`options.${name}`, 'int32', id)
  if (isGiven(shell) && typeof shell !== 'boolean' && typeof shell !== 'string')
    throw wrongType('options.shell', 'one of type boolean or string', shell)
  if (isGiven(argv0)) {
    checkString('options.argv0', argv0)
    checkNoNull('options.argv0', argv0)
  }
  let program: string = file
  if (shell) {
    checkNoNull('options.shell', shell)
    program = typeof shell === 'string' ? shell : '/bin/sh'
    words = ['-c', [file, ...words].join(' ')]
  }
  return {
    ...given,
    args: [argv0 ?? program, ...words],
    cwd,
    detached: Boolean(given.detached),
    envPairs: pairsOf(given.env || environment),
    file: program,
    windowsHide: Boolean(given.windowsHide),
    windowsVerbatimArguments: Boolean(given.windowsVerbatimArguments),
  }
}

function pairsOf(env: Loose): string[] {
  const pairs: string[] = []
  // What it inherits counts too.
  for (const name in env) {
    const value = env[name]
    if (value === undefined) continue
    checkNoNull(`options.env['${name}']`, name)
    checkNoNull(`options.env['${name}']`, value)
    pairs.push(`${name}=${String(value)}`)
  }
  return pairs
}

/** `execFile(file, args, options, callback)`, of which most may be missing. */
export function execFileArguments(args: Loose, options: Loose, callback: Loose) {
  let given = { args, options, callback }
  if (Array.isArray(args)) given.args = [...args]
  else if (typeof args === 'function') given = { args: null, options: null, callback: args }
  else if (isGiven(args) && typeof args === 'object') given = { args: null, options: args, callback: options }
  given.args ??= []
  if (typeof given.options === 'function') given = { ...given, options: {}, callback: given.options }
  else if (isGiven(given.options)) checkObject('options', given.options)
  given.options ??= {}
  if (isGiven(given.callback)) checkFunction('callback', given.callback)
  const { argv0 } = given.options
  if (isGiven(argv0)) {
    checkString('options.argv0', argv0)
    checkNoNull('options.argv0', argv0)
  }
  return given as { args: Loose[]; options: Loose; callback: Loose }
}

/** A program that runs tests, or waits for changes, does not hand that on. */
const handedOn = (options: readonly string[]): string[] => options.filter((one) => !/^--(?:test|watch)/.test(one))

/** `fork(module, args, options)`, as the options of `spawn`. */
export function forkArguments(module: Loose, args: Loose, options: Loose, process: Loose) {
  const path = pathOf('modulePath', module)
  let [words, given]: [Loose[], Loose] = [[], options]
  if (isGiven(args) && typeof args === 'object' && !Array.isArray(args)) given = args
  else if (isGiven(args)) {
    checkArray('args', args)
    words = args
  }
  if (isGiven(given)) checkObject('options', given)
  const { execPath = process.execPath, execArgv = handedOn(process.execArgv), silent, stdio } = given ?? {}
  checkNoNull('options.execPath', execPath)
  checkNoNulls('options.execArgv', execArgv)
  return {
    file: (execPath || process.execPath) as string,
    args: [...execArgv, path, ...words],
    options: { ...given, shell: false, stdio: forkStdio(stdio, Boolean(silent)) } as Loose,
  }
}

function forkStdio(given: unknown, isSilent: boolean): unknown[] {
  if (!Array.isArray(given)) {
    const word = typeof given === 'string' ? given : isSilent ? 'pipe' : 'inherit'
    if (!['ignore', 'overlapped', 'pipe', 'inherit'].includes(word)) throw wrongValue('stdio', word)
    return [word, word, word, 'ipc']
  }
  if (given.includes('ipc')) return given
  throw codedError(
    'ERR_CHILD_PROCESS_IPC_REQUIRED',
    "Forked processes must have an IPC channel, missing value 'ipc' in options.stdio",
  )
}
