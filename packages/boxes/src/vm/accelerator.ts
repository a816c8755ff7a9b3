/** What runs the instructions of a guest. */
export interface Accelerator {
  kind: 'kvm' | 'tcg'
  /** QEMU's arguments. */
  argument: string
  cpu: string
  /** Devices of the host that QEMU needs. */
  devices: readonly string[]
  /** The group that may open them, or null. */
  group: number | null
}

/** Translates instructions: works everywhere, many times slower, and is no boundary that QEMU stands for. */
export const tcg: Accelerator = {
  kind: 'tcg',
  argument: 'tcg,thread=multi',
  cpu: 'max',
  devices: [],
  group: null,
}

/** The processor runs them. That the device can be opened does not mean that guests run: only one that booted proves it. */
export function kvm(group: number): Accelerator {
  return { kind: 'kvm', argument: 'kvm', cpu: 'host', devices: ['/dev/kvm'], group }
}
