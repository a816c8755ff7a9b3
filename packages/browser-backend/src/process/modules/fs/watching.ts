import EventEmitter from 'events/events.js'
import path from 'path-browserify'
import type { Handles } from '../../handles.ts'
import type { ProcessFiles } from '../../processFiles.ts'
import { Buffer } from '../buffer.ts'
import { abortError, checkBoolean, checkFunction, checkInteger } from '../check.ts'
import type { Loose } from '../../loose.ts'
import { optionsOf, textOfPath } from './operations.ts'
import { BigIntStats, Stats } from './stats.ts'

export interface WatchingOptions {
  files: ProcessFiles
  handles: Handles
  cwd(): string
  later(work: () => void): void
}

/** What keeps a program as long as it is wanted. */
class Watcher extends EventEmitter {
  readonly #handles: Handles
  #release: (() => void) | undefined
  #stop: (() => void) | undefined

  constructor(handles: Handles, isKeeping: boolean, stop: () => void) {
    super()
    this.#handles = handles
    this.#stop = stop
    if (isKeeping) this.ref()
  }

  /** Whether it was still on. */
  end(): boolean {
    const stop = this.#stop
    this.#stop = undefined
    stop?.()
    this.unref()
    return stop !== undefined
  }
  ref(): this {
    if (this.#stop) this.#release ??= this.#handles.hold()
    return this
  }
  unref(): this {
    this.#release?.()
    this.#release = undefined
    return this
  }
}

/** How Node tells what changes in the files of a process. */
export function makeWatching({ files, handles, cwd, later }: WatchingOptions): Loose {
  class FSWatcher extends Watcher {
    close(): void {
      if (this.end()) later(() => this.emit('close'))
    }
  }
  class StatWatcher extends Watcher {
    stop(): void {
      if (this.end()) later(() => this.emit('stop'))
    }
  }

  const watch = (given: Loose, second?: Loose, third?: Loose): FSWatcher => {
    const options = optionsOf(second)
    const heard = typeof second === 'function' ? second : third
    const where = path.resolve(cwd(), textOfPath(given, 'filename'))
    for (const name of ['persistent', 'recursive'])
      if (options[name] !== undefined && options[name] !== null) checkBoolean(`options.${name}`, options[name])
    files.entry('watch', where)
    const shown = (name: string): Loose =>
      options.encoding === 'buffer'
        ? Buffer.from(name)
        : options.encoding
          ? Buffer.from(name).toString(options.encoding)
          : name
    const stop = files.listen((event, changed) => {
      if (changed === where) return watcher.emit('change', event, shown(path.basename(where)))
      if (!changed.startsWith(`${where === '/' ? '' : where}/`)) return undefined
      const inside = path.relative(where, changed)
      if (options.recursive || !inside.includes('/')) watcher.emit('change', event, shown(inside))
      return undefined
    })
    const watcher = new FSWatcher(handles, options.persistent !== false, stop)
    if (heard !== undefined) {
      checkFunction('listener', heard)
      watcher.on('change', heard)
    }
    const { signal } = options
    if (signal?.aborted) later(() => watcher.close())
    else signal?.addEventListener('abort', () => watcher.close(), { once: true })
    return watcher
  }

  async function* watchAsync(given: Loose, options: Loose = {}): AsyncGenerator<unknown> {
    const { signal } = optionsOf(options)
    if (signal?.aborted) throw abortError(signal)
    const seen: unknown[] = []
    let wake: () => void = () => undefined
    const watcher = watch(given, { ...options, signal: undefined }, (eventType: string, filename: string) => {
      seen.push({ eventType, filename })
      wake()
    })
    signal?.addEventListener('abort', () => wake(), { once: true })
    try {
      while (true) {
        while (seen.length > 0) yield seen.shift()
        if (signal?.aborted) throw abortError(signal)
        await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      watcher.close()
    }
  }

  const watched = new Map<string, { listener: Loose; watcher: StatWatcher }[]>()
  const watchFile = (given: Loose, second: Loose, third?: Loose): StatWatcher => {
    const where = path.resolve(cwd(), textOfPath(given, 'filename'))
    const heard = typeof second === 'function' ? second : third
    const options: Loose = typeof second === 'object' && second !== null ? second : {}
    checkFunction('listener', heard)
    if (options.interval !== undefined) checkInteger('interval', options.interval, 0)
    const statOf = (): Stats | BigIntStats => {
      const entry = files.find(where) ?? NOTHING
      const stats = options.bigint ? new BigIntStats(entry) : new Stats(entry)
      return entry === NOTHING ? Object.assign(stats, options.bigint ? EMPTY_LARGE : EMPTY) : stats
    }
    let before = statOf()
    const forget = files.listen((_event, changed) => {
      if (changed !== where) return
      const now = statOf()
      watcher.emit('change', now, before)
      before = now
    })
    const watcher = new StatWatcher(handles, options.persistent !== false, forget)
    watcher.on('change', heard)
    // Of what is not there it is told once that it is not.
    if (!files.find(where)) later(() => watcher.emit('change', before, before))
    watched.set(where, [...(watched.get(where) ?? []), { listener: heard, watcher }])
    return watcher
  }
  const unwatchFile = (given: Loose, listener?: Loose): void => {
    const where = path.resolve(cwd(), textOfPath(given, 'filename'))
    const all = watched.get(where) ?? []
    const ends = (one: (typeof all)[number]) => listener === undefined || one.listener === listener
    for (const one of all.filter(ends)) one.watcher.stop()
    watched.set(
      where,
      all.filter((one) => !ends(one)),
    )
  }
  return { watch, watchAsync, watchFile, unwatchFile, FSWatcher, StatWatcher }
}

const NOTHING = { kind: 'file', content: '', mode: 0, ino: 0, mtimeMs: 0, ctimeMs: 0 } as const
const EMPTY = { dev: 0, mode: 0, nlink: 0, uid: 0, gid: 0, blksize: 0, blocks: 0 }
const EMPTY_LARGE = Object.fromEntries(Object.keys(EMPTY).map((name) => [name, 0n]))
