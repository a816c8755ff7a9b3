import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import type { DiskOwner } from '../disk/workspaceStore.ts'
import { isThere } from '../durableFile.ts'
import { BoxError } from '../errors.ts'
import { KeyedLock } from '../keyedLock.ts'
import { diskCommand, tryCommand } from '../runCommand.ts'
import type { Accelerator } from './accelerator.ts'
import type { GuestImage } from './guestImage.ts'
import { MACHINE_VERSION, QEMU, QemuProcess } from './qemuProcess.ts'
import { withDeadline } from '../withDeadline.ts'

const BLANK_BYTES = 1024 ** 3

export interface MachineKind {
  accelerator: Accelerator
  image: GuestImage
  /** Image with the dev server. */
  devServer: string
  /** What it boots with. */
  memoryMiB: number
  cpus: number
  /** What it can be given while it runs, beyond the memory that it boots with. */
  moreMiB: number
  /** Processors that it can have at most. */
  mostCpus: number
}

/** What a machine has now, of what it could have. */
export interface MachineSize {
  memoryMiB: number
  cpus: number
  /** Processors that are there, at work or not: they are never taken out again. */
  present: number
}

/**
 * The memory of machines that have booted and wait to be told which box they are: a start goes on from there and boots nothing. Nothing in
 * it is secret: no program but the agent has run, and each copy draws from an entropy of its own before anything else happens.
 */
export class MachineTemplates {
  readonly #folder: string
  readonly #user: DiskOwner | null
  readonly #locks = new KeyedLock()

  constructor(folder: string, user: DiskOwner | null) {
    this.#folder = folder
    this.#user = user
  }

  /** File with the memory of a machine of this kind. Boots one where there is none yet, and fails when it is not there in time. */
  async memoryOf(kind: MachineKind, deadlineMs: number): Promise<string> {
    const file = path.join(this.#folder, `${await machineKey(kind)}.memory`)
    return this.#locks.run([file], async () => {
      if (!(await isThere(file))) await this.#boot(kind, file, deadlineMs)
      return file
    })
  }

  /** Removes what belongs to guests of another image than this one. */
  async keepOnly(image: GuestImage): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o711 })
    for (const name of await readdir(this.#folder)) {
      if (!name.startsWith(prefixOf(image))) await rm(path.join(this.#folder, name), { recursive: true, force: true })
    }
  }

  async #boot(kind: MachineKind, file: string, deadlineMs: number): Promise<void> {
    const folder = file.replace(/\.memory$/, '')
    await rm(folder, { recursive: true, force: true })
    await mkdir(path.join(folder, 'disk'), { recursive: true, mode: 0o711 })
    const image = path.join(folder, 'disk', '0.qcow2')
    await diskCommand('qemu-img', ['create', '-q', '-f', 'qcow2', image, String(BLANK_BYTES)])
    if (this.#user !== null)
      await diskCommand('chown', ['-R', `${this.#user.uid}:${this.#user.gid}`, path.dirname(image)])
    try {
      const disk = { folder: path.dirname(image), top: 'disk/0.qcow2', shared: [], bytes: BLANK_BYTES }
      const onEgress = (connection: Duplex): unknown => connection.destroy()
      const qemu = await QemuProcess.start({
        ...kind,
        present: kind.cpus,
        disk,
        folder,
        user: this.#user,
        cgroup: null,
        memory: null,
        onEgress,
      })
      try {
        await bootedIn(qemu, deadlineMs)
        await qemu.halt()
        await qemu.saveMemory(`${file}.new`)
        await qemu.quit()
        await rename(`${file}.new`, file)
      } finally {
        qemu.kill()
        await qemu.ended
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
      await rm(`${file}.new`, { force: true })
    }
  }
}

/** Boots a machine until its agent waits for what it is told. */
async function bootedIn(qemu: QemuProcess, deadlineMs: number): Promise<void> {
  let said = ''
  for (const stream of [qemu.console, qemu.channel.log]) {
    stream.on('data', (chunk: Buffer) => (said = (said + chunk.toString('utf8')).slice(-4096)))
  }
  const boot = async (): Promise<void> => {
    await qemu.go()
    await Promise.race([qemu.channel.hello, qemu.ended.then(() => Promise.reject(new Error('it ended')))])
    await qemu.channel.call('still')
  }
  try {
    await withDeadline(deadlineMs, 'booting a machine', boot())
  } catch (error) {
    if (error instanceof BoxError && error.code === 'DEADLINE') throw error
    throw new BoxError('SANDBOX_FAILED', `a machine did not boot\n${said.trim()}`, { cause: error })
  }
}

function prefixOf(image: GuestImage): string {
  return image.hash.slice(0, 16)
}

/** Changes with everything that a saved memory depends on. */
export async function machineKey(kind: MachineKind): Promise<string> {
  const { accelerator, image, devServer, memoryMiB, cpus, moreMiB, mostCpus } = kind
  const { stdout } = await tryCommand(QEMU, ['--version'])
  const size = [memoryMiB, cpus, moreMiB, mostCpus]
  const parts = [MACHINE_VERSION, stdout, accelerator, image.hash, path.basename(devServer), ...size]
  // A memory of one processor is nothing to another one, where the guest sees the real one.
  const processor = accelerator.kind === 'kvm' ? (os.cpus()[0]?.model ?? '') : ''
  const hash = createHash('sha256').update(JSON.stringify([...parts, processor]))
  return `${prefixOf(image)}-${hash.digest('hex').slice(0, 32)}`
}
