import { instantiateNapiModule } from '@emnapi/core'
import asyncWork from '@emnapi/core/plugins/async-work'
import threadsafeFunction from '@emnapi/core/plugins/threadsafe-function'
import { createContext } from '@emnapi/runtime'
import type {
  ModuleRunnerTransformOptions,
  ModuleRunnerTransformResult,
  TransformOptions,
  TransformResult,
} from 'oxc-transform'

/** The part of oxc that is used: it stands in one thread, in one WebAssembly module, without shared memory. */
export interface Oxc {
  transformSync(filename: string, code: string, options: TransformOptions): TransformResult
  moduleRunnerTransformSync(
    filename: string,
    code: string,
    options: ModuleRunnerTransformOptions,
  ): ModuleRunnerTransformResult
}

/** 64 MiB to begin with, which the module asks for; it grows by itself. */
const INITIAL_PAGES = 1024
const MAXIMUM_PAGES = 65_536

type Source = Response | BufferSource | WebAssembly.Module

/** Makes oxc from its WebAssembly, or the bytes or the answer that hold it. */
export async function loadOxc(source: Source | Promise<Source>): Promise<Oxc> {
  const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: MAXIMUM_PAGES })
  const { napiModule } = await instantiateNapiModule(source, {
    context: createContext(),
    asyncWorkPoolSize: 0,
    plugins: [asyncWork, threadsafeFunction],
    wasi: wasiOf(memory),
    overwriteImports(imports) {
      return { ...imports, env: { ...imports['env'], ...imports['napi'], ...imports['emnapi'], memory } }
    },
    getMemory: () => memory,
    beforeInit({ instance }) {
      for (const [name, register] of Object.entries(instance.exports)) {
        if (name.startsWith('__napi_register__') && typeof register === 'function') register()
      }
    },
  })
  return napiModule.exports as Oxc
}

/** The five functions of a system that oxc is linked against: randomness, an empty environment and error output. */
function wasiOf(memory: WebAssembly.Memory) {
  const view = () => new DataView(memory.buffer)
  const bytes = (start: number, length: number) => new Uint8Array(memory.buffer, start, length)
  const said = new TextDecoder()
  return {
    wasiImport: {
      random_get(start: number, length: number) {
        crypto.getRandomValues(bytes(start, length))
        return 0
      },
      environ_get: () => 0,
      environ_sizes_get(count: number, size: number) {
        view().setUint32(count, 0, true)
        view().setUint32(size, 0, true)
        return 0
      },
      fd_write(_file: number, parts: number, count: number, written: number) {
        let total = 0
        let text = ''
        for (let index = 0; index < count; index += 1) {
          const start = view().getUint32(parts + index * 8, true)
          const length = view().getUint32(parts + index * 8 + 4, true)
          text += said.decode(bytes(start, length))
          total += length
        }
        console.error(text)
        view().setUint32(written, total, true)
        return 0
      },
      proc_exit(code: number): never {
        throw new Error(`oxc ended with ${code}`)
      },
    },
    initialize(instance: WebAssembly.Instance) {
      const start = instance.exports['_initialize']
      if (typeof start === 'function') start()
    },
    start: () => 0,
    getImportObject() {
      return { wasi_snapshot_preview1: this.wasiImport }
    },
  }
}
