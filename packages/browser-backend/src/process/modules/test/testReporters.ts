import type { Loose } from '../../loose.ts'
import { util } from '../util.ts'
import type { TestNode, TestReporter } from './testNode.ts'

export type Write = (text: string) => void
export interface FinalReporter extends TestReporter {
  /** When the program ends. */
  sums(root: TestNode, milliseconds: number): void
}

const indented = (text: string, depth: number): string => text.replaceAll(/^(?=.)/gm, '    '.repeat(depth))
const shown = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? String(error)) : String(util.inspect(error))

interface Sums {
  tests: number
  suites: number
  pass: number
  fail: number
  cancelled: number
  skipped: number
  todo: number
}

function sumsOf(root: TestNode): Sums {
  const sums: Sums = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 }
  const count = (test: TestNode): void => {
    for (const child of test.children) {
      count(child)
      if (child.kind === 'suite') {
        sums.suites += 1
        continue
      }
      sums.tests += 1
      if (child.outcome === 'skipped') sums.skipped += 1
      else if (child.todo !== false) sums.todo += 1
      else if (child.outcome === 'passed') sums.pass += 1
      else if (child.outcome === 'cancelled') sums.cancelled += 1
      else sums.fail += 1
    }
  }
  count(root)
  return sums
}

const remark = ({ outcome, skip, todo }: TestNode): string => {
  if (outcome === 'skipped') return ` # SKIP${typeof skip === 'string' ? ` ${skip}` : ''}`
  return todo === false ? '' : ` # TODO${typeof todo === 'string' ? ` ${todo}` : ''}`
}
const isRight = ({ outcome }: TestNode): boolean => outcome === 'passed' || outcome === 'skipped'

/** As programs read it: what Node writes where no terminal is. */
export function tapReporter(write: Write): FinalReporter {
  let isFirst = true
  const say = (text: string, depth: number) => {
    if (isFirst) write('TAP version 13\n')
    isFirst = false
    write(`${indented(text, depth)}\n`)
  }
  const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('#', '\\#').replaceAll('\n', '\\n')
  return {
    begins: (test) => say(`# Subtest: ${escaped(test.name)}`, test.depth),
    isWhole: (_test, count, depth) => say(`1..${count}`, depth),
    ends(test) {
      const at = test.parent!.children.indexOf(test) + 1
      const error =
        test.error === undefined
          ? ''
          : `\n  error: |-\n${indented(test.error instanceof Error ? test.error.message : String(test.error), 1)}\n  stack: |-\n${indented(shown(test.error), 1)}`
      say(
        `${isRight(test) ? 'ok' : 'not ok'} ${at} - ${escaped(test.name)}${remark(test)}\n  ---\n  duration_ms: ${test.milliseconds}\n  type: '${test.kind}'${error}\n  ...`,
        test.depth,
      )
      for (const note of test.notes) say(`# ${escaped(note)}`, test.depth)
    },
    sums(root, milliseconds) {
      for (const [name, count] of Object.entries({ ...sumsOf(root), duration_ms: milliseconds }))
        say(`# ${name} ${count}`, 0)
    },
  }
}

/** As people read it. */
export function specReporter(write: Write, hasColors: boolean): FinalReporter {
  const colored = (color: string, text: string): string => (hasColors ? util.styleText(color, text) : text)
  const say = (text: string, depth: number) => write(`${text.replaceAll(/^(?=.)/gm, '  '.repeat(depth))}\n`)
  const parents = new Set<TestNode>()
  const failed: TestNode[] = []
  const announce = (test: TestNode): void => {
    if (test.depth < 0 || parents.has(test)) return
    announce(test.parent!)
    parents.add(test)
    say(`▶ ${test.name}`, test.depth)
  }
  const line = (test: TestNode): string => {
    const time = colored('gray', ` (${test.milliseconds.toFixed(6)}ms)`)
    if (test.outcome === 'skipped') return `${colored('gray', `﹣ ${test.name}`)}${time}${remark(test)}`
    const named = isRight(test) ? `${colored('green', '✔')} ${test.name}` : `${colored('red', '✖')} ${test.name}`
    return `${named}${time}${remark(test)}`
  }
  return {
    begins: (test) => announce(test.parent!),
    isWhole: () => undefined,
    ends(test) {
      say(line(test), test.depth)
      for (const note of test.notes) say(colored('blue', `ℹ ${note}`), test.depth)
      const isOfOthers =
        (test.error as Loose)?.code === 'ERR_TEST_FAILURE' && test.children.some((one) => one.hasFailed)
      if (test.hasFailed && !isOfOthers) failed.push(test)
    },
    sums(root, milliseconds) {
      for (const [name, count] of Object.entries({ ...sumsOf(root), duration_ms: milliseconds }))
        say(colored('blue', `ℹ ${name} ${count}`), 0)
      if (failed.length > 0) say(`\n${colored('red', '✖ failing tests:')}`, 0)
      for (const test of failed)
        say(`\n${line(test)}\n${indented(shown(test.error), 1).replaceAll(/^ {4}/gm, '  ')}`, 0)
    },
  }
}
