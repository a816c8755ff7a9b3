import { chmod, mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { isThere, readJson, writeDurably } from '../durableFile.ts'
import type { MachineKind, MachineSize } from './machineTemplates.ts'
import { machineKey } from './machineTemplates.ts'

const kindSchema: z.ZodType<MachineKind> = z.object({
  accelerator: z.object({
    kind: z.enum(['kvm', 'tcg']),
    argument: z.string(),
    cpu: z.string(),
    devices: z.array(z.string()),
    group: z.number().nullable(),
  }),
  image: z.object({ hash: z.string(), kernel: z.string(), initrd: z.string(), root: z.string() }),
  devServer: z.string(),
  memoryMiB: z.number().positive(),
  cpus: z.number().int().positive(),
  moreMiB: z.number().nonnegative(),
  mostCpus: z.number().int().positive(),
})
const sizeSchema: z.ZodType<MachineSize> = z.object({
  memoryMiB: z.number().positive(),
  cpus: z.number().int().positive(),
  present: z.number().int().positive(),
})
const machineSchema = z.object({ key: z.string(), kind: kindSchema, size: sizeSchema })

/** The memory of another box's machine, in the folder of a box whose first run goes on from there. */
export class InheritedMemory {
  readonly #folder: string

  /** `box` is the private folder of the box that inherits. */
  constructor(box: string) {
    this.#folder = path.join(box, 'inherited')
  }

  /** Has `write` put the memory into a file. It is there as a whole or not at all. */
  async give(kind: MachineKind, size: MachineSize, write: (file: string) => Promise<void>): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const file = path.join(this.#folder, 'memory')
    await write(file)
    await chmod(file, 0o600)
    // Last: a memory without it does not count.
    await writeDurably(
      path.join(this.#folder, 'machine.json'),
      JSON.stringify({ key: await machineKey(kind), kind, size } satisfies z.infer<typeof machineSchema>),
    )
  }

  /**
   * Moves the memory to `file` and answers with its machine; null when there is none, or none that such a machine as `wanted` can go on from
   * here and now; null wants none. Either way nothing is left: the disk changes with the first run, and does not fit the memory any more.
   */
  async take(
    wanted: Pick<MachineSize, 'memoryMiB' | 'cpus'> | null,
    file: string,
  ): Promise<{ kind: MachineKind; size: MachineSize } | null> {
    const found = await readJson(path.join(this.#folder, 'machine.json'), machineSchema)
    try {
      if (found === null || wanted === null) return null
      const { key, kind, size } = found
      if (size.memoryMiB !== wanted.memoryMiB || size.cpus !== wanted.cpus || (await machineKey(kind)) !== key)
        return null
      const needed = [kind.image.kernel, kind.image.initrd, kind.image.root, kind.devServer]
      if (!(await Promise.all(needed.map((name) => isThere(name)))).every(Boolean)) return null
      await rename(path.join(this.#folder, 'memory'), file)
      return { kind, size }
    } finally {
      await rm(this.#folder, { recursive: true, force: true })
    }
  }
}
