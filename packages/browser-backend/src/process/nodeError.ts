/** What the system says, with its numbers. */
const SYSTEM = {
  ENOENT: [-2, 'no such file or directory'],
  EPERM: [-1, 'operation not permitted'],
  ESRCH: [-3, 'no such process'],
  EAGAIN: [-11, 'resource temporarily unavailable'],
  EACCES: [-13, 'permission denied'],
  EBADF: [-9, 'bad file descriptor'],
  EEXIST: [-17, 'file already exists'],
  ENOTDIR: [-20, 'not a directory'],
  EISDIR: [-21, 'illegal operation on a directory'],
  EINVAL: [-22, 'invalid argument'],
  EMFILE: [-24, 'too many open files'],
  EPIPE: [-32, 'broken pipe'],
  ENOTEMPTY: [-39, 'directory not empty'],
  EADDRINUSE: [-98, 'address already in use'],
  ECONNRESET: [-104, 'connection reset by peer'],
  ETIMEDOUT: [-110, 'connection timed out'],
  ECONNREFUSED: [-111, 'connection refused'],
  ENOTFOUND: [-3008, 'address not found'],
} as const

export type SystemCode = keyof typeof SYSTEM
export interface NodeError extends Error {
  code: string
  errno?: number
  syscall?: string
  path?: string
}

/** An error as Node makes it for a call of the system. */
export function nodeError(code: SystemCode, syscall: string, path?: string): NodeError {
  const [errno, words] = SYSTEM[code]
  const error = new Error(`${code}: ${words}, ${syscall}${path === undefined ? '' : ` '${path}'`}`)
  return Object.assign(error, { errno, code, syscall, ...(path === undefined ? {} : { path }) })
}

/** The same for calls that Node tells in fewer words. */
export function systemError(code: SystemCode, syscall: string): NodeError {
  return Object.assign(new Error(`${syscall} ${code}`), { errno: SYSTEM[code][0], code, syscall })
}

/** The name of a number of the system. */
export const systemName = (errno: number): string =>
  Object.entries(SYSTEM).find(([, [number]]) => number === errno)?.[0] ?? `Unknown system error ${errno}`

/** An error with a code of Node's own. */
export function codedError(code: string, message: string, Kind: new (message: string) => Error = Error): NodeError {
  const error = Object.assign(new Kind(message), { code })
  // Errors of Node itself are called with their code, and keep their name.
  if (code.startsWith('ERR_')) {
    const { name, stack } = error
    const called = `${name} [${code}]`
    const isCalled = stack !== undefined && stack.startsWith(`${name}: `)
    Object.defineProperties(error, {
      toString: { value: () => `${called}: ${error.message}`, configurable: true, writable: true },
      ...(isCalled ? { stack: { value: called + stack.slice(name.length), configurable: true, writable: true } } : {}),
    })
  }
  return error
}

/** What needs a machine. */
export function notInBrowser(what: string): NodeError {
  return codedError(
    'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
    `${what} needs a machine and is not there in browser mode. A devbox has it.`,
  )
}
