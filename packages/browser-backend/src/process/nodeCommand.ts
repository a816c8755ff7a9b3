/** What the words behind `node` ask for. */
export type NodeCommand =
  | { kind: 'version' }
  | { kind: 'refused'; message: string }
  | { kind: 'text'; text: string; prints: boolean; args: readonly string[] }
  /** A program that a package brings, by its name. */
  | { kind: 'program'; name: string; args: readonly string[] }
  | {
      kind: 'file'
      file: string
      args: readonly string[]
      options: readonly string[]
      preloads: readonly string[]
      watches: boolean
    }
  /** All files of tests, or those that are named. */
  | { kind: 'tests'; files: readonly string[]; options: readonly string[]; preloads: readonly string[] }

/** Options that change nothing here. */
const IGNORED =
  /^--(?:no-warnings|enable-source-maps|experimental-[\w-]+|no-experimental-[\w-]+|trace-[\w-]+|max-old-space-size=\d+|preserve-symlinks|no-deprecation|stack-size=\d+|max-semi-space-size=\d+|watch-preserve-output|watch-path=.*|stack-trace-limit=\d+)$/

/** How tests are told: for people or for programs. */
const REPORTER = /^--test-reporter=(?:spec|tap)$/

/** What the shell puts in front of the name of a program that it does not know itself. */
export const PROGRAM_OPTION = '--boxyard-program'

export function nodeCommand(argv: readonly string[]): NodeCommand {
  if (argv[0] === PROGRAM_OPTION) return { kind: 'program', name: argv[1] ?? '', args: argv.slice(2) }
  const options: string[] = []
  const preloads: string[] = []
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index]!
    const rest = argv.slice(index + 1)
    if ((!word.startsWith('-') || word === '-') && options.includes('--test'))
      return { kind: 'tests', files: [word, ...rest], options, preloads }
    if (!word.startsWith('-') || word === '-')
      return { kind: 'file', file: word, args: rest, options, preloads, watches: options.includes('--watch') }
    if (word === '-v' || word === '--version') return { kind: 'version' }
    if (word === '-e' || word === '--eval' || word === '-p' || word === '--print' || word === '-pe')
      return { kind: 'text', text: rest[0] ?? '', prints: word !== '-e' && word !== '--eval', args: rest.slice(1) }
    if (word === '-r' || word === '--require' || word === '--import') {
      preloads.push(rest[0] ?? '')
      index += 1
    } else if (word === '--') {
      continue
    } else if (word === '--watch' || word === '--test' || REPORTER.test(word) || IGNORED.test(word)) {
      options.push(word)
    } else {
      return { kind: 'refused', message: `node: ${word} is not known in browser mode` }
    }
  }
  if (options.includes('--test')) return { kind: 'tests', files: [], options, preloads }
  return {
    kind: 'refused',
    message: 'node: name a file to run. The prompt of Node itself is not there in browser mode.',
  }
}
