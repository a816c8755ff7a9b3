import { Buffer } from 'buffer/index.js'
import { codedError, notInBrowser, systemName } from '../../nodeError.ts'
import { abortError, checkSignal, checkString } from '../check.ts'
import { makeChildClass } from './makeChildClass.ts'
import {
  checkMaxBuffer,
  checkNoNull,
  checkTimeout,
  execFileArguments,
  forkArguments,
  killSignalOf,
  spawnArguments,
} from './spawnArguments.ts'
import type { ChildOptions, ChildProcess } from './makeChildClass.ts'
import type { Loose } from '../../loose.ts'

/** As much as Node keeps of the output of a program for who asked for all of it. */
const MOST_KEPT = 1024 * 1024
const PROMISIFIED = Symbol.for('nodejs.util.promisify.custom')

/** Node's `child_process`: programs of the sandbox's own kind, which are Node and what the shell knows. */
export function makeChildProcess(options: ChildOptions): Loose {
  const { process } = options
  const Child = makeChildClass(options)

  const spawn = (file: Loose, args?: Loose, given?: Loose): ChildProcess => {
    const asked = spawnArguments(file, args, given, process.env)
    checkTimeout(asked.timeout)
    checkSignal('options.signal', asked.signal)
    const killSignal = killSignalOf(asked.killSignal)
    const child = new Child()
    child.spawn(asked)
    if (asked.timeout > 0) {
      const timer = setTimeout(() => child.kill(killSignal), asked.timeout)
      child.once('exit', () => clearTimeout(timer))
    }
    if (asked.signal) endWith(child, asked.signal, killSignal)
    return child
  }
  const endWith = (child: ChildProcess, signal: AbortSignal, killSignal: string | undefined) => {
    const end = () => {
      if (child.kill(killSignal)) child.emit('error', abortError(signal))
    }
    if (signal.aborted) {
      process.nextTick(end)
      return
    }
    signal.addEventListener('abort', end, { once: true })
    child.once('exit', () => signal.removeEventListener('abort', end))
  }

  const execFile = (file: Loose, ...rest: Loose[]): ChildProcess => {
    const { args, options: given, callback } = execFileArguments(rest[0], rest[1], rest[2])
    const { cwd, env, gid, shell, signal, uid, windowsHide, windowsVerbatimArguments } = given
    const asked: Loose = { timeout: 0, maxBuffer: MOST_KEPT, killSignal: 'SIGTERM', ...given }
    checkTimeout(asked.timeout)
    checkMaxBuffer(asked.maxBuffer)
    const killSignal = killSignalOf(asked.killSignal)
    const child = spawn(file, args, {
      cwd,
      env,
      gid,
      shell: shell ?? false,
      signal,
      uid,
      windowsHide: Boolean(windowsHide),
      windowsVerbatimArguments: Boolean(windowsVerbatimArguments),
    })
    collect(child, [file, ...args].join(' '), { ...asked, killSignal }, callback)
    return child
  }

  /** Calls back with everything that a program has written. */
  const collect = (child: ChildProcess, command: string, asked: Loose, callback: Loose) => {
    const encoding = 'encoding' in asked ? asked.encoding : 'utf8'
    const isText = encoding !== 'buffer' && Buffer.isEncoding(encoding)
    const kept: Record<'stdout' | 'stderr', Loose[]> = { stdout: [], stderr: [] }
    let failure: Loose = null
    let wasKilled = false
    let isDone = false
    const written = (name: 'stdout' | 'stderr') =>
      isText || child[name]?.readableEncoding ? kept[name].join('') : Buffer.concat(kept[name])
    const done = (code?: number | null, signal?: string | null) => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      if (!callback) return
      const [stdout, stderr] = [written('stdout'), written('stderr')]
      if (!failure && code === 0 && signal === null) {
        callback(null, stdout, stderr)
        return
      }
      failure ??= Object.assign(new Error(`Command failed: ${command}\n${String(stderr)}`), {
        code: typeof code === 'number' && code < 0 ? systemName(code) : code,
        killed: child.killed || wasKilled,
        signal,
      })
      failure.cmd = command
      callback(failure, stdout, stderr)
    }
    const kill = () => {
      child.stdout?.destroy()
      child.stderr?.destroy()
      wasKilled = true
      child.kill(asked.killSignal)
    }
    const timer = asked.timeout > 0 ? setTimeout(kill, asked.timeout) : undefined
    for (const name of ['stdout', 'stderr'] as const) {
      const pipe = child[name]
      if (!pipe) continue
      if (isText) pipe.setEncoding(encoding)
      let length = 0
      pipe.on('data', (chunk: string & Uint8Array) => {
        const own = pipe.readableEncoding
        const before = length
        length += own ? Buffer.byteLength(chunk, own) : chunk.length
        if (length <= asked.maxBuffer) {
          kept[name].push(chunk)
          return
        }
        kept[name].push(chunk.slice(0, asked.maxBuffer - before))
        failure = codedError('ERR_CHILD_PROCESS_STDIO_MAXBUFFER', `${name} maxBuffer length exceeded`, RangeError)
        kill()
      })
    }
    child.on('close', done)
    child.on('error', (error: unknown) => {
      failure = error
      child.stdout?.destroy()
      child.stderr?.destroy()
      done()
    })
  }

  const exec = (command: Loose, second?: Loose, third?: Loose): ChildProcess => {
    checkString('command', command)
    checkNoNull('command', command)
    const [given, callback] = typeof second === 'function' ? [undefined, second] : [second, third]
    return module.execFile(
      command,
      { ...given, shell: typeof given?.shell === 'string' ? given.shell : true },
      callback,
    )
  }

  const promised = (work: (...given: Loose[]) => ChildProcess) => ({
    value: (...given: Loose[]): Promise<unknown> => {
      let settle: (error: Loose, stdout: unknown, stderr: unknown) => void = () => undefined
      const promise = new Promise((resolve, reject) => {
        settle = (error, stdout, stderr) =>
          error === null ? resolve({ stdout, stderr }) : reject(Object.assign(error, { stdout, stderr }) as Error)
      })
      // What is given wrong is refused at once.
      const child = work(...given, (error: Loose, stdout: unknown, stderr: unknown) => settle(error, stdout, stderr))
      return Object.assign(promise, { child })
    },
  })
  Object.defineProperty(exec, PROMISIFIED, promised(exec))
  Object.defineProperty(execFile, PROMISIFIED, promised(execFile))

  const fork = (path: Loose, second?: Loose, third?: Loose): ChildProcess => {
    const asked = forkArguments(path, second, third, process)
    return spawn(asked.file, asked.args, asked.options)
  }
  const noSync = (name: string, instead: string) => () => {
    throw notInBrowser(`${name}, which stands still until another program has ended (${instead} goes on meanwhile),`)
  }
  const module: Loose = {
    ChildProcess: Child,
    spawn,
    exec,
    execFile,
    fork,
    spawnSync: noSync('spawnSync', 'spawn'),
    execSync: noSync('execSync', 'exec'),
    execFileSync: noSync('execFileSync', 'execFile'),
  }
  return module
}
