import { describe, expect, it } from 'vitest'
import { findHierarchies } from './findHierarchies.ts'

describe('findHierarchies', () => {
  it('BX90: finds version 2 alone', () => {
    const mounts = '30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate'
    expect(findHierarchies(mounts, '0::/user.slice/user-1000.slice/boxyard.service\n')).toEqual({
      v1: {},
      v2: '/sys/fs/cgroup/user.slice/user-1000.slice/boxyard.service',
    })
  })

  it('BX91: finds each controller of version 1 beside version 2', () => {
    const mounts = [
      '34 32 0:31 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct',
      '35 32 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory',
      '36 32 0:33 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset',
      '37 32 0:34 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw',
    ].join('\n')
    expect(findHierarchies(mounts, '5:memory:/outer/in:side\n4:cpuset:/\n3:cpu,cpuacct:/\n2:pids:/\n0::/\n')).toEqual({
      v1: {
        cpu: '/sys/fs/cgroup/cpu,cpuacct',
        cpuacct: '/sys/fs/cgroup/cpu,cpuacct',
        memory: '/sys/fs/cgroup/memory/outer/in:side',
      },
      v2: '/sys/fs/cgroup/unified',
    })
  })

  it('BX92: knows that a container sees a part of the tree', () => {
    const mounts = '30 24 0:26 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup2 rw'
    expect(findHierarchies(mounts, '0::/docker/abc/inner')).toEqual({ v1: {}, v2: '/sys/fs/cgroup/inner' })
    expect(findHierarchies(mounts, '0::/elsewhere')).toEqual({ v1: {}, v2: '/sys/fs/cgroup' })
  })

  it('BX93: finds nothing where nothing is mounted', () => {
    expect(findHierarchies('1 0 8:1 / / rw - ext4 /dev/sda1 rw', '0::/\n4:memory:/\n')).toEqual({ v1: {}, v2: null })
    expect(findHierarchies('', '')).toEqual({ v1: {}, v2: null })
  })
})
