import { randomBytes } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import type { Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { boxPaths } from '../boxContract.ts'
import type { BoxCgroup } from '../cgroup/boxCgroup.ts'
import type { CgroupHost } from '../cgroup/cgroupHost.ts'
import { deferred } from '../deferred.ts'
import { BYTES_PER_MIB } from '../driver.ts'
import type { Tier } from '../driver.ts'
import { BoxError } from '../errors.ts'
import { kept } from '../keeperScript.ts'
import { diskCommand } from '../runCommand.ts'
import { runEnvironment } from '../runEnvironment.ts'
import type { SandboxEnd, SandboxLaunch, SandboxProcess, SandboxUsage } from '../sandbox.ts'
import type { ImageStore } from './imageStore.ts'
import { InheritedMemory } from './inheritedMemory.ts'
import type { MachineKind, MachineSize } from './machineTemplates.ts'
import { QemuProcess } from './qemuProcess.ts'
import type { QemuOptions } from './qemuProcess.ts'
import { withDeadline } from '../withDeadline.ts'

export const GUEST_PROCESS_LIMIT = 1024
/** How long a guest may take for what it is asked. One that is busier than this is treated as one that has ended. */
const ANSWER_MS = 60_000
const USAGE_MS = 2_000

/** How long a guest may take to give memory back. */
const GIVE_BACK_MS = 30_000
/** What a guest must have left when it is made smaller, so that the next thing that runs finds room. */
const MARGIN_BYTES = 32 * BYTES_PER_MIB

const usageSchema = z.object({
  processes: z.number().int().nonnegative(),
  memoryUsed: z.number().int().nonnegative(),
})

/** Threads and processes of one QEMU. */
const QEMU_PROCESS_LIMIT = 256
/** What QEMU takes beside the memory of its guest, in MiB; where instructions are translated, 1024 of it for what they became. */
const QEMU_MEMORY_MIB = { kvm: 512, tcg: 1536 } as const
/** Besides the virtual processors there is one thread that does the rest. */
const QEMU_CORES = 1

export interface VmProcessOptions {
  launch: SandboxLaunch
  store: ImageStore
  user: QemuOptions['user']
  /** Null where QEMUs get no control groups. */
  cgroups: CgroupHost | null
  /** What the machine is made of. */
  kindOf: (tier: Tier) => Promise<MachineKind>
  /** The memory of a booted machine of this kind. */
  memoryOf: (kind: MachineKind) => Promise<string>
}

/** One run of a box in a machine of its own, over as many QEMUs as it sleeps in between. */
export class VmProcess implements SandboxProcess {
  readonly console: readonly Readable[]
  readonly workspace = boxPaths.workspace
  readonly limits = { cpu: true, memory: true, processes: true, disk: true }
  readonly started: Promise<void>
  readonly ended: Promise<SandboxEnd>
  readonly #options: VmProcessOptions
  readonly #folder: string
  readonly #console = new PassThrough()
  readonly #started = deferred<void>()
  readonly #ended = deferred<SandboxEnd>()
  readonly #server: net.Server
  #kind: MachineKind | null = null
  #qemu: QemuProcess | null = null
  #exit: SandboxEnd | null = null
  #state: 'starting' | 'running' | 'paused' | 'asleep' | 'over' = 'starting'
  #isCopy = false
  #size: MachineSize = { memoryMiB: 0, cpus: 1, present: 1 }
  #cgroup: BoxCgroup | null = null
  #killed = false
  #programRan = false
  /** Of the QEMUs before the sleeps. */
  #cpuUsecBefore = 0
  #processes = 1

  constructor(options: VmProcessOptions) {
    this.#options = options
    this.#folder = path.join(options.launch.folder, 'machine')
    this.console = [this.#console]
    this.started = this.#started.promise
    this.ended = this.#ended.promise
    this.#server = net.createServer({ allowHalfOpen: true }, (socket) => this.#connect(socket))
    void this.#start()
  }

  get isCopy(): boolean {
    return this.#isCopy
  }

  async terminate(): Promise<void> {
    // A guest that does not answer is killed by whoever waits for its end.
    await this.#qemu?.channel.call('terminate').catch(() => undefined)
  }

  kill(): void {
    this.#killed = true
    if (this.#qemu !== null) this.#qemu.kill()
    else if (this.#state === 'asleep') void this.#finish(null)
  }

  async pause(): Promise<void> {
    const qemu = this.#qemu
    if (this.#state !== 'running' || qemu === null) return
    await withDeadline(ANSWER_MS, 'writing to the disk', qemu.channel.call('sync'))
    try {
      // So that its memory may be copied: half a frame in a copy would be the end of it.
      await withDeadline(ANSWER_MS, 'pausing', qemu.channel.hold())
      await qemu.halt()
    } catch (error) {
      // A guest that can't be released either has ended; what came first is what is told.
      await qemu.channel.release().catch(() => undefined)
      throw error
    }
    this.#state = 'paused'
  }

  async unpause(): Promise<void> {
    if (this.#state === 'asleep') return this.#wake()
    if (this.#state !== 'paused' || this.#qemu === null) return
    await this.#qemu.go()
    this.#state = 'running'
    await withDeadline(ANSWER_MS, 'going on', this.#qemu.channel.release())
  }

  async copyMemory(folder: string): Promise<void> {
    const qemu = this.#qemu
    const kind = this.#kind
    if (kind === null) throw new BoxError('BOX_NOT_RUNNING', this.#options.launch.id)
    await new InheritedMemory(folder).give(kind, this.#size, async (file) => {
      if (this.#state === 'asleep') await diskCommand('cp', ['--reflink=auto', '--', this.#memory, file])
      else if (this.#state === 'paused' && qemu !== null) await qemu.saveMemory(file)
      else throw new BoxError('BOX_NOT_RUNNING', this.#options.launch.id)
    })
  }

  /** The memory goes to the disk of the host and the machine ends; `unpause` makes another one that goes on. */
  async hibernate(): Promise<void> {
    const qemu = this.#qemu
    if (this.#state !== 'running' || qemu === null) return
    this.#state = 'asleep'
    try {
      qemu.channel.cut()
      await withDeadline(ANSWER_MS, 'going to sleep', qemu.channel.call('sleep'))
      qemu.channel.hush()
      // Everything that was sent before has been taken when this is answered: what is under way would be lost in the middle of a frame.
      await withDeadline(ANSWER_MS, 'going to sleep', qemu.channel.call('still'))
      await qemu.halt()
      this.#cpuUsecBefore += (await qemu.usage()).cpuUsec
      await qemu.saveMemory(this.#memory)
      this.#qemu = null
      await qemu.quit()
    } catch (error) {
      // Its files are on disk; the run is over, or about to be.
      if (this.#qemu === null) await this.#finish(null)
      else qemu.kill()
      throw error
    }
    this.#options.store.attach(this.#options.launch.id, null)
    if (this.#killed) await this.#finish(null)
  }

  async usage(): Promise<SandboxUsage> {
    const qemu = this.#qemu
    if (qemu !== null && this.#state === 'running') {
      const asked = withDeadline(USAGE_MS, 'usage', qemu.channel.call('usage'))
      // A busy guest is not worth waiting for: the last figure is good enough.
      this.#processes = await asked.then((answer) => usageSchema.parse(answer).processes).catch(() => this.#processes)
    }
    const { cpuUsec, memoryBytes } = qemu === null ? { cpuUsec: 0, memoryBytes: 0 } : await qemu.usage()
    return {
      cpuUsec: this.#cpuUsecBefore + cpuUsec,
      memoryBytes,
      memoryLimitBytes: this.#size.memoryMiB * BYTES_PER_MIB,
      processes: this.#processes,
    }
  }

  /** At once, in disk, memory and processors, unless more memory is used than would be left or the machine has no room for so much. */
  async resize(tier: Tier): Promise<boolean> {
    const qemu = this.#qemu
    const made = this.#kind
    if (this.#state !== 'running' || qemu === null || made === null) return false
    await this.#growDisk(qemu, tier.disk)
    const { memoryMiB, cpus } = await this.#options.kindOf(tier)
    if (memoryMiB > made.memoryMiB + made.moreMiB || cpus > made.mostCpus) return false
    const before = this.#size
    if (memoryMiB < before.memoryMiB) {
      const { memoryUsed } = usageSchema.parse(await withDeadline(ANSWER_MS, 'usage', qemu.channel.call('usage')))
      if (memoryUsed + MARGIN_BYTES > memoryMiB * BYTES_PER_MIB) return false
    }
    // QEMU is held to the larger of both sizes while it changes.
    await this.#hold(made, { cpus: Math.max(cpus, before.cpus), memoryMiB: Math.max(memoryMiB, before.memoryMiB) })
    const hasMemory = memoryMiB === before.memoryMiB || (await this.#changeMemory(qemu, made, memoryMiB))
    if (hasMemory) await this.#changeProcessors(qemu, made, cpus)
    await this.#hold(made, this.#size)
    return hasMemory
  }

  /** What the machine booted with is changed by the balloon, what goes beyond it is put in and taken out. */
  async #changeMemory(qemu: QemuProcess, made: MachineKind, memoryMiB: number): Promise<boolean> {
    const before = this.#size.memoryMiB
    const beyond = (size: number): number => Math.max(0, size - made.memoryMiB)
    const within = (size: number): number => Math.min(size, made.memoryMiB) * BYTES_PER_MIB
    const isMoved = beyond(memoryMiB) !== beyond(before)
    if (isMoved && !(await qemu.giveMemory(beyond(memoryMiB), GIVE_BACK_MS))) return false
    if (within(memoryMiB) !== within(before) && !(await qemu.leaveMemory(within(memoryMiB), GIVE_BACK_MS))) {
      if (isMoved) await qemu.giveMemory(beyond(before), GIVE_BACK_MS)
      return false
    }
    this.#size = { ...this.#size, memoryMiB }
    return true
  }

  async #changeProcessors(qemu: QemuProcess, made: MachineKind, cpus: number): Promise<void> {
    for (let number = this.#size.present; number < cpus; number += 1) {
      await qemu.addProcessor(made.accelerator, number)
      this.#size = { ...this.#size, present: number + 1 }
    }
    await withDeadline(ANSWER_MS, 'changing size', qemu.channel.call('processors', { count: cpus }))
    this.#size = { ...this.#size, cpus }
  }

  async #growDisk(qemu: QemuProcess, mebibytes: number): Promise<void> {
    const { launch, store } = this.#options
    await store.grow(launch.id, mebibytes * BYTES_PER_MIB)
    const { bytes: diskBytes } = store.chain(launch.id)
    await withDeadline(ANSWER_MS, 'growing the disk', qemu.channel.call('grow', { diskBytes }))
  }

  get #memory(): string {
    return path.join(this.#folder, 'memory')
  }

  async #start(): Promise<void> {
    const { launch, kindOf } = this.#options
    try {
      await rm(this.#folder, { recursive: true, force: true })
      await mkdir(this.#folder, { mode: 0o700 })
      await this.#listen()
      const kind = await kindOf(launch.tier)
      if (!(await this.#goOnAsCopy(kind))) await this.#startAnew(kind)
      this.#programRan = true
      if (this.#state === 'starting') this.#state = 'running'
      this.#started.resolve()
    } catch (error) {
      if (!this.#killed) this.#console.write(`${error instanceof Error ? error.message : String(error)}\n`)
      if (this.#qemu === null) await this.#finish(null)
      else this.#qemu.kill()
    }
  }

  async #startAnew(kind: MachineKind): Promise<void> {
    const { launch, store, memoryOf } = this.#options
    await store.grow(launch.id, launch.tier.disk * BYTES_PER_MIB)
    const memory = await memoryOf(kind)
    this.#kind = kind
    this.#size = { memoryMiB: kind.memoryMiB, cpus: kind.cpus, present: kind.cpus }
    const qemu = await this.#open(kind, memory)
    const { bytes } = store.chain(launch.id)
    // The copied guest remembers the size that the disk of its origin had.
    await qemu.growTo(bytes)
    await qemu.channel.call('configure', {
      ...freshness(),
      ...this.#names(),
      diskBytes: bytes,
      egress: launch.egressSocket !== null,
      processes: GUEST_PROCESS_LIMIT,
      program: kept([boxPaths.node, boxPaths.devServer], true),
      env: runEnvironment(launch, '/usr/bin/zsh'),
    })
  }

  /** Goes on with the processes of the box that this one was forked from. False where there is nothing to go on from. */
  async #goOnAsCopy(wanted: MachineKind): Promise<boolean> {
    const { launch } = this.#options
    const found = await new InheritedMemory(launch.folder).take(launch.mayGoOn ? wanted : null, this.#memory)
    if (found === null) return false
    const { kind, size } = found
    this.#kind = kind
    this.#size = size
    const qemu = await this.#open(kind, this.#memory)
    await rm(this.#memory, { force: true })
    await withDeadline(ANSWER_MS, 'going on', qemu.channel.call('adopt', { ...freshness(), ...this.#names() }))
    await this.#growDisk(qemu, launch.tier.disk)
    this.#isCopy = true
    return true
  }

  #names(): { hostname: string; machineId: string } {
    return { hostname: this.#options.launch.id, machineId: randomBytes(16).toString('hex') }
  }

  /** A machine that goes on from `memory`. */
  async #open(kind: MachineKind, memory: string): Promise<QemuProcess> {
    const { launch, store, user } = this.#options
    if (this.#killed) throw new BoxError('SANDBOX_FAILED', 'it was ended before it ran')
    const cgroup = await this.#makeCgroup(kind)
    this.#cgroup = cgroup
    const qemu = await QemuProcess.start({
      ...kind,
      present: this.#size.present,
      cgroup,
      disk: store.chain(launch.id),
      folder: this.#folder,
      user,
      memory,
      onEgress: (connection) => this.#toEgress(connection),
    })
    this.#qemu = qemu
    for (const stream of [qemu.console, qemu.channel.log]) stream.pipe(this.#console, { end: false })
    store.attach(launch.id, qemu)
    void qemu.channel.exited.then((exit) => {
      this.#exit = { ...exit, programRan: true }
      return qemu.quit()
    })
    void qemu.ended.then(() => (this.#qemu === qemu ? this.#finish(this.#exit) : undefined))
    if (this.#killed) qemu.kill()
    await qemu.go()
    return qemu
  }

  /** Holds QEMU itself, whatever a guest makes of it: the guest is held by what its machine has. */
  async #makeCgroup(kind: MachineKind): Promise<BoxCgroup | null> {
    const { launch, cgroups } = this.#options
    try {
      const tier = { ...launch.tier, ...limitsOf(kind, this.#size) }
      return (await cgroups?.create(launch.id, tier, QEMU_PROCESS_LIMIT)) ?? null
    } catch (error) {
      throw new BoxError('SANDBOX_FAILED', 'its limits could not be set', { cause: error })
    }
  }

  async #hold(kind: MachineKind, size: Pick<MachineSize, 'cpus' | 'memoryMiB'>): Promise<void> {
    const { cpu, memory } = limitsOf(kind, size)
    await this.#cgroup?.resize(cpu, memory * BYTES_PER_MIB)
  }

  async #wake(): Promise<void> {
    const { launch, store } = this.#options
    const kind = this.#kind
    if (kind === null) throw new BoxError('BOX_NOT_RUNNING', launch.id)
    try {
      const qemu = await this.#open(kind, this.#memory)
      await withDeadline(ANSWER_MS, 'waking', qemu.channel.call('wake', freshness()))
      this.#state = 'running'
      await rm(this.#memory, { force: true })
    } catch (error) {
      // What does not wake is over; its files are good.
      this.#killed = true
      if (this.#qemu === null) await this.#finish(null)
      else this.#qemu.kill()
      store.attach(launch.id, null)
      throw error
    }
  }

  /** `end` is what the guest said about the end of its dev server, or null when it did not. */
  async #finish(end: SandboxEnd | null): Promise<void> {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#qemu = null
    this.#options.store.attach(this.#options.launch.id, null)
    this.#server.close()
    await rm(this.#folder, { recursive: true, force: true })
    this.#ended.resolve(end ?? { code: null, signal: 'SIGKILL', programRan: this.#programRan })
    this.#started.resolve()
  }

  /** The dev server's socket, as it is on the host. */
  async #listen(): Promise<void> {
    // Through the handle the length of the path does not matter; socket addresses hold only 107 bytes. It stays open as long as the
    // server, which removes the socket by the same name.
    const folder = await open(this.#options.launch.runFolder, 'r')
    this.#server.once('close', () => void folder.close())
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(`/proc/self/fd/${folder.fd}/dev-server.sock`, resolve)
    })
  }

  #connect(socket: net.Socket): void {
    const qemu = this.#qemu
    if (qemu === null || this.#state === 'asleep') {
      socket.destroy()
      return
    }
    carry(socket, qemu.channel.open())
  }

  #toEgress(connection: Duplex): void {
    const { egressSocket } = this.#options.launch
    if (egressSocket === null) {
      connection.destroy()
      return
    }
    carry(net.connect({ path: egressSocket, allowHalfOpen: true }), connection)
  }
}

/** What QEMU may take for a machine of such a size. */
function limitsOf(
  { accelerator }: MachineKind,
  { cpus, memoryMiB }: Pick<MachineSize, 'cpus' | 'memoryMiB'>,
): Pick<Tier, 'cpu' | 'memory'> {
  return { cpu: cpus + QEMU_CORES, memory: memoryMiB + QEMU_MEMORY_MIB[accelerator.kind] }
}

function carry(a: Duplex, b: Duplex): void {
  // Either may end at any moment; the end of one is the end of the other.
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    pipeline(from, to).catch(() => {
      from.destroy()
      to.destroy()
    })
  }
}

/** What every copy of a machine is given before anything in it goes on. */
function freshness(): { entropy: string; time: number } {
  return { entropy: randomBytes(64).toString('base64'), time: Date.now() / 1000 }
}
