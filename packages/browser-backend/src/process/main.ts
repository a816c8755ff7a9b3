import { hostProcess } from './earlyGlobals.ts'
import { inContext } from './asyncContext.ts'
import { Buffer } from 'buffer/index.js'
import path from 'path-browserify'
import { loadOxc } from '../compile/oxc.ts'
import type { ProcessStart } from '../common/processMessages.ts'
import { makeBuiltins } from './builtins.ts'
import { Handles } from './handles.ts'
import { ModuleLoader } from './loader/moduleLoader.ts'
import { Exited, makeProcess } from './makeProcess.ts'
import { Console } from './modules/console.ts'
import { makeFs } from './modules/fs/makeFs.ts'
import { OpenFiles } from './modules/fs/openFiles.ts'
import { makeHttp } from './modules/http.ts'
import { readline } from './modules/readline.ts'
import { util } from './modules/util.ts'
import { nodeCommand } from './nodeCommand.ts'
import { PROJECT, ProcessFiles } from './processFiles.ts'
import { ProgramLink } from './programLink.ts'
import { readSources } from './readSources.ts'
import { testFiles } from './testFiles.ts'
import { Timers } from './timers.ts'
import type { Loose } from './loose.ts'

// A process of Node: one worker on the origin of the preview. The first message brings its end of the line to the back end.

const OXC = '/__boxyard/oxc.wasm'

async function run(port: MessagePort): Promise<void> {
  const link = new ProgramLink(port)
  const start = await link.begin()
  const files = new ProcessFiles((change) => link.send({ type: 'write', change }))
  files.fill([...start.files].map(([inside, content]) => [PROJECT + inside, content] as const))
  for (const folder of start.folders) files.addFolder(PROJECT + folder)
  const ticks = new MessageChannel()
  const waiting: (() => void)[] = []
  ticks.port2.onmessage = () => waiting.shift()?.()
  const later = (work: () => void) => {
    waiting.push(inContext(work))
    ticks.port1.postMessage(null)
  }
  const handles = new Handles(later)
  const release = handles.hold()
  holdWhileCrypting(handles)
  const timers = new Timers(handles)
  const process = makeProcess({ start, link, handles, files })
  const console = new Console(process.stdout, process.stderr)
  const fail = (error: unknown, kind: 'uncaughtException' | 'unhandledRejection') => {
    if (error instanceof Exited) return
    try {
      if (kind === 'unhandledRejection' && process.emit(kind, error, null)) return
      if (process.emit('uncaughtException', error, kind)) return
      process.stderr.write(`${shown(error)}\n\nNode.js v22 (browser mode)\n`)
      process.exit(1)
    } catch (ending) {
      if (!(ending instanceof Exited)) throw ending
    }
  }
  self.addEventListener('error', (event) => {
    event.preventDefault()
    fail(event.error ?? new Error(event.message), 'uncaughtException')
  })
  self.addEventListener('unhandledrejection', (event) => {
    event.preventDefault()
    fail(event.reason, 'unhandledRejection')
  })

  const writeStandard = (fd: 1 | 2, data: Uint8Array) =>
    (fd === 1 ? process.stdout : process.stderr).write(Buffer.from(data))
  const open = new OpenFiles(files)
  const fs = makeFs({ files, open, handles, cwd: () => process.cwd(), later, writeStandard, readline: () => readline })
  const { http, https, fetch, take } = makeHttp({ link, handles, later })
  process.on('boxyard:line', take)
  const loader: ModuleLoader = new ModuleLoader({
    files,
    builtins: makeBuiltins({
      link,
      handles,
      timers,
      process,
      fs,
      http,
      https,
      console,
      open,
      module: () => loader.Module,
      programs: {
        isFolder: (path) => files.isFolder(path) || path === '/dev',
        isFile: (file, cwd) => files.isFile(path.resolve(cwd, file)),
        isOfPackage: (name) => findProgram(name, loader, files) !== undefined,
      },
    }),
    loadOxc: () => handles.during(loadOxc(globalThis.fetch(OXC))),
  })
  const oxcFetch = globalThis.fetch.bind(globalThis)
  const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } = timers.module
  Object.assign(globalThis as Loose, {
    Buffer,
    console,
    setTimeout,
    setInterval,
    setImmediate,
    clearTimeout,
    clearInterval,
    clearImmediate,
    fetch: (input: RequestInfo | URL, init?: RequestInit) =>
      String(input) === OXC ? oxcFetch(input, init) : fetch(input, init),
  })
  // What only a worker of a page has would make programs think that they are in one.
  for (const name of ['importScripts', 'WorkerGlobalScope']) Reflect.deleteProperty(globalThis, name)

  handles.onIdle(() => {
    try {
      process.emit('beforeExit', process.exitCode ?? 0)
      later(() => {
        if (!handles.isIdle) return
        try {
          process.exit()
        } catch (error) {
          if (!(error instanceof Exited)) throw error
        }
      })
    } catch (error) {
      fail(error, 'uncaughtException')
    }
  })
  try {
    if (start.sources !== null) files.fill(await readSources(start.sources))
    await begin(start, loader, files, process, link)
  } catch (error) {
    fail(error, 'uncaughtException')
  }
  release()
}

/** A program goes on until what it has asked of the Web Crypto API is there. */
function holdWhileCrypting(handles: Handles): void {
  const { subtle } = globalThis.crypto as Partial<Crypto>
  // An origin that is not safe has none.
  if (!subtle) return
  const methods: Loose = Object.getPrototypeOf(subtle)
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(methods) as Loose) as [
    string,
    Loose,
  ][])
    if (typeof value === 'function' && name !== 'constructor')
      methods[name] = function (this: unknown, ...given: unknown[]): Promise<unknown> {
        return handles.during(Reflect.apply(value, this, given) as Promise<unknown>)
      }
}

async function begin(
  { argv }: ProcessStart,
  loader: ModuleLoader,
  files: ProcessFiles,
  process: Loose,
  link: ProgramLink,
): Promise<void> {
  const command = nodeCommand(argv)
  switch (command.kind) {
    case 'version':
      process.stdout.write('v22.0.0 (browser mode)\n')
      return
    case 'refused':
      process.stderr.write(`${command.message}\n`)
      process.exit(9)
      return
    case 'text': {
      process.argv = [process.execPath, ...command.args]
      if (command.prints) process.stdout.write(`${util.format(loader.valueOf(command.text, process.cwd()))}\n`)
      else loader.runText(command.text, process.cwd())
      return
    }
    case 'program': {
      const file = findProgram(command.name, loader, files)
      if (file === undefined) {
        process.stderr.write(`sh: ${command.name}: command not found (browser mode)\n`)
        process.exit(127)
        return
      }
      process.argv = [process.execPath, file, ...command.args]
      return loader.runMain(file)
    }
    case 'tests': {
      const found = testFiles(command.files, process.cwd(), files)
      if (found.length === 0) {
        process.stderr.write(`Could not find ${command.files.join(', ') || 'a file of tests'}\n`)
        process.exit(1)
      }
      process.execArgv = command.options
      await preload(command.preloads, loader, process)
      for (const file of found) await loader.runMain(file)
      return
    }
    case 'file':
      await preload(command.preloads, loader, process)
      process.argv = [process.execPath, programPath(command.file, loader, process), ...command.args]
      process.execArgv = command.options
      if (command.watches) return watchProgram(command, files, process, link)
      return loader.runMain(process.argv[1])
  }
}

async function preload(names: readonly string[], loader: ModuleLoader, process: Loose): Promise<void> {
  for (const name of names) await loader.import(loader.resolver.resolve(name, process.cwd(), 'require'))
}

function programPath(file: string, loader: ModuleLoader, process: Loose): string {
  const wanted = path.resolve(process.cwd(), file)
  return loader.resolver.resolve(wanted, process.cwd(), 'require', wanted)
}

/** The file of a program that a package of the project brings. */
function findProgram(name: string, loader: ModuleLoader, files: ProcessFiles): string | undefined {
  const root = `${PROJECT}/node_modules`
  const top = files.isFolder(root) ? [...files.folder('scandir', root).names] : []
  const folders = top.flatMap((one) =>
    one.startsWith('@')
      ? [...files.folder('scandir', `${root}/${one}`).names].map((inner) => `${one}/${inner}`)
      : [one],
  )
  for (const folder of [name, ...folders]) {
    const bin: unknown = loader.resolver.manifestIn(`${root}/${folder}`)?.bin
    const own = folder.split('/').at(-1)
    const file =
      typeof bin === 'string' && own === name.split('/').at(-1)
        ? bin
        : (bin as Record<string, string> | undefined)?.[name]
    if (typeof file === 'string') return path.resolve(`${root}/${folder}`, file)
  }
  return undefined
}

/** `node --watch`: the program is a process of its own, which is started again after a change. */
function watchProgram(
  command: Extract<ReturnType<typeof nodeCommand>, { kind: 'file' }>,
  files: ProcessFiles,
  process: Loose,
  link: ProgramLink,
): void {
  let child: ReturnType<ProgramLink['spawn']> | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  const begin = () => {
    child = link.spawn(
      {
        program: 'node',
        argv: [...command.options.filter((option) => !option.startsWith('--watch')), command.file, ...command.args],
        env: { ...process.env },
        cwd: process.cwd(),
        inherits: true,
        talks: false,
      },
      {
        onStarted: () => undefined,
        onOut: (fd, data) => (fd === 1 ? process.stdout : process.stderr).write(data),
        onExit: (code) => {
          child = undefined
          if (isRestarting) return begin()
          process.stdout.write(
            `${code === 0 ? 'Completed' : 'Failed'} running '${command.file}'. Waiting for file changes before restarting...\n`,
          )
        },
      },
    )
    isRestarting = false
  }
  let isRestarting = false
  files.listen((_event, changed) => {
    if (changed.includes('/node_modules/') || !/\.(?:[cm]?[jt]s|json)$/.test(changed)) return
    clearTimeout(again)
    again = setTimeout(() => {
      process.stdout.write(`Restarting '${command.file}'\n`)
      isRestarting = true
      if (child) child.signal('SIGTERM')
      else begin()
    }, 50)
  })
  // As long as somebody waits for changes.
  setInterval(() => undefined, 2 ** 30)
  begin()
}

function shown(error: unknown): string {
  if (!(error instanceof Error)) return `Uncaught:\n${String(util.inspect(error))}`
  // Frames of what runs the program are nobody's concern.
  const stack = (error.stack ?? `${error.name}: ${error.message}`)
    .split('\n')
    .filter((line) => !line.includes('/__boxyard/'))
    .join('\n')
  const text: string = util.inspect(Object.assign(error, { stack }))
  return text
}

self.onmessage = ({ data }: MessageEvent<MessagePort>) => {
  self.onmessage = null
  run(data).catch((error: unknown) => {
    // Without a line there is nobody else to tell.
    hostProcess.stderr?.write?.(String(error))
    throw error
  })
}
