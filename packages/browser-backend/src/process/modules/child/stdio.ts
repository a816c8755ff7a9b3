import { codedError, notInBrowser } from '../../nodeError.ts'
import { wrongValue } from '../check.ts'
import { Duplex } from '../stream.ts'
import type { Handles } from '../../handles.ts'
import type { Loose } from '../../loose.ts'

/** What one of the streams of a child is. */
export type Stdio =
  | { type: 'pipe' | 'ignore' | 'ipc' }
  /** What its parent has open by this number. */
  | { type: 'fd'; fd: number }
  /** A stream of its parent. */
  | { type: 'stream'; stream: Loose }

const WORDS: Readonly<Record<string, Stdio['type'] | 'inherit'>> = {
  ignore: 'ignore',
  pipe: 'pipe',
  overlapped: 'pipe',
  inherit: 'inherit',
  ipc: 'ipc',
}

export function stdioOf(given: unknown): Stdio[] {
  if (typeof given === 'string' && (!Object.hasOwn(WORDS, given) || given === 'ipc')) throw wrongValue('stdio', given)
  if (typeof given !== 'string' && !Array.isArray(given)) throw wrongValue('stdio', given)
  const each: Loose[] = typeof given === 'string' ? [given, given, given] : (given as Loose[])
  const found = Array.from({ length: Math.max(3, each.length) }, (_, index) => oneOf(each[index], index))
  if (found.filter(({ type }) => type === 'ipc').length > 1)
    throw codedError('ERR_IPC_ONE_PIPE', 'Child process can have only one IPC pipe')
  if (found.slice(3).some(({ type }) => type === 'pipe'))
    throw notInBrowser('A pipe to a program beside its three standard streams')
  return found
}

function oneOf(given: Loose, index: number): Stdio {
  if (given === undefined || given === null) return { type: index < 3 ? 'pipe' : 'ignore' }
  if (typeof given === 'string') {
    const word = Object.hasOwn(WORDS, given) ? WORDS[given] : undefined
    if (word === 'inherit') return { type: 'fd', fd: index }
    if (word === 'pipe' || word === 'ignore' || word === 'ipc') return { type: word }
    throw codedError(
      'ERR_INVALID_SYNC_FORK_INPUT',
      `Asynchronous forks do not support Buffer, TypedArray, DataView or string input: '${given}'`,
      TypeError,
    )
  }
  if (typeof given === 'number') return given < 0 ? { type: 'pipe' } : { type: 'fd', fd: given }
  if (typeof given.fd === 'number') return { type: 'fd', fd: given.fd }
  if (typeof given.on === 'function' && (typeof given.write === 'function' || typeof given.read === 'function'))
    return { type: 'stream', stream: given }
  throw wrongValue('stdio', given)
}

/** What a parent writes to its child. */
export function inputPipe(write: (data: Uint8Array | null) => void): Loose {
  return withReferences(
    new Duplex({
      readable: false,
      write: (chunk: Uint8Array, _encoding: string, done: () => void) => {
        write(new Uint8Array(chunk))
        done()
      },
      final: (done: () => void) => {
        write(null)
        done()
      },
    }),
  )
}

/** What a parent reads from its child. Who reads waits for the end of it. */
export function outputPipe(handles: Handles): Loose {
  let release: (() => void) | undefined
  let isWanted = true
  const letGo = () => {
    release?.()
    release = undefined
  }
  const pipe: Loose = new Duplex({
    writable: false,
    read: () => {
      if (isWanted) release ??= handles.hold()
    },
  })
  // Whoever waits for its end goes on before there is nothing left to wait for.
  pipe.once('close', () => queueMicrotask(letGo))
  return withReferences(
    pipe,
    () => (isWanted = true),
    () => {
      isWanted = false
      letGo()
    },
  )
}

function withReferences(pipe: Loose, ref: () => void = () => undefined, unref: () => void = () => undefined): Loose {
  return Object.assign(pipe, {
    ref: () => {
      ref()
      return pipe as unknown
    },
    unref: () => {
      unref()
      return pipe as unknown
    },
  })
}
