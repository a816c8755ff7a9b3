import type { Loose } from '../../loose.ts'
import { codedError } from '../../nodeError.ts'
import { MockTracker } from './mockTracker.ts'
import { testArguments } from './testContext.ts'
import { TestNode } from './testNode.ts'
import type { Hook, TestOptions, Work } from './testNode.ts'
import { specReporter, tapReporter } from './testReporters.ts'

/** Node's `node:test`: tests that run in the program that says them, one after the other. */
export function makeTest(process: Loose): Loose {
  const { stdout } = process
  const write = (text: string): void => void stdout.write(text)
  const wanted = (process.execArgv as string[]).findLast((one) => one.startsWith('--test-reporter='))?.split('=')[1]
  const isSpec = wanted === undefined ? stdout.isTTY === true : wanted !== 'tap'
  const reporter = isSpec ? specReporter(write, stdout.isTTY === true) : tapReporter(write)
  const root = new TestNode('suite', '<root>', () => undefined, {}, null, reporter)
  const begin = performance.now()
  /** The suite whose work says now what is in it. */
  let around = root
  let hasBegun = false

  const beginOnce = (): void => {
    if (hasBegun) return
    hasBegun = true
    root.open()
    let isFinished = false
    process.on('beforeExit', () => {
      root.cancelPending()
      if (isFinished || root.running) return
      isFinished = true
      root.finish().catch((error: unknown) => {
        process.emit('uncaughtException', error)
      })
    })
    process.on('exit', () => {
      root.endPending()
      if (root.children.some((one) => one.hasFailed)) process.exitCode = 1
      if (root.children.length > 0) reporter.isWhole(null, root.children.length, 0)
      reporter.sums(root, performance.now() - begin)
    })
    const take = (error: unknown): void => {
      const { running } = root
      if (running) running.fail(error)
      else {
        process.exitCode = 1
        process.stderr.write(`${error instanceof Error ? (error.stack ?? String(error)) : String(error)}\n`)
      }
    }
    process.on('uncaughtException', take)
    process.on('unhandledRejection', take)
  }

  const makeKind = (kind: 'test' | 'suite'): Loose => {
    const make =
      (more: TestOptions) =>
      (...given: Loose[]): Promise<void> => {
        const { name, options, work } = testArguments(given)
        beginOnce()
        const made = around.make(kind, name, work, { ...options, ...more })
        if (kind === 'suite') {
          const before = around
          around = made
          made.collect()
          around = before
        }
        return around === root ? made.ended : Promise.resolve()
      }
    return Object.assign(make({}), { skip: make({ skip: true }), todo: make({ todo: true }), only: make({}) })
  }
  const hook =
    (name: Hook) =>
    (work: Work): void => {
      if (typeof work !== 'function')
        throw codedError('ERR_INVALID_ARG_TYPE', 'The "fn" argument must be of type function.', TypeError)
      beginOnce()
      around.hooks[name].push(work)
    }
  const test = makeKind('test')
  const suite = makeKind('suite')
  const mock = new MockTracker()
  return Object.assign(test, {
    test,
    it: test,
    describe: suite,
    suite,
    before: hook('before'),
    after: hook('after'),
    beforeEach: hook('beforeEach'),
    afterEach: hook('afterEach'),
    mock,
    run: () => {
      throw codedError('ERR_METHOD_NOT_IMPLEMENTED', 'node:test runs no other files in browser mode')
    },
  })
}
