import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { DriverProbe } from '../driver.ts'
import { readJson, writeDurably } from '../durableFile.ts'
import { BoxError } from '../errors.ts'
import { kept } from '../keeperScript.ts'
import { processTree, signal } from '../processTree.ts'
import { hostPath, tryCommand } from '../runCommand.ts'
import type { Sandbox, SandboxEnd, SandboxLaunch, SandboxProcess, SandboxUsage } from '../sandbox.ts'

/** Bytes of a unix socket's path that every system takes. */
const SOCKET_PATH_BYTES = 103

const LAST_WORDS_MS = 1000

const recordSchema = z.object({ pid: z.number().int().positive(), startedAt: z.string().min(1) })

export interface ProcessSandboxOptions {
  home: string
  devServer: string
  node: string
}

/**
 * No sandbox at all: the dev server is a plain child process with everything that the user of the server may do. For one trusted
 * person on a machine where nothing else works, and only when asked for.
 */
export class ProcessSandbox implements Sandbox {
  readonly name = 'process'
  readonly diskOwner = null
  readonly #options: ProcessSandboxOptions

  constructor(options: ProcessSandboxOptions) {
    this.#options = options
  }

  async probe(): Promise<DriverProbe> {
    const result = await tryCommand(this.#options.node, ['--version'])
    const reasons =
      result.code === 0
        ? ['Boxes are plain processes: code in them can do everything that the user of the server can do.']
        : [`The program ${this.#options.node} can not be started: ${result.stderr.trim()}`]
    return { ok: result.code === 0, capabilities: new Set(), isolation: 'none', reasons }
  }

  /** Processes do not end with the server when it is killed, so their numbers are kept. */
  async open(): Promise<void> {
    const boxes = path.join(this.#options.home, 'boxes')
    for (const id of await readdir(boxes).catch(() => [])) {
      const record = await readJson(path.join(boxes, id, 'process.json'), recordSchema)
      // The number may belong to another program by now, which started at another time.
      if (record !== null && (await startTime(record.pid)) === record.startedAt) await killAll(record.pid)
    }
  }

  async launch(launch: SandboxLaunch): Promise<SandboxProcess> {
    if (launch.disk.kind !== 'folder') throw new BoxError('UNSUPPORTED', 'plain processes need a disk that is a folder')
    const socket = path.join(launch.runFolder, 'dev-server.sock')
    if (Buffer.byteLength(socket) > SOCKET_PATH_BYTES) {
      throw new BoxError('SANDBOX_FAILED', `the path of the socket is too long for the system: ${socket}`)
    }
    const inside = (name: string): string => path.join(launch.disk.kind === 'folder' ? launch.disk.path : '', name)
    const workspace = inside('workspace')
    const home = inside('home')
    const [program = '', ...args] = kept([this.#options.node, path.join(this.#options.devServer, 'main.js')], false)
    const child = spawn(program, args, {
      cwd: workspace,
      env: {
        PATH: `${path.join(home, '.local/bin')}:${path.dirname(this.#options.node)}:${hostPath()}`,
        HOME: home,
        LANG: 'C.UTF-8',
        SHELL: process.env['SHELL'] ?? '/bin/sh',
        NPM_CONFIG_PREFIX: path.join(home, '.local'),
        ...launch.env,
        BOXYARD_WORKSPACE: workspace,
        BOXYARD_STATE: inside('state'),
        BOXYARD_SOCKET: socket,
        ...(launch.egressSocket === null ? {} : { BOXYARD_EGRESS_SOCKET: launch.egressSocket }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, which can be ended as a whole.
      detached: true,
    })
    const record = path.join(launch.folder, 'process.json')
    const running = new PlainProcess(child, record, workspace)
    if (child.pid !== undefined) {
      const startedAt = await startTime(child.pid)
      if (startedAt !== null) await writeDurably(record, JSON.stringify({ pid: child.pid, startedAt }))
    }
    return running
  }
}

class PlainProcess implements SandboxProcess {
  readonly console: readonly Readable[]
  readonly workspace: string
  readonly limits = { cpu: false, memory: false, processes: false, disk: false }
  readonly started: Promise<void>
  readonly ended: Promise<SandboxEnd>
  readonly #child: ChildProcess

  constructor(child: ChildProcess, record: string, workspace: string) {
    this.workspace = workspace
    this.#child = child
    this.console = [child.stdout, child.stderr].filter((stream) => stream instanceof Readable)
    this.ended = this.#watch(record)
    this.started = new Promise((resolve) => {
      child.once('spawn', resolve)
      child.once('error', () => resolve())
    })
  }

  async terminate(): Promise<void> {
    this.#child.kill('SIGTERM')
  }

  kill(): void {
    if (this.#child.pid === undefined) return
    // What has left the group is found by its parents, as long as the dev server lives.
    void killAll(this.#child.pid)
  }

  pause(): Promise<void> {
    return Promise.reject(new BoxError('UNSUPPORTED', 'plain processes are not paused'))
  }

  unpause(): Promise<void> {
    return Promise.reject(new BoxError('UNSUPPORTED', 'plain processes are not paused'))
  }

  /** Nothing limits plain processes. */
  async resize(): Promise<boolean> {
    return false
  }

  async usage(): Promise<SandboxUsage> {
    const { pid } = this.#child
    const output = pid === undefined ? '' : (await tryCommand('ps', ['-A', '-o', 'pgid=,rss=,time='])).stdout
    const own = output.split('\n').map((line) => line.trim().split(/\s+/))
    const members = own.filter(([group]) => Number(group) === pid)
    return {
      cpuUsec: members.reduce((sum, [, , time]) => sum + cpuTime(time ?? ''), 0),
      memoryBytes: members.reduce((sum, [, kib]) => sum + Number(kib) * 1024, 0),
      memoryLimitBytes: null,
      processes: members.length,
    }
  }

  async #watch(record: string): Promise<SandboxEnd> {
    const closed = new Promise<void>((resolve) => this.#child.once('close', () => resolve()))
    const end = await new Promise<SandboxEnd>((resolve) => {
      this.#child.once('error', () => resolve({ code: null, signal: null, programRan: false }))
      this.#child.once('exit', (code, name) => resolve({ code, signal: name, programRan: true }))
    })
    if (this.#child.pid !== undefined) signalGroup(this.#child.pid)
    // What it printed last may still be in the pipe, which a program that left the group can hold open.
    if (end.programRan) await Promise.race([closed, pause(LAST_WORDS_MS, undefined, { ref: false })])
    await rm(record, { force: true })
    return end
  }
}

/** Ends a process, what descends from it and what is in its group. */
async function killAll(pid: number): Promise<void> {
  const tree = process.platform === 'linux' ? await processTree(pid) : []
  for (const member of tree) signal(member.pid, 'SIGKILL')
  signalGroup(pid)
}

function signalGroup(pid: number): void {
  signal(-pid, 'SIGKILL')
}

/** When a process started, as the system prints it, or null when there is none. */
async function startTime(pid: number): Promise<string | null> {
  const result = await tryCommand('ps', ['-o', 'lstart=', '-p', String(pid)])
  return result.code === 0 ? result.stdout.trim() || null : null
}

/** `[days-]hours:minutes:seconds` in microseconds. */
function cpuTime(text: string): number {
  const [clock = '', days = '0'] = text.split('-').toReversed()
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return (Number(days) * 86_400 + seconds) * 1_000_000
}
