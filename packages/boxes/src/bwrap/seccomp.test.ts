import { array, assert, integer, nat, pre, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ranges, seccompFilter } from './seccomp.ts'
import { NEWEST_SYSCALL, allowedSyscalls, conditionalSyscalls } from './syscalls.ts'

const ALLOW = 0x7fff_0000
const KILL = 0x8000_0000
const EPERM = 0x5_0001
const ENOSYS = 0x5_0026
const EAFNOSUPPORT = 0x5_0061

const audit = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const

/** Runs a filter as the kernel would: the subset of classic BPF that filters of boxes use. */
function run(filter: Uint8Array, arch: number, number: number, args: readonly number[] = []): number {
  const data = new DataView(new ArrayBuffer(64))
  data.setUint32(0, number >>> 0, true)
  data.setUint32(4, arch, true)
  args.forEach((arg, index) => data.setUint32(16 + index * 8, arg >>> 0, true))
  const program = new DataView(filter.buffer, filter.byteOffset, filter.byteLength)
  let accumulator = 0
  for (let at = 0; at * 8 < filter.byteLength; at += 1) {
    const code = program.getUint16(at * 8, true)
    const k = program.getUint32(at * 8 + 4, true)
    if (code === 0x06) return k
    if (code === 0x20) {
      accumulator = data.getUint32(k, true)
      continue
    }
    const tests: Record<number, boolean> = {
      0x15: accumulator === k,
      0x25: accumulator > k,
      0x35: accumulator >= k,
      0x45: (accumulator & k) !== 0,
    }
    const test = tests[code]
    if (test === undefined) throw new Error(`instruction ${code.toString(16)} at ${at}`)
    at += program.getUint8(at * 8 + (test ? 2 : 3))
  }
  throw new Error('the filter ends without an answer')
}

describe.each(['x64', 'arm64'] as const)('filter for %s', (arch) => {
  const column = arch === 'x64' ? 0 : 1
  const filter = seccompFilter(arch)
  const call = (number: number, ...args: number[]): number => run(filter, audit[arch], number, args)
  const number = (name: keyof typeof conditionalSyscalls): number => conditionalSyscalls[name][column]
  const allowed = new Set<number>(Object.values(allowedSyscalls).flatMap((numbers) => numbers[column] ?? []))
  const conditional = new Set<number>(Object.values(conditionalSyscalls).map((numbers) => numbers[column]))

  it('BX25: allows exactly the calls of the list', () => {
    for (let syscall = 0; syscall <= NEWEST_SYSCALL; syscall += 1) {
      if (!conditional.has(syscall))
        expect([syscall, call(syscall)]).toEqual([syscall, allowed.has(syscall) ? ALLOW : EPERM])
    }
  })

  it('BX26: answers calls that it does not know with ENOSYS, also those of another numbering', () => {
    assert(property(integer({ min: NEWEST_SYSCALL + 1, max: 0xffff_ffff }), (syscall) => call(syscall) === ENOSYS))
  })

  it('BX27: ends a process that calls in the way of another architecture', () => {
    assert(
      property(nat(0xffff_ffff), nat(NEWEST_SYSCALL), (other, syscall) => {
        pre(other !== audit[arch])
        return run(filter, other, syscall) === KILL
      }),
    )
  })

  it('BX28: allows clone for threads and processes and refuses it for every kind of namespace', () => {
    const thread = 0x3d_0f00
    expect(call(number('clone'), thread)).toBe(ALLOW)
    expect(call(number('clone'), 17)).toBe(ALLOW)
    for (const flag of [0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000]) {
      expect(call(number('clone'), flag | 17)).toBe(EPERM)
      expect(call(number('clone'), flag | thread)).toBe(EPERM)
    }
    expect(call(number('clone3'))).toBe(ENOSYS)
  })

  it('BX29: decides about sockets, personalities and terminals by their arguments', () => {
    assert(
      property(nat(64), (family) => {
        return call(number('socket'), family) === ([1, 2, 10, 16].includes(family) ? ALLOW : EAFNOSUPPORT)
      }),
    )
    expect(call(number('personality'), 0)).toBe(ALLOW)
    expect(call(number('personality'), 0x4_0000)).toBe(ALLOW)
    expect(call(number('personality'), 0x40_0000)).toBe(EPERM)
    expect(call(number('ioctl'), 0, 0x5401)).toBe(ALLOW)
    expect(call(number('ioctl'), 0, 0x5412)).toBe(EPERM)
    expect(call(number('ioctl'), 0, 0x541c)).toBe(EPERM)
  })
})

describe('ranges', () => {
  it('hold each number once, in order and not touching', () => {
    assert(
      property(array(nat(100)), (numbers) => {
        const found = ranges(numbers)
        const listed = found.flatMap(([low, high]) => Array.from({ length: high - low + 1 }, (_, index) => low + index))
        expect(listed).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
        found.slice(1).forEach(([low], index) => expect(low).toBeGreaterThan((found[index]?.[1] ?? 0) + 1))
      }),
    )
  })

  it('there is no filter for other processors', () => {
    expect(() => seccompFilter('riscv64')).toThrow(RangeError)
  })
})
