// Has to be the first import of a process: the modules of Node look for these names while they are loaded.
import { makeCaptureStackTrace, tellsCallSites } from './callSites.ts'
import type { Loose } from './loose.ts'

const scope = globalThis as Loose

/** The object that programs know as `process`; it gets the rest when the process begins. */
export const hostProcess: Loose = {
  env: {},
  argv: [],
  browser: false,
  platform: 'linux',
  version: 'v22.0.0',
  versions: { node: '22.0.0' },
  nextTick(work: (...given: unknown[]) => void, ...given: unknown[]) {
    queueMicrotask(() => work(...given))
  },
  emitWarning: () => undefined,
}
scope.process = hostProcess
scope.global = globalThis
if (!tellsCallSites(Error)) {
  const stackOf = () => new Error('for its stack').stack ?? ''
  Object.assign(Error, { captureStackTrace: makeCaptureStackTrace(Error, stackOf), stackTraceLimit: 10 })
}
