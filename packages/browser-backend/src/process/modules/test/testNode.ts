import type { Loose } from '../../loose.ts'
import { codedError } from '../../nodeError.ts'
import { TestContext } from './testContext.ts'

export type Work = (...given: Loose[]) => unknown

export interface TestOptions {
  skip?: boolean | string
  todo?: boolean | string
  timeout?: number
  signal?: AbortSignal
  plan?: number
}

export type Hook = 'before' | 'after' | 'beforeEach' | 'afterEach'

/** What is told of tests while they run. `depth`: in how many others it stands. */
export interface TestReporter {
  begins(test: TestNode): void
  ends(test: TestNode): void
  /** Nothing more comes below it; null for all of the program. */
  isWhole(test: TestNode | null, count: number, depth: number): void
}

export type Outcome = 'waiting' | 'running' | 'passed' | 'failed' | 'cancelled' | 'skipped'

const PENDING = 'Promise resolution is still pending but the event loop has already resolved'
const PARENT_ENDED = 'test did not finish before its parent and was cancelled'

/** One test, or a suite of them. Tests of the same parent run one after the other. */
export class TestNode {
  readonly name: string
  readonly kind: 'test' | 'suite'
  readonly parent: TestNode | null
  readonly options: TestOptions
  readonly children: TestNode[] = []
  readonly hooks: Record<Hook, Work[]> = { before: [], after: [], beforeEach: [], afterEach: [] }
  readonly notes: string[] = []
  readonly abort = new AbortController()
  outcome: Outcome = 'waiting'
  error: unknown
  todo: boolean | string
  skip: boolean | string
  planned: number | undefined
  /** Assertions by its context, which a plan counts beside its subtests. */
  asserted = 0
  milliseconds = 0
  /** Resolves when it has ended, however that was. */
  readonly ended: Promise<void>
  readonly context: TestContext
  readonly #work: Work
  readonly #reporter: TestReporter
  #end!: () => void
  #cancel!: (error: Error) => void
  readonly #cancelled: Promise<never>
  #isOpen = false
  #isPumping = false
  #hasBegun = false
  #isAnnounced = false
  #collected: Promise<void> | undefined

  constructor(
    kind: 'test' | 'suite',
    name: string,
    work: Work,
    options: TestOptions,
    parent: TestNode | null,
    reporter: TestReporter,
  ) {
    this.kind = kind
    this.name = name
    this.parent = parent
    this.options = options
    this.skip = options.skip ?? false
    this.todo = options.todo ?? parent?.todo ?? false
    this.planned = options.plan
    this.#work = work
    this.#reporter = reporter
    this.ended = new Promise((resolve) => (this.#end = resolve))
    this.#cancelled = new Promise((_, reject) => (this.#cancel = reject))
    this.#cancelled.catch(() => undefined)
    this.context = new TestContext(this)
  }

  get depth(): number {
    return this.parent === null ? -1 : this.parent.depth + 1
  }

  get fullName(): string {
    return this.parent === null || this.parent.depth < 0 ? this.name : `${this.parent.fullName} > ${this.name}`
  }

  make(kind: 'test' | 'suite', name: string, work: Work, options: TestOptions): TestNode {
    const child = new TestNode(kind, name, work, options, this, this.#reporter)
    this.children.push(child)
    if (this.outcome !== 'waiting' && this.outcome !== 'running') child.#settle('cancelled', new Error(PARENT_ENDED))
    if (this.#isOpen) this.#pump()
    return child
  }

  /** Of a suite: says what is in it. */
  collect(): void {
    if (this.skip) return
    this.#collected = (async () => {
      await this.#work(this.context)
    })()
    // It is told when the turn of the suite comes.
    this.#collected.catch(() => undefined)
  }

  /** Takes what is in it and what comes, one after the other. */
  open(): void {
    this.#isOpen = true
    this.outcome = 'running'
    this.#pump()
  }

  /** Nothing is left that could go on: what has not ended never will. */
  cancelPending(message = PENDING): void {
    for (const child of this.children) {
      if (child.outcome === 'running') child.cancelPending(message)
      if (child.outcome === 'running') child.#cancel(codedError('ERR_TEST_FAILURE', message))
    }
  }

  /** The program ends at once. */
  endPending(): void {
    for (const child of this.children) {
      if (child.outcome !== 'running' && child.outcome !== 'waiting') continue
      child.endPending()
      child.#settle('cancelled', codedError('ERR_TEST_FAILURE', PENDING))
    }
  }

  /** The innermost of those that run now. */
  get running(): TestNode | undefined {
    const child = this.children.find(({ outcome }) => outcome === 'running')
    return child?.running ?? child
  }

  fail(error: unknown): void {
    this.#cancel(error instanceof Error ? error : new Error(String(error), { cause: error }))
  }

  #pump(): void {
    if (this.#isPumping) return
    this.#isPumping = true
    void this.#runWaiting().finally(() => (this.#isPumping = false))
  }

  async #runWaiting(): Promise<void> {
    // What the program itself says runs first.
    await undefined
    for (let next = this.#next(); next && this.#isOpen; next = this.#next()) await next.#run()
  }

  #next(): TestNode | undefined {
    return this.children.find(({ outcome }) => outcome === 'waiting')
  }

  async #run(): Promise<void> {
    this.outcome = 'running'
    if (this.skip) return this.#settle('skipped')
    this.#announce()
    const begin = performance.now()
    const { timeout, signal } = this.options
    const timer =
      timeout !== undefined && timeout !== Infinity
        ? setTimeout(() => this.fail(codedError('ERR_TEST_FAILURE', `test timed out after ${timeout}ms`)), timeout)
        : undefined
    signal?.addEventListener('abort', () => this.fail(signal.reason))
    if (signal?.aborted) this.fail(signal.reason)
    let error: unknown
    let hasFailed = false
    const attempt = async (work: () => unknown): Promise<void> => {
      try {
        await Promise.race([work(), this.#cancelled])
      } catch (failure) {
        error = hasFailed ? error : failure
        hasFailed = true
      }
    }
    if (this.kind === 'suite') await attempt(() => this.#runSuite())
    else await attempt(() => this.#runTest(attempt))
    clearTimeout(timer)
    this.#isOpen = false
    for (const child of this.children)
      if (child.outcome === 'waiting' || child.outcome === 'running') {
        child.endPending()
        child.#settle('cancelled', new Error(PARENT_ENDED))
      }
    await attempt(() => this.#runHooks('after', this.context))
    this.milliseconds = performance.now() - begin
    if (!hasFailed) {
      const failed = this.children.filter((one) => one.hasFailed).length
      hasFailed = failed > 0
      if (hasFailed) error = codedError('ERR_TEST_FAILURE', `${failed} subtest${failed > 1 ? 's' : ''} failed`)
    }
    return this.#settle(hasFailed ? 'failed' : this.skip === false ? 'passed' : 'skipped', error)
  }

  /** A failure that counts: of what is still to be done nobody expects more. */
  get hasFailed(): boolean {
    return (this.outcome === 'failed' || this.outcome === 'cancelled') && this.todo === false
  }

  async #runSuite(): Promise<void> {
    await this.#collected
    for (let next = this.#next(); next; next = this.#next()) await next.#run()
  }

  async #runTest(attempt: (work: () => unknown) => Promise<void>): Promise<void> {
    await this.parent!.#prepare()
    for (const above of this.#above()) await above.#runHooks('beforeEach', this.context)
    this.#isOpen = true
    await attempt(() => called(this.#work, this.context))
    const left = this.children.filter(({ outcome }) => outcome === 'waiting' || outcome === 'running')
    if (left.length > 0 && this.planned !== undefined) await Promise.all(left.map(({ ended }) => ended))
    for (const above of this.#above().toReversed()) await above.#runHooks('afterEach', this.context)
    const seen = this.asserted + this.children.length
    if (this.planned !== undefined && seen !== this.planned)
      throw codedError('ERR_TEST_FAILURE', `plan expected ${this.planned} assertions but received ${seen}`)
  }

  /** Those around it, the outermost first. */
  #above(): TestNode[] {
    return this.parent === null ? [] : [...this.parent.#above(), this.parent]
  }

  /** Runs what is to run before the first of its tests, once. */
  async #prepare(): Promise<void> {
    if (this.parent !== null) await this.parent.#prepare()
    if (this.#hasBegun) return
    this.#hasBegun = true
    await this.#runHooks('before', this.context)
  }

  async #runHooks(hook: Hook, context: TestContext): Promise<void> {
    for (const work of this.hooks[hook]) await called(work, context)
  }

  /** Runs what comes after all the tests of the program. */
  async finish(): Promise<void> {
    await this.#runHooks('after', this.context)
  }

  #announce(): void {
    if (this.#isAnnounced) return
    this.#isAnnounced = true
    this.#reporter.begins(this)
  }

  #settle(outcome: Outcome, error?: unknown): void {
    if (this.outcome !== 'waiting' && this.outcome !== 'running') return
    this.#announce()
    this.outcome = outcome
    this.error = error
    if (this.children.length > 0) this.#reporter.isWhole(this, this.children.length, this.depth + 1)
    this.#reporter.ends(this)
    this.abort.abort()
    this.context.mock.reset()
    this.#end()
  }
}

/** Calls what may take its time: with a promise, or with a callback when it asks for one. */
function called(work: Work, context: TestContext): unknown {
  if (work.length < 2) return Reflect.apply(work, context, [context])
  return new Promise<void>((resolve, reject) => {
    const answer: unknown = Reflect.apply(work, context, [
      context,
      (error: unknown) => (error === undefined || error === null ? resolve() : reject(error as Error)),
    ])
    if (answer instanceof Promise)
      reject(codedError('ERR_TEST_FAILURE', 'passed a callback but also returned a Promise'))
  })
}
