import { SIGNALS } from '../common/signals.ts'
import { quoted } from './quoted.ts'
import { absolute } from './shellState.ts'
import { PROGRAM_OPTION } from '../process/nodeCommand.ts'
import type { ShellState, Streams } from './shellState.ts'
import { PROJECT, parentOf } from '../process/processFiles.ts'

/** What a person expects of a terminal, and what a page has no room for. */
const NEEDS_MACHINE = new Set(
  'git curl wget ssh scp docker podman python python3 pip pip3 ruby gem go cargo rustc java javac gcc g++ make cmake apt apt-get sudo su vim vi nano emacs tar zip unzip systemctl psql mysql redis-server deno bun'.split(
    ' ',
  ),
)

/** Runs a program that is no command of the shell itself. */
export async function runProgram(
  name: string,
  args: readonly string[],
  state: ShellState,
  streams: Streams,
): Promise<number> {
  if (name === 'node' || name.endsWith('/bin/node')) return runNode(args, state, streams)
  if (name === 'sh' || name === 'bash') {
    if (args[0] === '-c') return state.runLine(args[1] ?? '', { ...state, env: { ...state.env } }, streams)
    const script = args[0] === undefined ? undefined : absolute(state, args[0])
    if (script !== undefined)
      return state.runLine(state.files.text(script).replace(/^#!.*/, ''), { ...state, env: { ...state.env } }, streams)
  }
  const path = name.includes('/') ? absolute(state, name) : undefined
  if (path !== undefined && state.files.isFile(path)) {
    const text = state.files.text(path)
    if (/^#!.*\bnode\b/.test(text) || /\.[cm]?[jt]s$/.test(path)) return runNode([path, ...args], state, streams)
    if (/^#!.*\b(?:ba)?sh\b/.test(text) || path.endsWith('.sh'))
      return runProgram('sh', [path, ...args], state, streams)
    streams.err(`sh: ${name}: this file is no program that runs in browser mode\n`)
    return 126
  }
  if (NEEDS_MACHINE.has(name)) {
    streams.err(
      `sh: ${name}: not in browser mode. This sandbox runs in your browser and has no machine; turn it into a devbox to use ${name}.\n`,
    )
    return 127
  }
  if (path === undefined && /^[\w@][\w.@/-]*$/.test(name) && hasDependencies(state))
    return runNode([PROGRAM_OPTION, name, ...args], state, streams)
  streams.err(`sh: ${name}: command not found (browser mode)\n`)
  return 127
}

function hasDependencies({ files }: Pick<ShellState, 'files'>): boolean {
  const path = `${PROJECT}/package.json`
  return files.isFile(path) && /"(?:dev)?dependencies"/i.test(files.text(path))
}

/** A process of Node of its own, in front until it ends. */
export function runNode(args: readonly string[], state: ShellState, streams: Streams): Promise<number> {
  const isDirect = state.isTerminal && streams.input === null && streams.out === direct && streams.err === direct
  return new Promise((resolve) => {
    const decoders = { 1: new TextDecoder(), 2: new TextDecoder() }
    const child = state.spawn(
      { program: 'node', argv: [...args], env: { ...state.env }, cwd: state.cwd, inherits: isDirect, talks: false },
      {
        onStarted: () => undefined,
        onOut: (fd, data) => {
          const text = typeof data === 'string' ? data : decoders[fd].decode(data, { stream: true })
          if (fd === 1) streams.out(text)
          else streams.err(text)
        },
        onExit: (code, signal) => {
          state.front = null
          resolve(code ?? 128 + (SIGNALS[signal ?? ''] ?? 0))
        },
      },
    )
    state.front = { write: (data) => child.write(data), signal: (signal) => child.signal(signal) }
    if (streams.input !== null)
      streams.input.then(
        (text) => {
          if (text !== '') child.write(text)
          child.write(null)
        },
        () => child.write(null),
      )
    else if (!state.isTerminal) child.write(null)
  })
}

/** Marks the terminal itself, where a program may write without the shell between. */
let direct: (text: string) => void = () => undefined
export function writeDirect(write: (text: string) => void): (text: string) => void {
  direct = write
  return direct
}

/** A script of package.json, with what npm gives it. */
export async function runScript(
  name: string,
  args: readonly string[],
  state: ShellState,
  streams: Streams,
): Promise<number> {
  const folder = packageFolder(state)
  if (folder === undefined) {
    streams.err(`npm: there is no package.json in ${state.cwd}\n`)
    return 254
  }
  const manifest = JSON.parse(state.files.text(`${folder}/package.json`)) as {
    name?: string
    version?: string
    scripts?: Record<string, string>
  }
  const scripts = manifest.scripts ?? {}
  const script = Object.hasOwn(scripts, name)
    ? scripts[name]
    : name === 'start' && state.files.isFile(`${folder}/server.js`)
      ? 'node server.js'
      : undefined
  if (script === undefined) {
    streams.err(`npm: package.json has no script "${name}"\n`)
    if (Object.keys(scripts).length > 0) streams.err(`npm: there are: ${Object.keys(scripts).join(', ')}\n`)
    return 1
  }
  const env = {
    ...state.env,
    npm_lifecycle_event: name,
    npm_package_name: manifest.name ?? '',
    npm_package_version: manifest.version ?? '',
    npm_lifecycle_script: script,
    INIT_CWD: state.cwd,
  }
  const run = async (line: string, event: string): Promise<number> => {
    streams.out(`\n> ${event}\n> ${line}\n\n`)
    const inner: ShellState = { ...state, cwd: folder, env: { ...env, npm_lifecycle_event: event } }
    // What is typed goes to the program that the script runs.
    Object.defineProperty(inner, 'front', {
      get: () => state.front,
      set: (front: ShellState['front']) => {
        state.front = front
      },
    })
    const status = await state.runLine(line, inner, streams)
    return inner.exitStatus ?? status
  }
  for (const [event, line] of [
    [`pre${name}`, scripts[`pre${name}`]],
    [name, [script, ...args.map(quoted)].join(' ')],
    [`post${name}`, scripts[`post${name}`]],
  ] as const) {
    const status = line === undefined ? 0 : await run(line, event)
    if (status !== 0) return status
  }
  return 0
}

export function packageFolder({ files, cwd }: Pick<ShellState, 'files' | 'cwd'>): string | undefined {
  for (let at = cwd; ; at = parentOf(at)) {
    if (files.isFile(`${at === '/' ? '' : at}/package.json`)) return at
    if (at === '/') return undefined
  }
}
