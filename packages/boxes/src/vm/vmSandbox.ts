import { readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { CgroupHost } from '../cgroup/cgroupHost.ts'
import { BYTES_PER_MIB } from '../driver.ts'
import type { BoxCapability, DriverProbe, Tier } from '../driver.ts'
import { BoxError } from '../errors.ts'
import type { Sandbox, SandboxLaunch, SandboxProcess } from '../sandbox.ts'
import { kvm, tcg } from './accelerator.ts'
import type { Accelerator } from './accelerator.ts'
import type { GuestImages } from './guestImages.ts'
import type { ImageStore } from './imageStore.ts'
import { kvmGroup, machineRequirements } from './machineRequirements.ts'
import { MachineTemplates } from './machineTemplates.ts'
import type { MachineKind } from './machineTemplates.ts'
import type { QemuOptions } from './qemuProcess.ts'
import { VmProcess } from './vmProcess.ts'

const KVM_DEADLINE_MS = 20_000
const TCG_DEADLINE_MS = 180_000
/** What a machine can be given beyond the memory that it boots with: that of the largest tier, or else all that the host has. */
const MOST_MORE_MIB = 64 * 1024
/** The smallest machine, booted to see whether machines boot. */
const PROBE_TIER: Tier = { cpu: 1, memory: 512, disk: 1024 }

export interface VmSandboxOptions {
  /** The folder that holds main.js of the dev server. */
  devServer: string
  images: GuestImages
  /** Folder for the memory of booted machines. */
  templates: string
  store: ImageStore
  /** Folder with one folder a box. */
  boxes: string
  user: QemuOptions['user']
  /** Null when QEMUs get no control groups. */
  cgroups: CgroupHost | null
}

interface Choice {
  accelerator: Accelerator
  reasons: readonly string[]
}

/** Boxes as virtual machines: a kernel, disks and a memory of their own, and one port to the host. */
export class VmSandbox implements Sandbox {
  readonly name = 'vm'
  /** What is on the disks belongs to users of the guests. */
  readonly diskOwner = null
  readonly #options: VmSandboxOptions
  readonly #templates: MachineTemplates
  #choice: Promise<Choice> | null = null

  constructor(options: VmSandboxOptions) {
    this.#options = options
    this.#templates = new MachineTemplates(options.templates, options.user)
  }

  async probe(): Promise<DriverProbe> {
    const refuse = (...reasons: string[]): DriverProbe => ({
      ok: false,
      capabilities: new Set(),
      isolation: 'vm',
      reasons,
    })
    const { missing } = await machineRequirements()
    if (missing.length > 0) return refuse(...missing)
    try {
      const { accelerator, reasons: said } = await this.#chosen()
      const { cgroups } = this.#options
      const isHeld = cgroups?.describe().hard === true
      const reasons = [
        ...said,
        isHeld ? 'QEMU is held by control groups.' : 'QEMU is not held by control groups: run the server as root.',
      ]
      const capabilities = new Set<BoxCapability>([
        'memorySnapshot',
        'liveFork',
        'memoryFork',
        'pause',
        'egressPolicy',
        'hardLimits',
        'resizeOnline',
      ])
      if (accelerator.kind === 'tcg') return { ok: true, capabilities, isolation: 'namespace', reasons }
      return { ok: true, capabilities: capabilities.add('strongIsolation'), isolation: 'vm', reasons }
    } catch (error) {
      if (!(error instanceof BoxError)) throw error
      return refuse(`A virtual machine could not be started. ${error.message}`)
    }
  }

  async open(): Promise<void> {
    await this.#options.cgroups?.removeStale()
    // Machines end with the server that started them. What stays are the memories of those that slept.
    for (const id of await readdir(this.#options.boxes).catch(() => [])) {
      await rm(path.join(this.#options.boxes, id, 'machine'), { recursive: true, force: true })
    }
  }

  async launch(launch: SandboxLaunch): Promise<SandboxProcess> {
    const { store, user, cgroups } = this.#options
    return new VmProcess({
      launch,
      store,
      user,
      cgroups,
      kindOf: async (tier) => this.#kind((await this.#chosen()).accelerator, tier),
      memoryOf: (kind) => this.#templates.memoryOf(kind, deadlineOf(kind.accelerator)),
    })
  }

  #chosen(): Promise<Choice> {
    this.#choice ??= this.#choose().catch((error: unknown) => {
      this.#choice = null
      throw error
    })
    return this.#choice
  }

  async #choose(): Promise<Choice> {
    await this.#templates.keepOnly(await this.#options.images.image())
    const reasons: string[] = []
    const group = await kvmGroup()
    if (group === null) {
      reasons.push('Hardware virtualization (/dev/kvm) is not there for this user.')
    } else {
      const accelerator = kvm(group)
      try {
        await this.#templates.memoryOf(await this.#kind(accelerator, PROBE_TIER), KVM_DEADLINE_MS)
        return { accelerator, reasons: ['Boxes are virtual machines on KVM.'] }
      } catch (error) {
        if (!(error instanceof BoxError)) throw error
        const said = error.message.split('\n')[0]
        reasons.push(`/dev/kvm is there, and no machine boots on it within ${KVM_DEADLINE_MS / 1000} s (${said}).`)
      }
    }
    await this.#templates.memoryOf(await this.#kind(tcg, PROBE_TIER), TCG_DEADLINE_MS)
    reasons.push(
      'Boxes are virtual machines whose instructions are translated (TCG): many times slower, for tests only, and kept apart by the ' +
        'sandbox around QEMU, not by the machine.',
    )
    return { accelerator: tcg, reasons }
  }

  async #kind(accelerator: Accelerator, tier: Tier): Promise<MachineKind> {
    const { images, devServer } = this.#options
    const mostCpus = os.availableParallelism()
    const hostGiB = Math.floor(os.totalmem() / BYTES_PER_MIB / 1024)
    return {
      accelerator,
      image: await images.image(),
      devServer: await images.ofFolder(path.resolve(devServer)),
      memoryMiB: tier.memory,
      // More virtual processors than real ones make a machine slower.
      cpus: Math.max(1, Math.min(Math.ceil(tier.cpu), mostCpus)),
      moreMiB: Math.min(hostGiB * 1024, MOST_MORE_MIB),
      mostCpus,
    }
  }
}

function deadlineOf(accelerator: Accelerator): number {
  return accelerator.kind === 'kvm' ? KVM_DEADLINE_MS : TCG_DEADLINE_MS
}
