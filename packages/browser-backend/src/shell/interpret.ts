import { parseShell } from '@yarnpkg/parsers'
import type { Argument, ArgumentSegment, CommandChain, CommandLine, ShellLine } from '@yarnpkg/parsers'
import { commands } from './commands.ts'
import { expandGlob, isGlob } from './globs.ts'
import { runProgram } from './programs.ts'
import { absolute } from './shellState.ts'
import type { ShellState, Streams, Write } from './shellState.ts'

type ArithmeticExpression = Extract<ArgumentSegment, { type: 'arithmetic' }>['arithmetic']

/** What a person has to hear about a line; the rest of it is not run. */
class ShellError extends Error {}

const GRAMMAR = new Set('if then else elif fi for while until do done case esac function select'.split(' '))
const NO_GRAMMAR = 'loops, conditions and functions are not there in browser mode; && || ; | < > $( ) are.'

/** Runs a line of commands. Resolves with the status of the last one. */
export async function interpret(line: string, state: ShellState, streams: Streams): Promise<number> {
  let parsed: ShellLine
  try {
    parsed = parseShell(line, { isGlobPattern: isGlob })
  } catch {
    streams.err(`sh: this line can't be read: ${line.trim()}\nsh: ${NO_GRAMMAR}\n`)
    return (state.lastStatus = 2)
  }
  return runLine(parsed, state, streams)
}

async function runLine(lines: ShellLine, state: ShellState, streams: Streams): Promise<number> {
  for (const { command, type } of lines) {
    if (type === '&') {
      streams.err('sh: programs in the background are not there in browser mode; open another terminal.\n')
      return (state.lastStatus = 1)
    }
    state.lastStatus = await runCommandLine(command, state, streams)
    if (state.exitStatus !== null) break
  }
  return state.lastStatus
}

async function runCommandLine(line: CommandLine, state: ShellState, streams: Streams): Promise<number> {
  let status = await runChain(line.chain, state, streams)
  let { then } = line
  while (then && state.exitStatus === null) {
    state.lastStatus = status
    if (then.type === '&&' ? status === 0 : status !== 0) status = await runChain(then.line.chain, state, streams)
    then = then.line.then
  }
  return status
}

/** Commands that are piped run side by side; each is given what the one before has written. */
async function runChain(chain: CommandChain, state: ShellState, streams: Streams): Promise<number> {
  let { input } = streams
  let at: CommandChain | undefined = chain
  let status: Promise<number> = Promise.resolve(0)
  while (at) {
    const { then }: CommandChain = at
    if (!then) {
      const last = runCommand(at, state, { ...streams, input })
      await status
      return last
    }
    let written = ''
    const out: Write = (text) => (written += text)
    const part: Promise<number> = runCommand(at, then ? { ...state } : state, {
      input,
      out,
      err: then.type === '|&' ? out : streams.err,
    })
    input = part.then(() => written)
    status = part
    at = then.chain
  }
  return status
}

async function runCommand(command: CommandChain, state: ShellState, streams: Streams): Promise<number> {
  try {
    const { words, targets } = await expandArguments('args' in command ? command.args : [], state, streams)
    const redirected = redirect(targets, state, streams)
    const status = await runKind(command, words, state, redirected.streams)
    redirected.finish()
    return status
  } catch (error) {
    if (!(error instanceof ShellError) && !(error as { code?: string }).code) throw error
    streams.err(`sh: ${(error as Error).message}\n`)
    return 1
  }
}

async function runKind(
  command: CommandChain,
  words: readonly string[],
  state: ShellState,
  streams: Streams,
): Promise<number> {
  switch (command.type) {
    case 'subshell':
      return runLine(command.subshell, { ...state, env: { ...state.env } }, streams)
    case 'group':
      return runLine(command.group, state, streams)
    case 'envs': {
      Object.assign(state.env, await expandEnvs(command.envs, state, streams))
      return 0
    }
    case 'command': {
      const [name, ...args] = words
      const env = await expandEnvs(command.envs, state, streams)
      if (name === undefined) {
        Object.assign(state.env, env)
        return 0
      }
      if (GRAMMAR.has(name)) throw new ShellError(`${name}: ${NO_GRAMMAR}`)
      // Programs name what is there for everybody by its place.
      const known = name.replace(/^\/(?:usr\/)?bin\//, '')
      const own = Object.hasOwn(commands, known) ? commands[known]! : null
      if (Object.keys(env).length === 0) return own ? own(args, state, streams) : runProgram(name, args, state, streams)
      const before = state.env
      state.env = { ...before, ...env }
      try {
        return await (own ? own(args, state, streams) : runProgram(name, args, state, streams))
      } finally {
        state.env = before
      }
    }
  }
}

async function expandEnvs(
  envs: readonly { name: string; args: readonly Argument[] }[],
  state: ShellState,
  streams: Streams,
): Promise<Record<string, string>> {
  const made: Record<string, string> = {}
  for (const { name, args } of envs) made[name] = (await expandArguments(args, state, streams)).words.join(' ')
  return made
}

interface Target {
  subtype: string
  fd: number | null
  word: string
}

async function expandArguments(
  args: readonly Argument[],
  state: ShellState,
  streams: Streams,
): Promise<{ words: string[]; targets: Target[] }> {
  const words: string[] = []
  const targets: Target[] = []
  for (const argument of args) {
    if (argument.type === 'redirection') {
      const { subtype, fd } = argument
      for (const one of argument.args) {
        const expanded = await expandWord(one.segments, state, streams)
        targets.push({ subtype, fd, word: expanded.join(' ') })
      }
    } else {
      words.push(...(await expandWord(argument.segments, state, streams)))
    }
  }
  return { words, targets }
}

/** A word, or several: what is not quoted is parted at blanks, and patterns are the files that fit. */
async function expandWord(
  segments: readonly ArgumentSegment[],
  state: ShellState,
  streams: Streams,
): Promise<string[]> {
  const words: string[] = []
  let word: string | null = null
  const add = (text: string) => (word = (word ?? '') + text)
  const addParted = (text: string, isQuoted: boolean) => {
    if (isQuoted) return add(text)
    const parts = text.split(/\s+/)
    for (const [index, part] of parts.entries()) {
      if (index > 0 && word !== null) {
        words.push(word)
        word = null
      }
      if (part !== '') add(part)
    }
    return word
  }
  let isPattern = false
  for (const segment of segments) {
    switch (segment.type) {
      case 'text':
        add(segment.text)
        break
      case 'glob':
        isPattern = true
        add(segment.pattern)
        break
      case 'shell': {
        let written = ''
        await runLine(
          segment.shell,
          { ...state, env: { ...state.env } },
          { ...streams, out: (text) => (written += text) },
        )
        addParted(written.replace(/\n+$/, ''), segment.quoted)
        break
      }
      case 'variable':
        addParted(await variable(segment, state, streams), segment.quoted)
        break
      case 'arithmetic':
        add(String(calculate(segment.arithmetic, state)))
    }
  }
  if (word !== null) words.push(word)
  const expanded = words.map((one) =>
    /^~(?:\/|$)/.test(one) && segments[0]?.type === 'text' ? (state.env['HOME'] ?? '') + one.slice(1) : one,
  )
  return isPattern ? expanded.flatMap((one) => expandGlob(one, state)) : expanded
}

async function variable(
  segment: Extract<ArgumentSegment, { type: 'variable' }>,
  state: ShellState,
  streams: Streams,
): Promise<string> {
  const { name, defaultValue, alternativeValue } = segment
  const special: Record<string, string> = {
    '?': String(state.lastStatus),
    PWD: state.cwd,
    $: '1',
    '#': '0',
    '@': '',
    '*': '',
  }
  const value = Object.hasOwn(special, name) ? special[name] : state.env[name]
  const given = value === undefined || value === '' ? defaultValue : alternativeValue
  if (given === undefined)
    return value === undefined || (alternativeValue === undefined && value !== '') ? (value ?? '') : value
  return (await expandArguments(given, state, streams)).words.join(' ')
}

function calculate(expression: ArithmeticExpression, state: ShellState): number {
  switch (expression.type) {
    case 'number':
      return expression.value
    case 'variable':
      return Number(state.env[expression.name] ?? 0)
    case 'addition':
      return calculate(expression.left, state) + calculate(expression.right, state)
    case 'subtraction':
      return calculate(expression.left, state) - calculate(expression.right, state)
    case 'multiplication':
      return calculate(expression.left, state) * calculate(expression.right, state)
    case 'division':
      return Math.trunc(calculate(expression.left, state) / calculate(expression.right, state))
  }
}

function redirect(targets: readonly Target[], state: ShellState, given: Streams): { streams: Streams; finish(): void } {
  const streams = { ...given }
  const files = new Map<string, string>()
  for (const { subtype, fd, word } of targets) {
    switch (subtype) {
      case '<':
        streams.input = Promise.resolve(state.files.text(absolute(state, word)))
        break
      case '<<<':
        streams.input = Promise.resolve(`${word}\n`)
        break
      case '>':
      case '>>':
      case '&>':
      case '&>>': {
        const path = absolute(state, word)
        const isNull = path === '/dev/null'
        if (!isNull && !files.has(path))
          files.set(path, subtype.endsWith('>>') && state.files.isFile(path) ? state.files.text(path) : '')
        if (state.files.isFolder(path)) throw new ShellError(`${word}: is a folder`)
        const write: Write = (text) => {
          if (!isNull) files.set(path, files.get(path)! + text)
        }
        if (subtype.startsWith('&') || fd === null || fd === 1) streams.out = write
        if (subtype.startsWith('&') || fd === 2) streams.err = write
        break
      }
      case '>&':
        if ((fd ?? 1) === 2 && word === '1') streams.err = streams.out
        else if ((fd ?? 1) === 1 && word === '2') streams.out = streams.err
        break
      default:
        throw new ShellError(`${subtype} is not known in browser mode`)
    }
  }
  return {
    streams,
    finish: () => {
      for (const [path, text] of files) state.files.write(path, text)
    },
  }
}
