import { chown, mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { ConsoleLog } from './consoleLog.ts'
import { deferred } from './deferred.ts'
import { DevServerAway, DevServerSocket } from './devServerSocket.ts'
import { treeUsage } from './disk/copyTree.ts'
import { DiskGuard } from './disk/diskGuard.ts'
import { SharedTrees } from './disk/sharedTrees.ts'
import { boxIdSchema, diskIdSchema } from './disk/workspaceStore.ts'
import type { WorkspaceStore } from './disk/workspaceStore.ts'
import { BYTES_PER_MIB } from './driver.ts'
import type {
  BoxDriver,
  BoxExit,
  BoxMetrics,
  BoxSpec,
  DiskSource,
  DriverProbe,
  RunningBox,
  StartOptions,
  Tier,
} from './driver.ts'
import { readJson, writeDurably } from './durableFile.ts'
import { BoxError } from './errors.ts'
import { GIVEN_UP } from './keeperScript.ts'
import { KeyedLock } from './keyedLock.ts'
import { asDiskError } from './runCommand.ts'
import type { Sandbox, SandboxEnd, SandboxProcess } from './sandbox.ts'
import type { Trash } from './trash.ts'
import { withDeadline } from './withDeadline.ts'

const SANDBOX_DEADLINE_MS = 20_000
const DEV_SERVER_DEADLINE_MS = 60_000
const FLUSH_DEADLINE_MS = 10_000
const GRACE_MS = 5_000
/** How long somebody waits for a dev server that is being started again. */
const AGAIN_DEADLINE_MS = 8_000
/** Between two looks whether the dev server answers. */
const READY_POLL_MS = 10

const tierSchema = z.object({ cpu: z.number().positive(), memory: z.number().positive(), disk: z.number().positive() })
const diskSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('folder'), path: z.string().startsWith('/') }),
  z.object({ kind: z.literal('sealed'), diskId: diskIdSchema }),
  z.object({ kind: z.literal('box'), boxId: boxIdSchema, memory: z.boolean().optional() }),
])
const specSchema = z.object({ id: boxIdSchema, disk: diskSourceSchema, tier: tierSchema })

const diskReasons: Record<WorkspaceStore['kind'], string> = {
  btrfs: 'Disks of boxes are btrfs snapshots: a copy takes milliseconds and no room.',
  overlay: 'Disks of boxes are layers: a copy takes milliseconds and no room.',
  reflink: 'Disks of boxes are copied file by file without taking room: a large one takes seconds.',
  image: 'Disks of boxes are layers of images: a copy takes milliseconds and no room.',
  copy: 'Disks of boxes are copied as a whole. Copies take milliseconds as root, or with the data folder on btrfs: mkfs.btrfs DISK && mount DISK FOLDER',
}

const SHARED = 'Packages that are installed again are shared between boxes: nothing is written.'
const NOT_SHARED =
  'Packages that are installed again are unpacked in each box: sharing them takes a server that runs as root, and disks that are layers.'
const HELD = 'Disks of boxes end at their size.'
const NOT_HELD =
  'Disks of boxes have no quota: when room runs short, a box with more than its size is ended; its files stay.'

interface Run {
  epoch: number
  console: ConsoleLog
  socket: DevServerSocket
  process: SandboxProcess | null
  /** Set once the dev server has answered. */
  running: RunningBox | null
  paused: boolean
  stopRequested: boolean
  /** Resolves when nothing of the run is left. */
  finished: Promise<void>
}

export interface LocalDriverOptions {
  home: string
  sandbox: Sandbox
  store: WorkspaceStore
  trash: Trash
  log: (message: string) => void
  /** Milliseconds a start may spend in each phase. */
  deadlines?: { sandbox: number; devServer: number }
  /** Room on the file system of the disks below which boxes that have more than their tier are ended. */
  reserveBytes?: number
}

/**
 * Boxes on this machine: a disk from the store, a run in the sandbox, the dev server behind a unix socket. A box exists when its
 * `box.json` does, which is written last.
 */
export class LocalDriver implements BoxDriver {
  readonly name: string
  readonly #options: LocalDriverOptions
  readonly #boxes: string
  readonly #runs = new Map<string, Run>()
  readonly #locks = new KeyedLock()
  readonly #listeners = new Set<(exit: BoxExit) => void>()
  readonly #deadlines: { sandbox: number; devServer: number }
  readonly #guard: DiskGuard
  readonly #trees: SharedTrees

  /** Use the factories of the drivers. `trash` is open; `open` must have been called before anything else. */
  constructor(options: LocalDriverOptions) {
    this.name = options.sandbox.name
    this.#options = options
    this.#boxes = path.join(options.home, 'boxes')
    this.#deadlines = options.deadlines ?? { sandbox: SANDBOX_DEADLINE_MS, devServer: DEV_SERVER_DEADLINE_MS }
    this.#trees = new SharedTrees({
      folder: path.join(options.home, 'trees'),
      trash: options.trash,
      owner: options.sandbox.diskOwner,
    })
    this.#guard = new DiskGuard({
      folder: options.home,
      reserveBytes: options.reserveBytes,
      running: () => this.#runningWithTheirDisk(),
      usage: (id) => this.#diskUsage(id),
      end: (id, bytes) => this.#endOverfull(id, bytes),
      onError: (error) => options.log(`The room that boxes take could not be measured: ${String(error)}`),
    })
  }

  async open(): Promise<void> {
    await this.#options.sandbox.open()
    await this.#options.store.open()
    await this.#trees.open()
    for (const id of await readdir(this.#boxes)) {
      if ((await this.#readSpec(id)) === null) await this.#options.store.remove(id)
    }
    this.#guard.watch()
  }

  async probe(): Promise<DriverProbe> {
    const { sandbox, store } = this.#options
    const probe = await sandbox.probe()
    const sharesTrees = probe.ok && store.sharesTrees === true
    return {
      ...probe,
      capabilities: new Set([...probe.capabilities, ...(sharesTrees ? (['sharedTrees'] as const) : [])]),
      reasons: [
        ...probe.reasons,
        diskReasons[store.kind],
        store.sizeOf === undefined ? NOT_HELD : HELD,
        sharesTrees ? SHARED : NOT_SHARED,
      ],
    }
  }

  async create(spec: BoxSpec): Promise<void> {
    const parsed = specSchema.safeParse(spec)
    if (!parsed.success) throw new BoxError('BOX_INVALID', z.prettifyError(parsed.error))
    const { id, disk } = parsed.data
    await this.#locks.run(disk.kind === 'box' ? [id, disk.boxId] : [id], async () => {
      const existing = await this.#readSpec(id)
      if (existing !== null) {
        if (sameSource(existing.disk, disk)) return
        throw new BoxError('BOX_EXISTS', id)
      }
      // What an attempt that failed half way may have left.
      await this.#options.store.remove(id)
      try {
        await this.#makeDisk(id, disk)
        await writeDurably(this.#specFile(id), JSON.stringify(parsed.data))
      } catch (error) {
        await this.#options.store.remove(id)
        const failure = asDiskError(error)
        // The room that the attempt took is free again once it is reported.
        if (failure instanceof BoxError && failure.code === 'DISK_FULL') await this.#options.trash.emptied()
        throw failure
      }
    })
  }

  async start(id: string, options: StartOptions): Promise<RunningBox> {
    return this.#locks.run([id], async () => {
      const current = this.#runs.get(id)
      if (current?.running) return current.running
      const spec = await this.#spec(id)
      const run: Run = {
        epoch: options.epoch,
        console: new ConsoleLog(this.#consoleFile(id)),
        socket: new DevServerSocket(id, path.join(this.#runFolder(id), 'dev-server.sock')),
        process: null,
        running: null,
        paused: false,
        stopRequested: false,
        finished: Promise.resolve(),
      }
      const finished = deferred<void>()
      run.finished = finished.promise
      this.#runs.set(id, run)
      try {
        run.running = await this.#boot(spec, run, options)
        void this.#watch(id, run, run.process).finally(() => finished.resolve())
        return run.running
      } catch (error) {
        run.process?.kill()
        await run.process?.ended
        run.console.close()
        this.#runs.delete(id)
        finished.resolve()
        if (run.stopRequested) throw new BoxError('BOX_NOT_RUNNING', `${id} was stopped while it started`)
        throw asDiskError(error)
      }
    })
  }

  async stop(id: string, options: { graceMs?: number } = {}): Promise<void> {
    const run = this.#runs.get(id)
    if (run === undefined) return
    const { process } = run
    const asked = run.stopRequested
    run.stopRequested = true
    if (process !== null) {
      const graceMs = run.running === null ? 0 : (options.graceMs ?? GRACE_MS)
      if (graceMs === 0) process.kill()
      else if (!asked) await this.#end(run, process, graceMs)
    }
    await run.finished
  }

  async pause(id: string): Promise<void> {
    const { run, process } = this.#running(id)
    await process.pause()
    run.paused = true
  }

  async unpause(id: string): Promise<void> {
    const { run, process } = this.#running(id)
    await process.unpause()
    run.paused = false
  }

  async hibernate(id: string): Promise<boolean> {
    const { run, process } = this.#running(id)
    if (run.paused) return true
    if (!(await run.socket.farewell(FLUSH_DEADLINE_MS))) {
      this.#options.log(`The dev server of ${id} did not confirm that everything is on disk before it went to sleep.`)
    }
    try {
      await (process.hibernate === undefined ? process.pause() : process.hibernate())
      run.paused = true
      return true
    } catch (error) {
      if (!(error instanceof BoxError && error.code === 'UNSUPPORTED')) throw error
      await this.stop(id)
      return false
    }
  }

  async resume(id: string): Promise<void> {
    const { run, process } = this.#running(id)
    await process.unpause()
    run.paused = false
    const deadline = Date.now() + this.#deadlines.sandbox
    while (!(await run.socket.answers())) {
      if (this.#runs.get(id) !== run) throw new BoxError('BOX_NOT_RUNNING', `${id} ended as it woke`)
      if (Date.now() > deadline) throw new BoxError('DEADLINE', 'waking')
      await delay(READY_POLL_MS)
    }
  }

  async resize(id: string, tier: Tier): Promise<boolean> {
    const parsed = tierSchema.safeParse(tier)
    if (!parsed.success) throw new BoxError('BOX_INVALID', z.prettifyError(parsed.error))
    return this.#locks.run([id], async () => {
      const spec = await this.#spec(id)
      await writeDurably(this.#specFile(id), JSON.stringify({ ...spec, tier: parsed.data }))
      const process = this.#runs.get(id)?.process
      return process ? process.resize(parsed.data) : false
    })
  }

  async update(id: string): Promise<void> {
    const { sandbox } = this.#options
    if (sandbox.publishDevServer === undefined)
      throw new BoxError('UNSUPPORTED', `${this.name} can not change the dev server of a running box`)
    const program = await sandbox.publishDevServer()
    await this.#locks.run([id], async () => {
      const { run } = this.#running(id)
      if ((await run.socket.program()) === program) return
      const refusal = await run.socket.update(program, FLUSH_DEADLINE_MS)
      if (refusal !== null) throw new BoxError('DEV_SERVER_FAILED', `it did not make way: ${refusal}`)
      const deadline = Date.now() + this.#deadlines.devServer
      let now = await run.socket.program()
      for (; now === null; now = await run.socket.program()) {
        if (this.#runs.get(id) !== run) throw new BoxError('BOX_NOT_RUNNING', `${id} ended while it was updated`)
        if (Date.now() > deadline) throw new BoxError('DEADLINE', 'the update of the dev server')
        await delay(READY_POLL_MS)
      }
      if (now !== program)
        throw new BoxError('DEV_SERVER_FAILED', `the former one goes on:\n${run.console.lastLines(10)}`)
    })
  }

  async keepTree(treeId: string, archive: string): Promise<void> {
    if (this.#options.store.sharesTrees === true) await this.#trees.keep(treeId, archive)
  }

  async giveTree(id: string, treeId: string, folder: string): Promise<boolean> {
    const { store } = this.#options
    if (folder.startsWith('/') || folder.split('/').includes('..'))
      throw new BoxError('BOX_INVALID', `folder ${folder}`)
    const tree = store.sharesTrees === true ? await this.#trees.find(treeId) : null
    if (tree === null) return false
    return this.#locks.run([id], async () => {
      const { run, process } = this.#running(id)
      if (run.paused || process.diskRoot == null) return false
      const offered = await store.offerTree?.(id, tree, (kept, target) => this.#trees.copy(kept, target))
      if (offered == null) return false
      try {
        // Takes the place of an empty folder and of nothing else, and never leaves this mount.
        await rename(path.join(process.diskRoot, offered), path.join(process.diskRoot, 'workspace', folder))
        return true
      } catch (error) {
        this.#options.log(`The packages of ${id} could not be shared, so they are unpacked: ${String(error)}`)
        return false
      }
    })
  }

  async seal(id: string, diskId: string): Promise<void> {
    if (!diskIdSchema.safeParse(diskId).success) throw new BoxError('BOX_INVALID', `disk id ${diskId}`)
    await this.#locks.run([id], async () => {
      await this.#spec(id)
      await this.#still(id, (live) => this.#options.store.seal(id, diskId, { live }))
    })
  }

  hasSealed(diskId: string): Promise<boolean> {
    return this.#options.store.hasSealed(diskIdSchema.parse(diskId))
  }

  removeSealed(diskId: string): Promise<void> {
    return this.#options.store.removeSealed(diskIdSchema.parse(diskId))
  }

  async destroy(id: string): Promise<void> {
    boxIdSchema.parse(id)
    await this.stop(id, { graceMs: 0 })
    await this.#locks.run([id], async () => {
      // A start that was already waiting may have come first.
      await this.stop(id, { graceMs: 0 })
      await this.#options.store.remove(id)
    })
  }

  async connect(id: string): Promise<Duplex> {
    return this.#reach(id, (socket) => socket.connect())
  }

  async dial(id: string, port: number): Promise<Duplex> {
    return this.#reach(id, (socket) => socket.dial(port))
  }

  async metrics(id: string): Promise<BoxMetrics> {
    const { process } = this.#running(id)
    const { store } = this.#options
    const usage = await process.usage()
    return { ...usage, diskBytes: await this.#diskUsage(id), diskLimitBytes: store.sizeOf?.(id) ?? null }
  }

  running(): readonly RunningBox[] {
    return [...this.#runs.values()].flatMap((run) => (run.running === null ? [] : [run.running]))
  }

  async log(id: string): Promise<string> {
    const run = this.#runs.get(id)
    if (run !== undefined) return run.console.text()
    await this.#spec(id)
    return ConsoleLog.read(this.#consoleFile(id))
  }

  onExit(listener: (exit: BoxExit) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async dispose(): Promise<void> {
    await this.#guard.close()
    await Promise.all([...this.#runs.keys()].map((id) => this.stop(id)))
    await this.#trees.close()
    await this.#options.trash.close()
  }

  /** A dev server that ended is started again inside the box, and whoever comes meanwhile waits for it. */
  async #reach<T>(id: string, open: (socket: DevServerSocket) => Promise<T>): Promise<T> {
    const { run } = this.#running(id)
    const deadline = Date.now() + AGAIN_DEADLINE_MS
    for (;;) {
      try {
        return await open(run.socket)
      } catch (error) {
        const isOver = this.#runs.get(id) !== run || run.stopRequested || run.paused
        if (!(error instanceof DevServerAway) || isOver || Date.now() > deadline) throw error
        await delay(READY_POLL_MS)
      }
    }
  }

  async #makeDisk(id: string, disk: DiskSource): Promise<void> {
    const { store } = this.#options
    if (disk.kind === 'folder') return store.createFromFolder(id, disk.path)
    if (disk.kind === 'sealed') return store.createFromSealed(id, disk.diskId)
    await this.#spec(disk.boxId)
    const process = this.#runs.get(disk.boxId)?.process ?? null
    const withMemory = disk.memory === true && process !== null
    if (withMemory && process.copyMemory === undefined)
      throw new BoxError('UNSUPPORTED', `the memory of ${disk.boxId} can not be copied by ${this.name}`)
    return this.#still(disk.boxId, async (live) => {
      // First: a machine whose memory has been copied writes nothing until it goes on, not even which layer it writes to.
      await store.createFromBox(id, disk.boxId, { live })
      if (withMemory && live) await process.copyMemory?.(path.join(this.#boxes, id))
    })
  }

  /** Does `work` while nothing writes to the disk of the box. */
  async #still(id: string, work: (live: boolean) => Promise<void>): Promise<void> {
    const run = this.#runs.get(id)
    if (!run?.running || run.process === null) return work(false)
    // An answer means that everything is on disk. Without one the copy is what a crash would leave, which the journal covers.
    if (!run.paused && !(await run.socket.flush(FLUSH_DEADLINE_MS))) {
      this.#options.log(`The dev server of ${id} did not confirm that everything is on disk before the copy.`)
    }
    if (run.paused) return work(true)
    await run.process.pause()
    try {
      await work(true)
    } finally {
      await run.process.unpause()
    }
  }

  async #boot(spec: BoxSpec, run: Run, options: StartOptions): Promise<RunningBox> {
    const { id } = spec
    const { sandbox, store } = this.#options
    options.onPhase('preparing-disk')
    const disk = await store.mount(id)
    const runFolder = this.#runFolder(id)
    await rm(runFolder, { recursive: true, force: true })
    await mkdir(runFolder, { mode: 0o700 })
    if (sandbox.diskOwner !== null) await chown(runFolder, sandbox.diskOwner.uid, sandbox.diskOwner.gid)

    options.onPhase('starting-sandbox')
    const process = await sandbox.launch({
      id,
      tier: spec.tier,
      folder: path.join(this.#boxes, id),
      disk,
      runFolder,
      egressSocket: options.egressSocket,
      mayGoOn: options.boot === 'FORK',
      env: {
        ...options.env,
        BOXYARD_BOX_ID: id,
        BOXYARD_EPOCH: String(options.epoch),
        BOXYARD_BOOT: options.boot,
      },
    })
    run.process = process
    for (const stream of process.console) run.console.attach(stream)
    if (run.stopRequested) process.kill()
    let ended: SandboxEnd | null = null
    void process.ended.then((end) => (ended = end))
    const failIfEnded = (): void => {
      if (ended !== null) throw endedEarly(ended, run.console)
    }
    await withDeadline(this.#deadlines.sandbox, 'starting-sandbox', process.started)
    failIfEnded()

    options.onPhase('starting-dev-server')
    const startedAt = new Date()
    const devServerDeadline = Date.now() + this.#deadlines.devServer
    while (!(await run.socket.answers())) {
      failIfEnded()
      if (Date.now() > devServerDeadline) {
        throw new BoxError('DEADLINE', `starting-dev-server\n${run.console.lastLines(10)}`)
      }
      await Promise.race([delay(READY_POLL_MS), process.ended])
    }
    failIfEnded()
    if (process.isCopy === true && !(await run.socket.adopt({ boxId: id, epoch: options.epoch }, FLUSH_DEADLINE_MS)))
      throw new BoxError('SANDBOX_FAILED', `the dev server of the copy ${id} did not take its new name`)
    return { id, epoch: options.epoch, startedAt, workspace: process.workspace, limits: process.limits }
  }

  async #watch(id: string, run: Run, process: SandboxProcess | null): Promise<void> {
    const end = await process?.ended
    run.console.close()
    this.#runs.delete(id)
    const killed = end !== undefined && (end.signal !== null || (end.code ?? 0) > 128)
    const byItself = end?.code === GIVEN_UP ? 'failed' : killed ? 'killed' : 'exited'
    const reason = run.stopRequested ? 'stopped' : byItself
    const exit: BoxExit = { id, epoch: run.epoch, reason, log: run.console.text() }
    for (const listener of this.#listeners) listener(exit)
  }

  async #end(run: Run, process: SandboxProcess, graceMs: number): Promise<void> {
    if (run.paused) await process.unpause()
    const giveUp = setTimeout(() => process.kill(), graceMs)
    await run.socket.flush(graceMs)
    await process.terminate()
    await process.ended
    clearTimeout(giveUp)
  }

  async #runningWithTheirDisk(): Promise<{ id: string; disk: number }[]> {
    const specs = await Promise.all(this.running().map(({ id }) => this.#readSpec(id)))
    return specs.flatMap((spec) => (spec === null ? [] : [{ id: spec.id, disk: spec.tier.disk }]))
  }

  /** The run folder is on the disk of the host too, and open to the box. */
  async #diskUsage(id: string): Promise<number> {
    return (await this.#options.store.usage(id)) + (await treeUsage(this.#runFolder(id)))
  }

  #endOverfull(id: string, bytes: number): void {
    const run = this.#runs.get(id)
    if (!run?.process) return
    const words = `its disk holds ${Math.ceil(bytes / BYTES_PER_MIB)} MiB, more than its size allows, and the disk of the host is nearly full`
    this.#options.log(`Box ${id} was ended: ${words}.`)
    run.console.append(
      Buffer.from(`\nBoxyard ended this box: ${words}. Remove files, or give the box a larger size.\n`),
    )
    run.process.kill()
  }

  #running(id: string): { run: Run; process: SandboxProcess } {
    const run = this.#runs.get(id)
    if (!run?.running || run.process === null) throw new BoxError('BOX_NOT_RUNNING', id)
    return { run, process: run.process }
  }

  async #spec(id: string): Promise<BoxSpec> {
    const spec = await this.#readSpec(id)
    if (spec === null) throw new BoxError('BOX_NOT_FOUND', id)
    return spec
  }

  async #readSpec(id: string): Promise<BoxSpec | null> {
    return boxIdSchema.safeParse(id).success ? readJson(this.#specFile(id), specSchema) : null
  }

  #specFile(id: string): string {
    return path.join(this.#boxes, id, 'box.json')
  }

  #consoleFile(id: string): string {
    return path.join(this.#boxes, id, 'console.log')
  }

  #runFolder(id: string): string {
    return path.join(this.#boxes, id, 'run')
  }
}

function sameSource(a: DiskSource, b: DiskSource): boolean {
  return JSON.stringify(diskSourceSchema.parse(a)) === JSON.stringify(diskSourceSchema.parse(b))
}

function endedEarly(end: SandboxEnd, console: ConsoleLog): BoxError {
  const lines = console.lastLines(10)
  if (/No space left on device/.test(lines) && !end.programRan) return new BoxError('DISK_FULL', lines)
  const how = end.signal === null ? `ended with ${end.code}` : `was ended by ${end.signal}`
  return new BoxError(end.programRan ? 'DEV_SERVER_FAILED' : 'SANDBOX_FAILED', `it ${how}\n${lines}`)
}
