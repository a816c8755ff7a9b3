import { open, stat } from 'node:fs/promises'
import { tryCommand } from '../runCommand.ts'
import { QEMU } from './qemuProcess.ts'

/** Programs that machines are made with, and the packages that bring them. */
const PROGRAMS = {
  [QEMU]: 'qemu-system-x86',
  'qemu-img': 'qemu-utils',
  mke2fs: 'e2fsprogs',
  bwrap: 'bubblewrap',
  unshare: 'util-linux',
  setpriv: 'util-linux',
  'apt-get': 'apt',
  'dpkg-deb': 'dpkg',
} as const

/** What stands in the way of machines, as sentences with the command that helps, and whether the processor may run them. */
export async function machineRequirements(): Promise<{ missing: string[]; hardware: boolean }> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return {
      missing: ['Virtual machines need Linux on an x86_64 processor; this is another machine.'],
      hardware: false,
    }
  }
  const missing: string[] = []
  for (const [program, needed] of Object.entries(PROGRAMS)) {
    if ((await tryCommand(program, program === 'mke2fs' ? ['-V'] : ['--version'])).code === 0) continue
    missing.push(`The program ${program} is missing. Install the package ${needed}: apt install ${needed}`)
  }
  return { missing, hardware: (await kvmGroup()) !== null }
}

/** The group that may open /dev/kvm, or null when this server can't. */
export async function kvmGroup(): Promise<number | null> {
  try {
    const device = await open('/dev/kvm', 'r+')
    await device.close()
    return (await stat('/dev/kvm')).gid
  } catch {
    // Whatever the reason is, there are no guests on it.
    return null
  }
}
