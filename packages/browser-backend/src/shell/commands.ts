import { nameOf, parentOf } from '../process/processFiles.ts'
import type { CommandName } from './commandNames.ts'
import { npm, npx } from './npm.ts'
import { kill, ps } from './processCommands.ts'
import { absolute } from './shellState.ts'
import type { ShellState, Streams } from './shellState.ts'

export type ShellCommand = (args: readonly string[], state: ShellState, streams: Streams) => number | Promise<number>

/** `-rf` and words apart from each other. */
function parted(args: readonly string[]): { flags: Set<string>; words: string[] } {
  const flags = new Set<string>()
  const words: string[] = []
  let onlyWords = false
  for (const arg of args) {
    if (onlyWords || !arg.startsWith('-') || arg === '-') words.push(arg)
    else if (arg === '--') onlyWords = true
    else if (arg.startsWith('--')) flags.add(arg)
    else for (const letter of arg.slice(1)) flags.add(letter)
  }
  return { flags, words }
}

/** Does it for each path and goes on after one that fails, as such commands do. */
function forEach(name: string, paths: readonly string[], streams: Streams, work: (path: string) => void): number {
  let status = 0
  for (const path of paths) {
    try {
      work(path)
    } catch (error) {
      status = 1
      streams.err(`${name}: ${path}: ${words(error)}\n`)
    }
  }
  return status
}

/** "no such file or directory" of `ENOENT: no such file or directory, open '/x'`. */
const words = (error: unknown): string =>
  /^E\w+: ([^,]+)/.exec((error as Error).message)?.[1] ?? (error as Error).message

function needsWords(name: string, paths: readonly string[], streams: Streams, least = 1): boolean {
  if (paths.length >= least) return false
  streams.err(`${name}: which file?\n`)
  return true
}

/** The text of files, or of what is piped into the command. */
async function* texts(
  name: string,
  paths: readonly string[],
  state: ShellState,
  streams: Streams,
): AsyncGenerator<{ path: string; text: string }> {
  if (paths.length === 0) yield { path: '-', text: streams.input === null ? '' : await streams.input }
  for (const path of paths) {
    try {
      yield { path, text: path === '-' ? ((await streams.input) ?? '') : state.files.text(absolute(state, path)) }
    } catch (error) {
      streams.err(`${name}: ${path}: ${words(error)}\n`)
    }
  }
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
const written = (lines: readonly string[]): string => (lines.length === 0 ? '' : `${lines.join('\n')}\n`)

/** `-n 3`, `-n3` and `-3`. */
function countOf(args: readonly string[], fallback: number): { count: number; words: string[] } {
  const rest: string[] = []
  let count = fallback
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index]!
    if (arg === '-n') count = Number(args[(index += 1)])
    else if (/^-n?\d+$/.test(arg)) count = Number(arg.replace(/^-n?/, ''))
    else rest.push(arg)
  }
  return { count, words: rest }
}

const ls: ShellCommand = (args, state, { out, err }) => {
  const { flags, words: paths } = parted(args)
  const shown = (names: readonly string[], folder: string): string[] =>
    names
      .filter((name) => flags.has('a') || flags.has('A') || !name.startsWith('.'))
      .toSorted()
      .map((name) => {
        const entry = state.files.find(`${folder === '/' ? '' : folder}/${name}`)
        const isFolder = entry?.kind === 'folder'
        const text = isFolder && (flags.has('F') || flags.has('p')) ? `${name}/` : name
        if (!flags.has('l')) return isFolder && state.isTerminal ? `\u001b[1;34m${text}\u001b[0m` : text
        const size = entry?.kind === 'file' ? new Blob([entry.content as string]).size : 0
        const time = new Date(entry?.mtimeMs ?? 0).toISOString().slice(0, 16).replace('T', ' ')
        return `${isFolder ? 'd' : '-'}${isFolder ? 'rwxr-xr-x' : 'rw-r--r--'} ${String(size).padStart(8)} ${time} ${text}`
      })
  let status = 0
  for (const path of paths.length > 0 ? paths : ['.']) {
    const full = absolute(state, path)
    const entry = state.files.find(full)
    if (!entry) {
      err(`ls: ${path}: no such file or directory\n`)
      status = 2
    } else if (entry.kind === 'file' || flags.has('d')) {
      out(`${shown([nameOf(full)], parentOf(full)).join('') || path}\n`)
    } else {
      if (paths.length > 1) out(`${path}:\n`)
      const names = shown([...entry.names], full)
      const isList = flags.has('l') || flags.has('1') || !state.isTerminal
      if (names.length > 0) out(isList ? written(names) : `${names.join('  ')}\n`)
    }
  }
  return status
}

const copy = (from: string, to: string, state: ShellState): void => {
  const { files } = state
  if (files.isFile(from)) return files.write(to, files.file('copy', from).content)
  files.mkdir(to, true)
  for (const name of [...files.folder('copy', from).names].toSorted()) copy(`${from}/${name}`, `${to}/${name}`, state)
}

/** Where something goes to that is copied or moved: into a folder that is there, else under the name itself. */
const target = (from: string, to: string, state: ShellState): string => {
  const place = absolute(state, to)
  return state.files.isFolder(place) ? `${place}/${nameOf(absolute(state, from))}` : place
}

const grep: ShellCommand = async (args, state, streams) => {
  const { flags, words: given } = parted(args)
  const [pattern, ...paths] = given
  if (pattern === undefined) {
    streams.err('grep: what to look for?\n')
    return 2
  }
  const source = flags.has('F') ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : pattern
  let wanted: RegExp
  try {
    wanted = new RegExp(flags.has('w') ? `\\b(?:${source})\\b` : source, flags.has('i') ? 'i' : '')
  } catch {
    streams.err(`grep: ${pattern}: this is no pattern\n`)
    return 2
  }
  const isDeep = flags.has('r') || flags.has('R')
  const all = isDeep
    ? (paths.length > 0 ? paths : ['.']).flatMap((path) => filesBelow(absolute(state, path), state))
    : paths
  let found = 0
  for await (const { path, text } of texts('grep', all, state, streams)) {
    const fits = linesOf(text).flatMap((line, index) => (wanted.test(line) === flags.has('v') ? [] : [{ line, index }]))
    found += fits.length
    const from =
      all.length > 1 || isDeep ? `${path.startsWith(`${state.cwd}/`) ? path.slice(state.cwd.length + 1) : path}:` : ''
    if (flags.has('q')) continue
    if (flags.has('c')) streams.out(`${from}${fits.length}\n`)
    else if (flags.has('l')) streams.out(fits.length > 0 ? `${from.slice(0, -1) || path}\n` : '')
    else for (const { line, index } of fits) streams.out(`${from}${flags.has('n') ? `${index + 1}:` : ''}${line}\n`)
  }
  return found > 0 ? 0 : 1
}

function filesBelow(path: string, state: Pick<ShellState, 'files'>): string[] {
  const entry = state.files.find(path)
  if (entry?.kind === 'file') return [path]
  if (!entry || nameOf(path) === 'node_modules') return []
  return [...entry.names].toSorted().flatMap((name) => filesBelow(`${path === '/' ? '' : path}/${name}`, state))
}

const find: ShellCommand = (args, state, { out, err }) => {
  const at = args.findIndex((arg) => arg.startsWith('-'))
  const starts = at === -1 ? args : args.slice(0, at)
  const tests = at === -1 ? [] : args.slice(at)
  const option = (name: string) => (tests.includes(name) ? tests[tests.indexOf(name) + 1] : undefined)
  const name = option('-name')
  const kind = option('-type')
  const fits =
    name === undefined
      ? /^/
      : new RegExp(
          `^${name
            .replace(/[\\^$.+(){}|]/g, '\\$&')
            .replaceAll('*', '.*')
            .replaceAll('?', '.')}$`,
        )
  const walk = (shown: string, path: string): void => {
    const entry = state.files.find(path)
    if (!entry) return err(`find: ${shown}: no such file or directory\n`)
    const isKind = kind === undefined || (kind === 'f' ? entry.kind === 'file' : entry.kind === 'folder')
    if (isKind && fits.test(nameOf(path))) out(`${shown}\n`)
    if (entry.kind === 'folder')
      for (const child of [...entry.names].toSorted())
        walk(`${shown === '/' ? '' : shown}/${child}`, `${path === '/' ? '' : path}/${child}`)
    return undefined
  }
  for (const start of starts.length > 0 ? starts : ['.']) walk(start, absolute(state, start))
  return 0
}

const test: ShellCommand = (args, state) => {
  const given = args.at(-1) === ']' ? args.slice(0, -1) : args
  if (given[0] === '!') return Number(!test(given.slice(1), state, undefined as never))
  const [first = '', operator = '', second = ''] = given
  if (given.length === 2) {
    const path = absolute(state, operator)
    const checks: Record<string, () => boolean> = {
      '-e': () => state.files.find(path) !== undefined,
      '-f': () => state.files.isFile(path),
      '-d': () => state.files.isFolder(path),
      '-s': () => state.files.isFile(path) && state.files.text(path) !== '',
      '-n': () => operator !== '',
      '-z': () => operator === '',
    }
    return Number(!checks[first]?.())
  }
  if (given.length < 3) return Number(first === '')
  const [a, b] = [Number(first), Number(second)]
  const checks: Record<string, boolean> = {
    '=': first === second,
    '==': first === second,
    '!=': first !== second,
    '-eq': a === b,
    '-ne': a !== b,
    '-lt': a < b,
    '-le': a <= b,
    '-gt': a > b,
    '-ge': a >= b,
  }
  return Number(!checks[operator])
}

const HELP = `Commands of this shell: ${'cat cd clear cp echo env exit export find grep head ls mkdir mv node npm npx pwd rm rmdir sleep sort tail test touch uniq wc which'.replaceAll(' ', ', ')}.
Joined by && || ; | and with < > >> $( ) they do what you know. Programs of packages run by their name or with npx.
This sandbox runs in your browser: git, Python and everything else that needs a machine are there in a devbox.
`

const UNITS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }

const known: Readonly<Record<CommandName, ShellCommand>> = {
  npm,
  npx,
  pnpm: npm,
  yarn: (args, state, streams) =>
    npm(
      args.length === 0
        ? ['install']
        : args[0] === 'add' || args[0] === 'remove' || args[0] === 'install' || args[0] === 'run'
          ? args
          : ['run', ...args],
      state,
      streams,
    ),
  ls,
  grep,
  find,
  test,
  '[': test,
  '.': async (args, state, streams) => state.runLine(state.files.text(absolute(state, args[0] ?? '')), state, streams),
  true: () => 0,
  false: () => 1,
  ':': () => 0,
  help: (_args, _state, { out }) => {
    out(HELP)
    return 0
  },
  pwd: (_args, state, { out }) => {
    out(`${state.cwd}\n`)
    return 0
  },
  cd: (args, state, { err }) => {
    const wanted = args[0] === '-' ? (state.env['OLDPWD'] ?? state.cwd) : (args[0] ?? state.env['HOME'] ?? '/')
    const path = absolute(state, wanted)
    if (!state.files.isFolder(path)) {
      err(`cd: ${wanted}: ${state.files.find(path) ? 'not a directory' : 'no such file or directory'}\n`)
      return 1
    }
    state.env['OLDPWD'] = state.cwd
    state.cwd = path
    state.env['PWD'] = path
    return 0
  },
  echo: (args, _state, { out }) => {
    const isBare = args[0] === '-n'
    const isEscaped = args[0] === '-e'
    const text = args.slice(isBare || isEscaped ? 1 : 0).join(' ')
    out((isEscaped ? text.replaceAll('\\n', '\n').replaceAll('\\t', '\t') : text) + (isBare ? '' : '\n'))
    return 0
  },
  printf: (args, _state, { out }) => {
    const rest = args.slice(1)
    out(
      (args[0] ?? '').replace(
        /%[sd]|\\n|\\t|%%/g,
        (piece) => ({ '\\n': '\n', '\\t': '\t', '%%': '%' })[piece] ?? rest.shift() ?? '',
      ),
    )
    return 0
  },
  cat: async (args, state, streams) => {
    let status = 0
    const { words: paths } = parted(args)
    const seen = new Set<string>()
    for await (const { path, text } of texts('cat', paths, state, streams)) {
      seen.add(path)
      streams.out(text)
    }
    if (paths.some((path) => !seen.has(path))) status = 1
    return status
  },
  head: async (args, state, streams) => {
    const { count, words: paths } = countOf(args, 10)
    for await (const { text } of texts('head', paths, state, streams))
      streams.out(written(linesOf(text).slice(0, count)))
    return 0
  },
  tail: async (args, state, streams) => {
    const { count, words: paths } = countOf(args, 10)
    for await (const { text } of texts('tail', paths, state, streams))
      streams.out(written(count === 0 ? [] : linesOf(text).slice(-count)))
    return 0
  },
  wc: async (args, state, streams) => {
    const { flags, words: paths } = parted(args)
    for await (const { path, text } of texts('wc', paths, state, streams)) {
      const counts = {
        l: text.split('\n').length - 1,
        w: text.split(/\s+/).filter(Boolean).length,
        c: new TextEncoder().encode(text).length,
      }
      const shown = (['l', 'w', 'c'] as const)
        .filter((letter) => flags.size === 0 || flags.has(letter))
        .map((letter) => String(counts[letter]))
      streams.out(`${[...shown, ...(path === '-' ? [] : [path])].join(' ')}\n`)
    }
    return 0
  },
  sort: async (args, state, streams) => {
    const { flags, words: paths } = parted(args)
    const all: string[] = []
    for await (const { text } of texts('sort', paths, state, streams)) all.push(...linesOf(text))
    const sorted = all.toSorted((a, b) =>
      flags.has('n') ? Number.parseFloat(a) - Number.parseFloat(b) : a < b ? -1 : Number(a > b),
    )
    const ordered = flags.has('r') ? sorted.toReversed() : sorted
    streams.out(written(flags.has('u') ? [...new Set(ordered)] : ordered))
    return 0
  },
  uniq: async (args, state, streams) => {
    for await (const { text } of texts('uniq', parted(args).words, state, streams))
      streams.out(written(linesOf(text).filter((line, index, all) => line !== all[index - 1])))
    return 0
  },
  mkdir: (args, state, streams) => {
    const { flags, words: paths } = parted(args)
    if (needsWords('mkdir', paths, streams)) return 1
    return forEach('mkdir', paths, streams, (path) => state.files.mkdir(absolute(state, path), flags.has('p')))
  },
  rmdir: (args, state, streams) => forEach('rmdir', args, streams, (path) => state.files.rmdir(absolute(state, path))),
  rm: (args, state, streams) => {
    const { flags, words: paths } = parted(args)
    if (paths.length === 0 && flags.has('f')) return 0
    if (needsWords('rm', paths, streams)) return 1
    const isDeep = flags.has('r') || flags.has('R') || flags.has('--recursive')
    return forEach('rm', paths, streams, (path) => {
      const full = absolute(state, path)
      if (flags.has('f') && !state.files.find(full)) return
      if (state.files.isFolder(full) && !isDeep) throw new Error('is a directory')
      state.files.removeAll(full)
    })
  },
  touch: (args, state, streams) =>
    forEach('touch', args, streams, (path) => {
      const full = absolute(state, path)
      if (!state.files.find(full)) state.files.write(full, '')
    }),
  cp: (args, state, streams) => {
    const { flags, words: paths } = parted(args)
    if (needsWords('cp', paths, streams, 2)) return 1
    const to = paths.at(-1)!
    return forEach('cp', paths.slice(0, -1), streams, (path) => {
      const from = absolute(state, path)
      if (state.files.isFolder(from) && !flags.has('r') && !flags.has('R') && !flags.has('a'))
        throw new Error('is a directory (cp -r copies it)')
      state.files.entry('copy', from)
      copy(from, target(path, to, state), state)
    })
  },
  mv: (args, state, streams) => {
    const { words: paths } = parted(args)
    if (needsWords('mv', paths, streams, 2)) return 1
    return forEach('mv', paths.slice(0, -1), streams, (path) =>
      state.files.rename(absolute(state, path), target(path, paths.at(-1)!, state)),
    )
  },
  basename: (args, _state, { out }) => {
    out(`${nameOf(args[0] ?? '').replace(new RegExp(`${(args[1] ?? '').replaceAll('.', '\\.')}$`), '')}\n`)
    return 0
  },
  dirname: (args, _state, { out }) => {
    out(`${args[0]?.includes('/') ? parentOf(args[0]) : '.'}\n`)
    return 0
  },
  env: (_args, state, { out }) => {
    out(written(Object.entries(state.env).map(([name, value]) => `${name}=${value}`)))
    return 0
  },
  export: (args, state) => {
    for (const arg of args) {
      const cut = arg.indexOf('=')
      if (cut > 0) state.env[arg.slice(0, cut)] = arg.slice(cut + 1)
    }
    return 0
  },
  unset: (args, state) => {
    for (const arg of args) delete state.env[arg]
    return 0
  },
  which: (args, state, { out, err }) =>
    forEach('which', args, { input: null, out, err }, (name) => {
      if (name === 'node') out('/usr/bin/node\n')
      else if (Object.hasOwn(commands, name)) out(`${name}: shell command\n`)
      else if (state.files.isFile(`/nodebox/node_modules/.bin/${name}`)) out(`/nodebox/node_modules/.bin/${name}\n`)
      else throw new Error('not found')
    }),
  ps,
  kill,
  sleep: (args, _state, { err }) => {
    const lengths = args.map((arg) => /^(\d*\.?\d+)([smhd]?)$/.exec(arg))
    if (args.length === 0 || lengths.includes(null)) {
      err('sleep: for how long? A number of seconds, or of another unit: 2m, 1h, 1d\n')
      return 1
    }
    const seconds = lengths.reduce((sum, one) => sum + Number(one![1]) * UNITS[one![2]!]!, 0)
    return new Promise((resolve) => void setTimeout(() => resolve(0), seconds * 1000))
  },
  clear: (_args, _state, { out }) => {
    out('\u001b[2J\u001b[3J\u001b[H')
    return 0
  },
  whoami: (_args, _state, { out }) => {
    out('sandbox\n')
    return 0
  },
  exit: (args, state) => (state.exitStatus = Number(args[0] ?? state.lastStatus)),
}

/** What the shell knows by itself. */
export const commands: Readonly<Record<string, ShellCommand>> = known
