import nodeChildProcess from 'node:child_process'
import { existsSync } from 'node:fs'
import { makeBuiltins } from '../process/builtins.ts'
import { Handles } from '../process/handles.ts'
import type { ChildEvents, ProgramLink } from '../process/programLink.ts'
import type { SpawnRequest } from '../common/processMessages.ts'
import type { Loose } from '../process/loose.ts'

// For tests: the modules of a page beside those of the Node that runs this.

/** A back end whose programs are those of this machine, so that only the module itself can differ. */
const link = {
  spawn({ program, argv, cwd, env }: SpawnRequest, events: ChildEvents) {
    const child = nodeChildProcess.spawn(program === 'node' ? process.execPath : 'sh', argv, { cwd, env })
    child.on('spawn', () => events.onStarted(child.pid!))
    child.stdout.setEncoding('utf8').on('data', (data: string) => events.onOut(1, data))
    child.stderr.setEncoding('utf8').on('data', (data: string) => events.onOut(2, data))
    child.on('close', (code, signal) => events.onExit(code, signal))
    return {
      write: (data: string | Uint8Array | null) => (data === null ? child.stdin.end() : child.stdin.write(data)),
      signal: (signal: string) => child.kill(signal as NodeJS.Signals),
      tell: () => undefined,
      disconnect: () => undefined,
    }
  },
  takePid: () => undefined,
} as unknown as ProgramLink

const none: Loose = {}
const made = makeBuiltins({
  link,
  handles: new Handles(queueMicrotask),
  timers: { module: {} } as Loose,
  process,
  fs: { constants: {} },
  http: none,
  https: none,
  module: () => none,
  console: {} as Loose,
  open: none as never,
  programs: { isFolder: existsSync, isFile: (file) => existsSync(file), isOfPackage: () => false },
})
export const ours = (name: string): Loose => made[name]!()

export const failure = (error: Loose) => ({ failed: error.code ?? error.name })
/** What both answer; a failure counts by its code. Bytes are told as text, since those of a page have another class. */
export async function answers(theirs: Loose, own: Loose, ask: (module: Loose) => unknown) {
  const asked = async (module: Loose) => {
    try {
      return plain(await ask(module))
    } catch (error) {
      return failure(error)
    }
  }
  return [await asked(own), await asked(theirs)]
}
export function plain(value: unknown): unknown {
  if (value instanceof ArrayBuffer) return `bytes ${Buffer.from(value).toString('hex')}`
  if (ArrayBuffer.isView(value))
    return `bytes ${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
  return Array.isArray(value) ? value.map(plain) : value
}
/** Calls a function of Node's kind and resolves with what it calls back with. */
export const called = (work: Loose, ...given: unknown[]): Promise<unknown> =>
  new Promise((resolve, reject) =>
    work(...given, (error: unknown, value: unknown) => (error ? reject(error) : resolve(value))),
  )
export const collected = async (source: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const parts: Uint8Array[] = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts)
}
