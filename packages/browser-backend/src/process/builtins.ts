import { nodeAssert as assert } from './modules/assert.ts'
import { asyncHooks } from './modules/asyncHooks.ts'
import { MAX_STRING_LENGTH, bufferModule as buffer } from './modules/buffer.ts'
import { makeChildProcess } from './modules/child/makeChildProcess.ts'
import { Console } from './modules/console.ts'
import { crypto } from './modules/crypto.ts'
import { diagnosticsChannel } from './modules/diagnosticsChannel.ts'
import { events } from './modules/events.ts'
import { net } from './modules/net.ts'
import { os } from './modules/os.ts'
import { path } from './modules/path.ts'
import { querystring } from './modules/querystring.ts'
import { readline } from './modules/readline.ts'
import { stream } from './modules/stream.ts'
import { StringDecoder } from './modules/stringDecoder.ts'
import { makeTest } from './modules/test/makeTest.ts'
import { url } from './modules/url.ts'
import { util } from './modules/util.ts'
import { zlibModule } from './modules/zlib.ts'
import { notInBrowser } from './nodeError.ts'
import type { Programs } from './modules/child/programs.ts'
import type { OpenFiles } from './modules/fs/openFiles.ts'
import type { Builtins } from './loader/moduleLoader.ts'
import type { Handles } from './handles.ts'
import type { ProgramLink } from './programLink.ts'
import type { Timers } from './timers.ts'
import type { Loose } from './loose.ts'

export interface BuiltinsOptions {
  link: ProgramLink
  handles: Handles
  timers: Timers
  process: Loose
  fs: Loose
  http: Loose
  https: Loose
  module(): Loose
  console: Console
  open: OpenFiles
  programs: Programs
}

/** The modules that a program has without any package. */
export function makeBuiltins(options: BuiltinsOptions): Builtins {
  const { link, handles, timers, process, fs, http, https, module, console, open, programs } = options
  const streams = {
    ...stream,
    Stream: stream.Stream ?? stream,
    consumers: undefined,
  }
  const callable: Loose = Object.assign(stream.Stream ?? stream, streams)
  const strict = assert.strict ?? assert
  const lookup = (host: string, second: Loose, third?: Loose) => {
    const done = third ?? second
    const options: Loose = typeof second === 'object' ? second : {}
    const found =
      host === 'localhost'
        ? { address: '127.0.0.1', family: 4 }
        : net.isIP(host)
          ? { address: host, family: net.isIP(host) }
          : null
    process.nextTick(() => {
      if (!found)
        return done(
          Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), {
            code: 'ENOTFOUND',
            hostname: host,
            syscall: 'getaddrinfo',
          }),
        )
      return options.all ? done(null, [found]) : done(null, found.address, found.family)
    })
  }
  const dns = {
    lookup,
    promises: { lookup: util.promisify((host: string, given: Loose, done: Loose) => lookup(host, given ?? {}, done)) },
    setDefaultResultOrder: () => undefined,
    getServers: () => [],
  }
  const consumers = {
    buffer: async (given: AsyncIterable<Uint8Array>) => buffer.Buffer.concat(await all(given)),
    text: async (given: AsyncIterable<Uint8Array>) => buffer.Buffer.concat(await all(given)).toString(),
    json: async (given: AsyncIterable<Uint8Array>) =>
      JSON.parse(buffer.Buffer.concat(await all(given)).toString()) as unknown,
  }
  const vm = {
    runInThisContext: runText,
    Script: class {
      readonly #text: string
      constructor(text: string) {
        this.#text = text
      }
      runInThisContext(): unknown {
        return runText(this.#text)
      }
      runInNewContext = missing('A context of its own')
      runInContext = missing('A context of its own')
    },
    createContext: missing('A context of its own'),
    runInContext: missing('A context of its own'),
    runInNewContext: missing('A context of its own'),
    isContext: () => false,
  }
  const workers = {
    isMainThread: true,
    parentPort: null,
    workerData: null,
    threadId: 0,
    resourceLimits: {},
    SHARE_ENV: Symbol.for('nodejs.worker_threads.SHARE_ENV'),
    MessageChannel,
    MessagePort,
    BroadcastChannel,
    Worker: missing('A worker thread'),
    markAsUntransferable: () => undefined,
  }
  const tty = {
    isatty: (fd: number) => fd <= 2 && process.stdout.isTTY === true,
    ReadStream: stream.Readable,
    WriteStream: stream.Writable,
  }
  const fixed: Record<string, Loose> = {
    assert,
    'assert/strict': strict,
    async_hooks: asyncHooks,
    buffer: {
      ...buffer,
      Blob: globalThis.Blob,
      File: globalThis.File,
      atob,
      btoa,
      constants: { MAX_LENGTH: buffer.kMaxLength, MAX_STRING_LENGTH },
      isUtf8: isUtf8,
      transcode: missing('transcode'),
    },
    console: Object.assign(console, { Console }),
    constants: { ...fs.constants, ...os.constants.signals },
    crypto,
    diagnostics_channel: diagnosticsChannel,
    dns,
    'dns/promises': dns.promises,
    events,
    fs,
    'fs/promises': fs.promises,
    http,
    https,
    net,
    os,
    path,
    'path/posix': path.posix,
    'path/win32': path.win32,
    perf_hooks: {
      performance,
      PerformanceObserver: globalThis.PerformanceObserver,
      constants: {},
      monitorEventLoopDelay: () => ({
        enable: () => true,
        disable: () => true,
        min: 0,
        max: 0,
        mean: 0,
        percentile: () => 0,
        reset: () => undefined,
      }),
    },
    process,
    punycode: { toASCII: url.domainToASCII, toUnicode: url.domainToUnicode },
    querystring,
    readline,
    'readline/promises': readline.promises,
    stream: callable,
    'stream/promises': stream.promises ?? {
      pipeline: util.promisify(stream.pipeline),
      finished: util.promisify(stream.finished),
    },
    'stream/consumers': consumers,
    'stream/web': {
      ReadableStream,
      WritableStream,
      TransformStream,
      CompressionStream,
      DecompressionStream,
      TextEncoderStream,
      TextDecoderStream,
    },
    string_decoder: { StringDecoder },
    sys: util,
    tls: {
      connect: missing('A connection with TLS'),
      createServer: missing('A server with TLS'),
      TLSSocket: net.Socket,
      rootCertificates: [],
    },
    timers: timers.module,
    'timers/promises': timers.module.promises,
    tty,
    url,
    util,
    'util/types': util.types,
    v8: {
      getHeapStatistics: () => ({ heap_size_limit: 2 ** 31, used_heap_size: 0, total_heap_size: 0 }),
      serialize: missing('v8.serialize'),
      deserialize: missing('v8.deserialize'),
      setFlagsFromString: () => undefined,
    },
    vm,
    worker_threads: workers,
    zlib: zlibModule,
    cluster: { isMaster: true, isPrimary: true, isWorker: false, fork: missing('A cluster'), on: () => undefined },
    http2: {
      constants: {},
      createServer: missing('HTTP/2'),
      createSecureServer: missing('HTTP/2'),
      connect: missing('HTTP/2'),
      Http2ServerRequest: function () {},
      Http2ServerResponse: function () {},
    },
    dgram: { createSocket: missing('UDP') },
    inspector: { url: () => undefined, open: missing('The inspector') },
    repl: { start: missing('A REPL') },
  }
  // Node's own parts of `http`, by the names under which programs still find them.
  Object.assign(fixed, {
    _http_agent: { Agent: http.Agent, globalAgent: http.globalAgent },
    _http_client: { ClientRequest: http.ClientRequest },
    _http_common: { methods: http.METHODS },
    _http_incoming: { IncomingMessage: http.IncomingMessage },
    _http_outgoing: { OutgoingMessage: http.OutgoingMessage },
    _http_server: { Server: http.Server, ServerResponse: http.ServerResponse, STATUS_CODES: http.STATUS_CODES },
  })
  const made: Record<string, () => Loose> = Object.fromEntries(
    Object.entries(fixed).map(([name, value]) => [name, () => value]),
  )
  made['module'] = module
  made['node:test'] = () => makeTest(process)
  made['child_process'] = () => makeChildProcess({ link, handles, process, open, programs })
  return made
}

/** What a program makes code of is no concern of the platform: it runs where the program does. */
// eslint-disable-next-line no-eval
const runText = (text: string): unknown => (0, eval)(text)

function missing(what: string) {
  return function () {
    throw notInBrowser(what)
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

async function all<T>(given: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of given) found.push(one)
  return found
}
