import { NEWEST_SYSCALL, allowedSyscalls, conditionalSyscalls } from './syscalls.ts'

// Classic BPF, as the kernel's seccomp takes it: 8 bytes an instruction.
const LD_W_ABS = 0x20
const JMP_JEQ = 0x15
const JMP_JGT = 0x25
const JMP_JGE = 0x35
const JMP_JSET = 0x45
const RET = 0x06

// Offsets into struct seccomp_data. Arguments are 64 bits wide; these are their lower halves on little-endian machines.
const NUMBER = 0
const ARCH = 4
const ARG0 = 16
const ARG1 = 24

const ALLOW = 0x7fff_0000
const KILL_PROCESS = 0x8000_0000
const ERRNO = 0x0005_0000
const EPERM = 1
const ENOSYS = 38
const EAFNOSUPPORT = 97

/** NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const CLONE_NEW = 0x7e02_0000
/** UNIX, INET, INET6, NETLINK: the others are rarely used and often attacked. */
const SOCKET_FAMILIES = [1, 2, 10, 16]
/** The default, UNAME26, ADDR_NO_RANDOMIZE for debuggers, and the question which one it is. */
const PERSONALITIES = [0x0, 0x2_0000, 0x4_0000, 0xffff_ffff]
/** TIOCSTI and TIOCLINUX put keystrokes into a terminal. */
const REFUSED_IOCTLS = [0x5412, 0x541c]

const architectures = {
  x64: { audit: 0xc000_003e, column: 0 },
  arm64: { audit: 0xc000_00b7, column: 1 },
} as const

export type SeccompArchitecture = keyof typeof architectures

interface Instruction {
  code: number
  jt: number
  jf: number
  k: number
}

/** The filter for a processor architecture of Node's naming, ready for bubblewrap. Throws RangeError for others. */
export function seccompFilter(arch: string): Uint8Array {
  if (arch !== 'x64' && arch !== 'arm64') throw new RangeError(`There is no system call filter for ${arch}`)
  const program = assemble(arch)
  const bytes = Buffer.alloc(program.length * 8)
  program.forEach(({ code, jt, jf, k }, index) => {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(jt, index * 8 + 2)
    bytes.writeUInt8(jf, index * 8 + 3)
    bytes.writeUInt32LE(k, index * 8 + 4)
  })
  return bytes
}

function assemble(arch: SeccompArchitecture): Instruction[] {
  const { audit, column } = architectures[arch]
  const number = (name: keyof typeof conditionalSyscalls): number => conditionalSyscalls[name][column]
  const allowed = Object.values(allowedSyscalls).flatMap((numbers) => numbers[column] ?? [])
  return [
    load(ARCH),
    // Another architecture's numbers mean other calls.
    ...when(JMP_JEQ, audit, [], [ret(KILL_PROCESS)]),
    load(NUMBER),
    // This also covers the x32 numbers.
    ...when(JMP_JGT, NEWEST_SYSCALL, [ret(ERRNO | ENOSYS)]),
    // The flags of clone3 are behind a pointer that a filter can not follow; C libraries fall back to clone.
    ...when(JMP_JEQ, number('clone3'), [ret(ERRNO | ENOSYS)]),
    ...when(JMP_JEQ, number('clone'), [load(ARG0), ...when(JMP_JSET, CLONE_NEW, [ret(ERRNO | EPERM)]), ret(ALLOW)]),
    ...when(JMP_JEQ, number('socket'), oneOf(ARG0, SOCKET_FAMILIES, ALLOW, ERRNO | EAFNOSUPPORT)),
    ...when(JMP_JEQ, number('personality'), oneOf(ARG0, PERSONALITIES, ALLOW, ERRNO | EPERM)),
    ...when(JMP_JEQ, number('ioctl'), oneOf(ARG1, REFUSED_IOCTLS, ERRNO | EPERM, ALLOW)),
    ...ranges(allowed).flatMap(([low, high]) => [
      // Ranges ascend: a number below this one is in a gap.
      ...when(JMP_JGE, low, [], [ret(ERRNO | EPERM)]),
      ...when(JMP_JGT, high, [], [ret(ALLOW)]),
    ]),
    ret(ERRNO | EPERM),
  ]
}

function load(offset: number): Instruction {
  return { code: LD_W_ABS, jt: 0, jf: 0, k: offset }
}

function ret(k: number): Instruction {
  return { code: RET, jt: 0, jf: 0, k: k >>> 0 }
}

/** Runs `then` or `otherwise`, one of which is empty; the one that is not ends with a return. */
function when(code: number, k: number, then: Instruction[], otherwise: Instruction[] = []): Instruction[] {
  return [{ code, jt: otherwise.length, jf: then.length, k }, ...then, ...otherwise]
}

function oneOf(offset: number, values: readonly number[], yes: number, no: number): Instruction[] {
  return [load(offset), ...values.flatMap((value) => when(JMP_JEQ, value, [ret(yes)])), ret(no)]
}

/** Numbers as inclusive ranges in ascending order. */
export function ranges(numbers: readonly number[]): [number, number][] {
  const found: [number, number][] = []
  for (const number of [...new Set(numbers)].toSorted((a, b) => a - b)) {
    const last = found.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else found.push([number, number])
  }
  return found
}
