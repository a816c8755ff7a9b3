import type { Loose } from './loose.ts'

/** A place of a stack, as V8 tells it to `Error.prepareStackTrace`. */
class CallSite {
  readonly #name: string
  readonly #file: string
  readonly #line: number
  readonly #column: number

  constructor(text: string) {
    const [, name = '', file = text, line = '0', column = '0'] = /^(.*?)@(.*):(\d+):(\d+)$/.exec(text) ?? []
    this.#name = name
    this.#file = file
    this.#line = Number(line)
    this.#column = Number(column)
  }

  getFileName = (): string => this.#file
  getLineNumber = (): number => this.#line
  getColumnNumber = (): number => this.#column
  getFunctionName = (): string | null => this.#name || null
  getMethodName = (): null => null
  getTypeName = (): null => null
  getThis = (): undefined => undefined
  getFunction = (): undefined => undefined
  getEvalOrigin = (): undefined => undefined
  getScriptNameOrSourceURL = (): string => this.#file
  isNative = (): boolean => false
  isToplevel = (): boolean => true
  isEval = (): boolean => false
  isConstructor = (): boolean => false
  isAsync = (): boolean => false

  toString(): string {
    const place = `${this.#file}:${this.#line}:${this.#column}`
    return this.#name ? `${this.#name} (${place})` : place
  }
}

/**
 * `Error.captureStackTrace` as Node has it, for browsers other than Chromium: packages of servers, Express among them, ask through
 * `Error.prepareStackTrace` who has called them, while they are loaded. `stackOf` gives the stack as the browser writes it.
 */
export function makeCaptureStackTrace(Kind: Loose, stackOf: () => string) {
  return function captureStackTrace(target: Loose, above?: Loose): void {
    // The first two are this and `stackOf`.
    const sites = stackOf()
      .split('\n')
      .filter((line) => line !== '')
      .slice(2)
      .map((line) => new CallSite(line))
    const last = above?.name ? sites.findIndex((site) => site.getFunctionName() === above.name) : -1
    const shown = sites.slice(last + 1, last + 1 + (Kind.stackTraceLimit ?? 10))
    const value =
      typeof Kind.prepareStackTrace === 'function'
        ? Kind.prepareStackTrace(target, shown)
        : [`${target.name ?? 'Error'}: ${target.message ?? ''}`, ...shown.map((site) => `    at ${String(site)}`)].join(
            '\n',
          )
    Object.defineProperty(target, 'stack', { value, writable: true, configurable: true, enumerable: false })
  }
}

/** Whether `Error.prepareStackTrace` is asked, which only V8 does. */
export function tellsCallSites(Kind: Loose): boolean {
  const before = Kind.prepareStackTrace
  const target: Loose = {}
  Kind.prepareStackTrace = () => 'asked'
  Kind.captureStackTrace?.(target)
  // V8 asks when the stack is read.
  const isAsked = target.stack === 'asked'
  Kind.prepareStackTrace = before
  return isAsked
}
