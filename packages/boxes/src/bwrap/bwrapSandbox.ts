import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { chown, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { boxPaths, boxUser } from '../boxContract.ts'
import type { BoxCgroup } from '../cgroup/boxCgroup.ts'
import type { CgroupHost } from '../cgroup/cgroupHost.ts'
import { deferred } from '../deferred.ts'
import type { DiskOwner } from '../disk/workspaceStore.ts'
import type { DriverProbe, RunningBox, Tier } from '../driver.ts'
import { BoxError } from '../errors.ts'
import { kept } from '../keeperScript.ts'
import { continueTree, isAlive, processTree, signal, stopTree } from '../processTree.ts'
import { hostPath } from '../runCommand.ts'
import { runEnvironment } from '../runEnvironment.ts'
import type { Sandbox, SandboxEnd, SandboxLaunch, SandboxProcess, SandboxUsage } from '../sandbox.ts'
import { DevServerUpdates } from './devServerUpdates.ts'
import { LAUNCH_SCRIPT, inMountNamespace, launchArguments } from './launchScript.ts'
import { probeBwrap } from './probeBwrap.ts'
import { STAGE, hostSystem, loginShell, nodeInstallation, writeOwnEtc } from './rootFileSystem.ts'
import { seccompFilter } from './seccomp.ts'

/**
 * The user on the host that boxes run as when the server is root: one of a range that no distribution gives to people or services,
 * so nothing on the host belongs to it but the disks of boxes.
 */
export const BOX_HOST_USER: DiskOwner = { uid: 61_000, gid: 61_000 }

/** Threads and processes of one box. */
export const PROCESS_LIMIT = 1024
const TMP_BYTES = 1024 ** 3
const SHM_BYTES = 256 * 1024 ** 2

// The extra descriptors of bubblewrap.
const SECCOMP_FD = 3
const ARGS_FD = 4
const STATUS_FD = 5

export interface BwrapSandboxOptions {
  /** The folder that holds main.js of the dev server. */
  devServer: string
  /** The folder for what comes in place of it while boxes run. */
  updates: string
  /** The folder with programs that all boxes share. */
  shared: string
  /** The node program of the host that boxes use too. */
  node: string
  /** True when the server runs as root. */
  root: boolean
  /** Null when boxes get no control groups. */
  cgroups: CgroupHost | null
}

/** Boxes as bubblewrap sandboxes: namespaces of their own, no capabilities, a system call filter, the host's system read-only. */
export class BwrapSandbox implements Sandbox {
  readonly name = 'bwrap'
  readonly diskOwner: DiskOwner | null
  readonly #options: BwrapSandboxOptions
  readonly #updates: DevServerUpdates

  constructor(options: BwrapSandboxOptions) {
    this.#options = options
    this.#updates = new DevServerUpdates(options.devServer, options.updates)
    this.diskOwner = options.root ? BOX_HOST_USER : null
  }

  probe(): Promise<DriverProbe> {
    return probeBwrap(this.#options)
  }

  async publishDevServer(): Promise<string> {
    return path.posix.join(boxPaths.updates, await this.#updates.publish(), path.basename(boxPaths.devServer))
  }

  async open(): Promise<void> {
    await this.#updates.open()
    await mkdir(this.#options.shared, { recursive: true, mode: 0o755 })
    await this.#options.cgroups?.removeStale()
  }

  async launch(launch: SandboxLaunch): Promise<SandboxProcess> {
    const stage = path.join(launch.folder, 'stage')
    const etc = path.join(launch.folder, 'etc')
    await mkdir(stage, { recursive: true, mode: 0o700 })
    const shell = await loginShell()
    const etcFiles = await writeOwnEtc(etc, launch.id, shell)
    const node = await nodeInstallation(this.#options.node)
    const cgroup = await this.#makeCgroup(launch)

    const { disk } = launch
    const sources: [string, string][] = [
      ['run', launch.runFolder],
      ['etc', etc],
      ['dev-server', this.#options.devServer],
      ['updates', this.#updates.folder],
      ['shared', this.#options.shared],
      ['node', node.source],
    ]
    if (launch.egressSocket !== null) {
      sources.push(['egress', launch.egressSocket])
      // Connecting needs the right to write.
      if (this.diskOwner !== null) await chown(launch.egressSocket, this.diskOwner.uid, this.diskOwner.gid)
    }
    const asUser = this.diskOwner === null ? [] : becomeUser(this.diskOwner)
    const plan = {
      stage,
      disk,
      sources,
      groups: cgroup?.enterFiles ?? [],
      command: [
        ...asUser,
        'bwrap',
        '--args',
        String(ARGS_FD),
        '--',
        ...(cgroup?.limits.processes ? [] : limitedByPrlimit()),
        ...kept([boxPaths.node, boxPaths.devServer], true),
      ],
    }
    const [command, args] = inMountNamespace(this.#options.root, LAUNCH_SCRIPT, await launchArguments(plan))
    const child = spawn(command, args, {
      cwd: '/',
      // Nothing of the server's environment reaches the launcher or the box.
      env: { PATH: hostPath(), LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
      // A session of its own: Ctrl-C in the server's terminal lets the server stop its boxes in order.
      detached: true,
    })
    feed(child, SECCOMP_FD, seccompFilter(process.arch))
    // Through a descriptor, since the command line of a process can be read by every user of the host.
    feed(
      child,
      ARGS_FD,
      nullSeparated([
        ...(await hostSystem()),
        ...this.#arguments(launch, node.target, etcFiles),
        ...environment(launch, shell),
      ]),
    )
    return new BwrapProcess(child, cgroup, this.#options.root)
  }

  async #makeCgroup({ id, tier }: SandboxLaunch): Promise<BoxCgroup | null> {
    try {
      return (await this.#options.cgroups?.create(id, tier, PROCESS_LIMIT)) ?? null
    } catch (error) {
      throw new BoxError('SANDBOX_FAILED', 'its limits could not be set', { cause: error })
    }
  }

  #arguments(launch: SandboxLaunch, nodeTarget: string, etcFiles: readonly string[]): string[] {
    const { uid, gid } = boxUser
    return [
      ['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session'],
      ['--uid', String(uid), '--gid', String(gid), '--cap-drop', 'ALL', '--hostname', launch.id],
      ['--seccomp', String(SECCOMP_FD), '--json-status-fd', String(STATUS_FD)],
      ['--proc', '/proc', '--dev', '/dev'],
      tmpfs('/dev/shm', SHM_BYTES),
      tmpfs('/tmp', TMP_BYTES),
      tmpfs('/var/tmp', TMP_BYTES),
      etcFiles.flatMap((file) => ['--ro-bind', `${STAGE}/etc/${file}`, `/etc/${file}`]),
      ['--ro-bind', `${STAGE}/node`, nodeTarget],
      ['--ro-bind', `${STAGE}/dev-server`, path.dirname(boxPaths.devServer)],
      ['--ro-bind', `${STAGE}/updates`, boxPaths.updates],
      ['--ro-bind', `${STAGE}/shared`, boxPaths.shared],
      ['--bind', `${STAGE}/disk/workspace`, boxPaths.workspace],
      ['--bind', `${STAGE}/disk/home`, boxPaths.home],
      ['--bind', `${STAGE}/disk/state`, boxPaths.state],
      ['--bind', `${STAGE}/run`, boxPaths.run],
      launch.egressSocket === null ? [] : ['--bind', `${STAGE}/egress`, boxPaths.egressSocket],
      // Only the folders above are for writing; what is written to the others would be memory of the host.
      ['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', boxPaths.workspace],
    ].flat()
  }
}

function environment(launch: SandboxLaunch, shell: string): string[] {
  const variables = Object.entries(runEnvironment(launch, shell))
  return ['--clearenv', ...variables.flatMap(([name, value]) => ['--setenv', name, value])]
}

function tmpfs(folder: string, bytes: number): string[] {
  return ['--perms', '1777', '--size', String(bytes), '--tmpfs', folder]
}

function becomeUser({ uid, gid }: DiskOwner): string[] {
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--inh-caps=-all', '--']
}

/** Where no control group counts processes, the kernel counts them for each user namespace. */
function limitedByPrlimit(): string[] {
  return ['/usr/bin/prlimit', `--nproc=${PROCESS_LIMIT}`, '--']
}

function feed(child: ChildProcess, descriptor: number, content: Uint8Array): void {
  const stream = child.stdio[descriptor]
  if (!(stream instanceof Writable)) throw new TypeError(`descriptor ${descriptor} is not a pipe`)
  // The sandbox may end before it has read everything; its end is reported by its exit.
  stream.on('error', () => undefined)
  stream.end(content)
}

function nullSeparated(args: readonly string[]): Uint8Array {
  return Buffer.from(args.map((arg) => `${arg.replaceAll('\0', '')}\0`).join(''))
}

class BwrapProcess implements SandboxProcess {
  readonly console: readonly Readable[]
  readonly workspace = boxPaths.workspace
  readonly limits: RunningBox['limits']
  readonly diskRoot: string | null
  readonly started: Promise<void>
  readonly ended: Promise<SandboxEnd>
  readonly #child: ChildProcess
  readonly #cgroup: BoxCgroup | null
  /** The first process inside, as the host numbers it. */
  #init: number | null = null
  #programRan = false

  constructor(child: ChildProcess, cgroup: BoxCgroup | null, root: boolean) {
    this.#child = child
    // The launcher became bubblewrap, which stays in the namespace where the disk is mounted as long as the box runs.
    this.diskRoot = root && child.pid !== undefined ? `/proc/${child.pid}/root${STAGE}/disk` : null
    this.#cgroup = cgroup
    this.limits = cgroup?.limits ?? { cpu: false, memory: false, processes: true, disk: false }
    this.console = [child.stdout, child.stderr].filter((stream) => stream instanceof Readable)
    const started = deferred<void>()
    this.started = started.promise
    // Node's types know only the first five descriptors.
    const status = (child.stdio as readonly unknown[])[STATUS_FD]
    if (status instanceof Readable) {
      createInterface({ input: status }).on('line', (line) => {
        const report: unknown = JSON.parse(line)
        if (typeof report !== 'object' || report === null) return
        if ('child-pid' in report && typeof report['child-pid'] === 'number') {
          this.#init = report['child-pid']
          started.resolve()
        }
        // Only a program that was started has an exit code.
        if ('exit-code' in report) this.#programRan = true
      })
    }
    this.ended = this.#watch()
    void this.ended.then(() => started.resolve())
  }

  async terminate(): Promise<void> {
    if (this.#init === null) return this.kill()
    // What lost its parent is a child of the first process too, and came later than the keeper.
    const children = (await processTree(this.#init)).filter(({ parent }) => parent === this.#init)
    const keeper = children.toSorted((a, b) => a.startedAt - b.startedAt || a.pid - b.pid)[0]
    if (keeper !== undefined) signal(keeper.pid, 'SIGTERM')
  }

  kill(): void {
    // The kernel ends everything in the process namespace together with its first process.
    if (this.#init !== null) signal(this.#init, 'SIGKILL')
    else this.#child.kill('SIGKILL')
    // What is frozen takes the signal when it is thawed. The groups go with their last process, so there may be nothing to thaw.
    if (this.#cgroup?.canFreeze) void this.#cgroup.thaw().catch(() => undefined)
  }

  async pause(): Promise<void> {
    if (this.#init === null) return
    if (this.#cgroup?.canFreeze) await this.#cgroup.freeze()
    else await stopTree(this.#init)
  }

  async unpause(): Promise<void> {
    if (this.#init === null) return
    if (this.#cgroup?.canFreeze) await this.#cgroup.thaw()
    else await continueTree(this.#init)
  }

  async resize(tier: Tier): Promise<boolean> {
    return (await this.#cgroup?.resize(tier.cpu, tier.memory * 1024 * 1024)) ?? false
  }

  async usage(): Promise<SandboxUsage> {
    const measured = await this.#cgroup?.usage()
    if (measured) return measured
    const tree = this.#init === null ? [] : await processTree(this.#init)
    const sum = (count: (stat: (typeof tree)[number]) => number): number =>
      tree.reduce((total, stat) => total + count(stat), 0)
    return {
      cpuUsec: sum(({ ticks }) => ticks) * 10_000,
      memoryBytes: sum(({ pages }) => pages) * 4096,
      memoryLimitBytes: null,
      processes: tree.length,
    }
  }

  async #watch(): Promise<SandboxEnd> {
    const end = await new Promise<Pick<SandboxEnd, 'code' | 'signal'>>((resolve) => {
      this.#child.once('error', () => resolve({ code: null, signal: null }))
      this.#child.once('close', (code, name) => resolve({ code, signal: name }))
    })
    // When bubblewrap itself was killed, the kernel is still ending what it held.
    while (this.#init !== null && (await isAlive(this.#init))) {
      signal(this.#init, 'SIGKILL')
      await delay(1)
    }
    // What can't be removed now is removed when the next server starts; a run is over nevertheless.
    await this.#cgroup?.remove().catch(() => undefined)
    return { ...end, programRan: this.#programRan }
  }
}
