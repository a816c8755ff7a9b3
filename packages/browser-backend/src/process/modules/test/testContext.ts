import type { Loose } from '../../loose.ts'
import { nodeAssert } from '../assert.ts'
import { MockTracker } from './mockTracker.ts'
import type { Hook, TestNode, TestOptions, Work } from './testNode.ts'

/** What Node counts of them for `plan`. */
const METHODS = [
  'deepEqual',
  'deepStrictEqual',
  'doesNotMatch',
  'doesNotReject',
  'doesNotThrow',
  'equal',
  'fail',
  'ifError',
  'match',
  'notDeepEqual',
  'notDeepStrictEqual',
  'notEqual',
  'notStrictEqual',
  'ok',
  'rejects',
  'strictEqual',
  'throws',
]

/** What a test is given. */
export class TestContext {
  readonly #test: TestNode
  readonly mock = new MockTracker()
  #assert: Loose

  constructor(test: TestNode) {
    this.#test = test
  }

  get name(): string {
    return this.#test.name
  }
  get fullName(): string {
    return this.#test.fullName
  }
  get signal(): AbortSignal {
    return this.#test.abort.signal
  }
  get assert(): Loose {
    const test = this.#test
    return (this.#assert ??= Object.fromEntries(
      METHODS.map((name) => [
        name,
        (...given: unknown[]): unknown => {
          test.asserted += 1
          return nodeAssert[name](...given)
        },
      ]),
    ))
  }
  diagnostic(message: unknown): void {
    this.#test.notes.push(String(message))
  }
  skip(message?: string): void {
    this.#test.skip = message ?? true
  }
  todo(message?: string): void {
    this.#test.todo = message ?? true
  }
  plan(count: number): void {
    this.#test.planned = count
  }
  runOnly(): void {
    // All of them run: only the option `--test-only`, which is not known here, would choose.
  }
  test = (...given: Loose[]): Promise<void> => {
    const { name, options, work } = testArguments(given)
    return this.#test.make('test', name, work, options).ended
  }
  before = (work: Work): void => this.#hook('before', work)
  after = (work: Work): void => this.#hook('after', work)
  beforeEach = (work: Work): void => this.#hook('beforeEach', work)
  afterEach = (work: Work): void => this.#hook('afterEach', work)
  #hook(hook: Hook, work: Work): void {
    this.#test.hooks[hook].push(work)
  }
}

/** A name, options and a work, each of which may be left out. */
export function testArguments(given: readonly Loose[]): { name: string; options: TestOptions; work: Work } {
  const work = given.find((one) => typeof one === 'function') as Work | undefined
  const options = given.find((one) => typeof one === 'object' && one !== null) as TestOptions | undefined
  const name = typeof given[0] === 'string' ? given[0] : work?.name || '<anonymous>'
  return { name, options: { ...options }, work: work ?? (() => undefined) }
}
