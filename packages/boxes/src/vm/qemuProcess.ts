import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { chmod, mkdir, open, readFile, readdir, rm } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { Duplex, PassThrough } from 'node:stream'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { LAUNCH_SCRIPT, inMountNamespace, launchArguments } from '../bwrap/launchScript.ts'
import { STAGE, hostSystem } from '../bwrap/rootFileSystem.ts'
import type { BoxCgroup } from '../cgroup/boxCgroup.ts'
import { deferred } from '../deferred.ts'
import type { DiskOwner } from '../disk/workspaceStore.ts'
import { isMissing } from '../durableFile.ts'
import { BoxError } from '../errors.ts'
import { processTree } from '../processTree.ts'
import { hostPath } from '../runCommand.ts'
import type { Accelerator } from './accelerator.ts'
import { GuestChannel } from './guestChannel.ts'
import type { GuestImage } from './guestImage.ts'
import type { ImageChain } from './imageStore.ts'
import { QmpClient } from './qmpClient.ts'

export const QEMU = 'qemu-system-x86_64'
/** Changes with the arguments below: a saved memory fits only a machine that is made in the same way. */
export const MACHINE_VERSION = 2

// The extra descriptors of QEMU. They are connected already, so there is nothing in the file system that anyone could open.
const QMP_FD = 3
const PORT_FD = 4
const MEMORY_FD = 5

/** Layers name those below them relative to their own folder, so they lie here as they lie on the host. */
const LAYERS = '/vm/layers'
/** Steps in which a guest is given memory. */
const MORE_STEP_MIB = 4
const bytesSchema = z.number().int().nonnegative()
const balloonSchema = z.object({ actual: z.number() })
const statusSchema = z.object({ status: z.string() })
const migrationSchema = z.object({ status: z.string().optional(), 'error-desc': z.string().optional() })

export interface QemuOptions {
  accelerator: Accelerator
  image: GuestImage
  /** Image with the dev server, read-only. */
  devServer: string
  disk: ImageChain
  memoryMiB: number
  cpus: number
  moreMiB: number
  mostCpus: number
  /** Processors that it has by now, those that it boots with among them. */
  present: number
  /** Private folder of the machine on the host. */
  folder: string
  /** The user that QEMU runs as, or null for that of the server. */
  user: DiskOwner | null
  /** Its control groups, which go with it, or null. */
  cgroup: BoxCgroup | null
  /** File with the memory to go on from, or null to boot. */
  memory: string | null
  onEgress: (connection: Duplex) => void
}

/**
 * One QEMU in a sandbox of its own: without network, other processes, or files other than those of its machine. It ends with the server.
 * A guest that takes QEMU over gains an unprivileged user in an empty namespace.
 */
export class QemuProcess {
  readonly channel: GuestChannel
  readonly qmp: QmpClient
  /** Console of the kernel and what QEMU says. */
  readonly console: Readable
  /** Nothing of it is left. */
  readonly ended: Promise<void>
  readonly #child: ChildProcess
  /** What QEMU shares with the server besides its descriptors. */
  readonly #meeting: string
  #pid: number | null = null

  private constructor(child: ChildProcess, meeting: string, { cgroup, onEgress }: QemuOptions) {
    this.#child = child
    this.#meeting = meeting
    // Kept until somebody reads it: QEMU says what it does not like before anyone knows that it runs.
    const said = new PassThrough()
    for (const stream of [child.stdout, child.stderr]) stream?.pipe(said, { end: false })
    this.console = said
    this.qmp = new QmpClient(descriptor(child, QMP_FD))
    this.channel = new GuestChannel(descriptor(child, PORT_FD), onEgress)
    const ended = deferred<void>()
    this.ended = ended.promise
    const end = (): void => {
      // Whoever reads it is told that nothing comes any more, and lets go of it.
      said.end()
      // What can't be removed now is removed when the next server starts.
      void (cgroup?.remove() ?? Promise.resolve()).then(ended.resolve, ended.resolve)
    }
    child.once('error', end)
    // Its descriptors are closed when the last process that had them has ended.
    child.once('close', end)
  }

  /** Resolves when QEMU speaks; the machine stands still until `go`. */
  static async start(options: QemuOptions): Promise<QemuProcess> {
    const stage = path.join(options.folder, 'stage')
    const meeting = path.join(options.folder, 'meeting')
    await mkdir(stage, { recursive: true, mode: 0o700 })
    await mkdir(meeting, { recursive: true, mode: 0o711 })
    const memory = options.memory === null ? null : await open(options.memory, 'r')
    try {
      const { disk, image } = options
      const plan = {
        stage,
        disk: { kind: 'folder', path: disk.folder } as const,
        sources: [
          ['kernel', image.kernel] as const,
          ['initrd', image.initrd] as const,
          ['root', image.root] as const,
          ['dev-server', options.devServer] as const,
          ['meeting', meeting] as const,
          ...disk.shared.map((name, index) => [`layer-${index}`, path.join(path.dirname(disk.folder), name)] as const),
        ],
        groups: options.cgroup?.enterFiles ?? [],
        command: [
          ...becomeUser(options.user, options.accelerator.group),
          'bwrap',
          ...(await sandboxArguments(options)),
          '--',
          QEMU,
          ...machineArguments(options),
        ],
      }
      const [command, args] = inMountNamespace(options.user !== null, LAUNCH_SCRIPT, await launchArguments(plan))
      const child = spawn(command, args, {
        cwd: '/',
        env: { PATH: hostPath(), LC_ALL: 'C' },
        stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe', memory?.fd ?? 'ignore'],
        // A session of its own: Ctrl-C in the server's terminal lets the server stop its boxes in order.
        detached: true,
      })
      const qemu = new QemuProcess(child, meeting, options)
      try {
        await qemu.qmp.open()
        if (memory !== null) await qemu.#loaded()
        return qemu
      } catch (error) {
        qemu.kill()
        await qemu.ended
        throw new BoxError('SANDBOX_FAILED', `QEMU ended at once: ${String(qemu.console.read() ?? '').trim()}`, {
          cause: error,
        })
      }
    } finally {
      await memory?.close()
    }
  }

  async go(): Promise<void> {
    await this.qmp.execute('cont')
  }

  async halt(): Promise<void> {
    await this.qmp.execute('stop')
  }

  /** Writes the memory of a halted machine to `file`. It can go on afterwards. */
  async saveMemory(file: string): Promise<void> {
    const socket = path.join(this.#meeting, 'memory.sock')
    await rm(socket, { force: true })
    const arrived = deferred<void>()
    arrived.promise.catch(() => undefined)
    // Through the handle the length of the path does not matter; socket addresses hold only 107 bytes.
    const folder = await open(this.#meeting, 'r')
    const target = await open(file, 'w', 0o600).catch(async (error: unknown) => {
      await folder.close()
      throw error
    })
    // Its bytes do not pass through this process, which has others to serve: the connection is the input of a program that copies it.
    const server = net.createServer({ pauseOnConnect: true }, (connection) => {
      const copy = spawn('cat', [], { stdio: [connection, target.fd, 'ignore'], env: { PATH: hostPath() } })
      copy.once('error', arrived.reject)
      copy.once('close', (code) => {
        connection.destroy()
        if (code === 0) arrived.resolve()
        else arrived.reject(new BoxError('DISK_FAILED', `the memory could not be written: cat ended with ${code}`))
      })
    })
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(`/proc/self/fd/${folder.fd}/memory.sock`, resolve)
      })
      await chmod(socket, 0o666)
      await this.qmp.execute('migrate-set-parameters', { 'max-bandwidth': 2 ** 40 })
      await this.qmp.execute('migrate', { uri: 'unix:/vm/meeting/memory.sock' })
      for (;;) {
        const state = migrationSchema.parse(await this.qmp.execute('query-migrate'))
        if (state.status === 'completed') break
        if (state.status === 'failed' || state.status === 'cancelled') {
          throw new BoxError('SANDBOX_FAILED', `the memory could not be saved: ${state['error-desc'] ?? state.status}`)
        }
        await delay(5)
      }
      await arrived.promise
    } finally {
      // Removes the socket by the name it was given, so before the handle goes.
      server.close()
      await folder.close()
      await target.close()
    }
  }

  /** Writes to another layer from now on, whose lower one is the one that was written so far. */
  async writeTo(layer: string): Promise<void> {
    const file = `${LAYERS}/${layer}`
    await this.qmp.execute('blockdev-snapshot-sync', {
      device: 'disk',
      'snapshot-file': file,
      format: 'qcow2',
      mode: 'existing',
    })
  }

  /** The guest has to be told, too. */
  async growTo(bytes: number): Promise<void> {
    await this.qmp.execute('block_resize', { device: 'disk', size: bytes })
  }

  /**
   * Leaves the guest so much of its memory, and takes the rest from it. False when the guest does not give that much in time; it then has what
   * it had.
   */
  async leaveMemory(bytes: number, deadlineMs: number): Promise<boolean> {
    const actual = async (): Promise<number> => balloonSchema.parse(await this.qmp.execute('query-balloon')).actual
    const before = await actual()
    await this.qmp.execute('balloon', { value: bytes })
    const deadline = Date.now() + deadlineMs
    while ((await actual()) !== bytes) {
      if (Date.now() > deadline) {
        await this.qmp.execute('balloon', { value: before })
        return false
      }
      await delay(20)
    }
    return true
  }

  /** Puts a processor into the machine, which it keeps. The guest has to put it to work. */
  async addProcessor(accelerator: Accelerator, number: number): Promise<void> {
    await this.qmp.execute('device_add', { driver: processorOf(accelerator), ...processorPlace(number) })
  }

  /**
   * Gives the guest so much memory beyond what it booted with, or takes that back. False when the guest does not follow in time; it then
   * has what it had.
   */
  async giveMemory(mebibytes: number, deadlineMs: number): Promise<boolean> {
    const path = '/machine/peripheral/more'
    const size = async (): Promise<number> =>
      bytesSchema.parse(await this.qmp.execute('qom-get', { path, property: 'size' }))
    const ask = (value: number): Promise<unknown> =>
      this.qmp.execute('qom-set', { path, property: 'requested-size', value })
    const before = await size()
    const wanted = Math.ceil(mebibytes / MORE_STEP_MIB) * MORE_STEP_MIB * 1024 * 1024
    await ask(wanted)
    const deadline = Date.now() + deadlineMs
    while ((await size()) !== wanted) {
      if (Date.now() > deadline) {
        await ask(before)
        return false
      }
      await delay(20)
    }
    return true
  }

  /** Ends QEMU in order: what is on its way to the disk is written. */
  async quit(): Promise<void> {
    await this.qmp.execute('quit').catch(() => undefined)
    await this.ended
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  /** Processor time of the virtual processors in microseconds, and the resident memory of QEMU. */
  async usage(): Promise<{ cpuUsec: number; memoryBytes: number }> {
    this.#pid ??= await this.#findPid()
    if (this.#pid === null) return { cpuUsec: 0, memoryBytes: 0 }
    const tasks = `/proc/${this.#pid}/task`
    try {
      let ticks = 0
      for (const task of await readdir(tasks)) {
        const text = await readFile(`${tasks}/${task}/stat`, 'utf8')
        const end = text.lastIndexOf(')')
        // The threads of virtual processors are named so; the others work also for a machine that stands still.
        if (!text.slice(text.indexOf('(') + 1, end).startsWith('CPU ')) continue
        const fields = text.slice(end + 2).split(' ')
        ticks += Number(fields[11]) + Number(fields[12])
      }
      const pages = Number((await readFile(`/proc/${this.#pid}/statm`, 'utf8')).split(' ')[1])
      return { cpuUsec: ticks * 10_000, memoryBytes: pages * 4096 }
    } catch (error) {
      // It has ended meanwhile.
      if (isMissing(error) || (error instanceof Error && 'code' in error && error.code === 'ESRCH')) {
        return { cpuUsec: 0, memoryBytes: 0 }
      }
      throw error
    }
  }

  async #findPid(): Promise<number | null> {
    if (this.#child.pid === undefined) return null
    for (const { pid } of await processTree(this.#child.pid)) {
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
      if (name.startsWith('qemu-system')) return pid
    }
    return null
  }

  /** Resolves when the memory is there and the machine stands where it was halted. */
  async #loaded(): Promise<void> {
    for (;;) {
      const { status } = statusSchema.parse(await this.qmp.execute('query-status'))
      if (status !== 'inmigrate') return
      await delay(5)
    }
  }
}

function descriptor(child: ChildProcess, number: number): Duplex {
  const stream = (child.stdio as readonly unknown[])[number]
  if (!(stream instanceof Duplex)) throw new TypeError(`descriptor ${number} is not a socket`)
  return stream
}

async function sandboxArguments({ disk, accelerator }: QemuOptions): Promise<string[]> {
  return [
    ['--unshare-all', '--die-with-parent', '--new-session', '--clearenv', '--setenv', 'PATH', '/usr/bin:/bin'],
    ['--uid', '1000', '--gid', '1000', '--cap-drop', 'ALL', '--hostname', 'machine'],
    await hostSystem(),
    ['--proc', '/proc', '--dev', '/dev', '--size', '1048576', '--tmpfs', '/tmp'],
    accelerator.devices.flatMap((device) => ['--dev-bind', device, device]),
    ['kernel', 'initrd', 'root', 'dev-server', 'meeting'].flatMap((name) => [
      '--ro-bind',
      `${STAGE}/${name}`,
      `/vm/${name}`,
    ]),
    ['--bind', `${STAGE}/disk`, `${LAYERS}/${path.basename(disk.folder)}`],
    disk.shared.flatMap((name, index) => ['--ro-bind', `${STAGE}/layer-${index}`, `${LAYERS}/${name}`]),
    ['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', '/tmp'],
  ].flat()
}

/** As QEMU calls the processor of `-cpu`. */
function processorOf(accelerator: Accelerator): string {
  return `${accelerator.cpu}-x86_64-cpu`
}

function processorPlace(number: number): Record<string, string | number> {
  return { id: `cpu-${number}`, 'socket-id': number, 'die-id': 0, 'core-id': 0, 'thread-id': 0 }
}

function machineArguments(options: QemuOptions): string[] {
  const { accelerator, disk, memoryMiB, cpus, moreMiB, mostCpus, present, memory } = options
  const added = (number: number): string =>
    [processorOf(accelerator), ...Object.entries(processorPlace(number)).map((pair) => pair.join('='))].join(',')
  const drive = (id: string, file: string, format: string, rest = ''): string[] => [
    '-drive',
    `if=none,id=${id},file=${file},format=${format},cache=writeback${rest}`,
    '-device',
    `virtio-blk-pci,id=${id}-device,drive=${id}`,
  ]
  return [
    ['-name', 'box,debug-threads=on', '-no-user-config', '-nodefaults', '-display', 'none', '-no-reboot', '-S'],
    ['-sandbox', 'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny'],
    ['-machine', 'q35,usb=off,vmport=off', '-accel', accelerator.argument, '-cpu', accelerator.cpu],
    ['-m', `${memoryMiB}M,slots=1,maxmem=${memoryMiB + moreMiB}M`],
    ['-smp', `cpus=${cpus},maxcpus=${mostCpus},sockets=${mostCpus},cores=1,threads=1`],
    // Whoever goes on from a memory has all that the machine was given since it booted.
    Array.from({ length: present - cpus }, (_, index) => ['-device', added(cpus + index)]).flat(),
    ['-kernel', '/vm/kernel', '-initrd', '/vm/initrd'],
    ['-append', 'console=ttyS0 quiet loglevel=3 panic=-1 reboot=t memhp_default_state=online_movable'],
    ['-chardev', 'stdio,id=console,signal=off', '-serial', 'chardev:console'],
    ['-chardev', `socket,id=qmp,fd=${QMP_FD}`, '-mon', 'chardev=qmp,mode=control'],
    drive('root', '/vm/root', 'raw', ',readonly=on'),
    drive('dev-server', '/vm/dev-server', 'raw', ',readonly=on'),
    drive('disk', `${LAYERS}/${disk.top}`, 'qcow2', ',discard=unmap'),
    ['-device', 'virtio-serial-pci', '-chardev', `socket,id=port,fd=${PORT_FD}`],
    ['-device', 'virtserialport,chardev=port,name=boxyard'],
    ['-device', 'virtio-balloon-pci,id=balloon'],
    // Takes no memory of the host before the guest is given it.
    ['-object', `memory-backend-ram,id=more,size=${moreMiB}M,reserve=off`],
    ['-device', 'virtio-mem-pci,id=more,memdev=more,requested-size=0'],
    memory === null ? [] : ['-incoming', `fd:${MEMORY_FD}`],
  ].flat()
}

/** `group` may open the accelerator. */
function becomeUser(user: DiskOwner | null, group: number | null): string[] {
  if (user === null) return []
  const groups = group === null ? '--clear-groups' : `--groups=${group}`
  return ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, groups, '--inh-caps=-all', '--']
}
