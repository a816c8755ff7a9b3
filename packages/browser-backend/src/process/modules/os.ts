import { SIGNALS } from '../../common/signals.ts'
import type { Loose } from '../loose.ts'

const GB = 2 ** 30

/** Node's `os`: a small machine that is the page. */
export const os: Loose = {
  EOL: '\n',
  devNull: '/dev/null',
  arch: () => 'x64',
  platform: () => 'linux',
  type: () => 'Linux',
  release: () => '0.0.0',
  version: () => 'browser',
  machine: () => 'x86_64',
  hostname: () => 'sandbox',
  homedir: () => '/nodebox',
  tmpdir: () => '/tmp',
  endianness: () => 'LE',
  uptime: () => performance.now() / 1000,
  loadavg: () => [0, 0, 0],
  totalmem: () => 4 * GB,
  freemem: () => 2 * GB,
  availableParallelism: () => navigator.hardwareConcurrency ?? 1,
  cpus: () =>
    Array.from({ length: navigator.hardwareConcurrency ?? 1 }, () => ({
      model: 'browser',
      speed: 0,
      times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 },
    })),
  networkInterfaces: () => ({}),
  userInfo: () => ({ uid: 1000, gid: 1000, username: 'sandbox', homedir: '/nodebox', shell: '/bin/sh' }),
  getPriority: () => 0,
  setPriority: () => undefined,
  constants: {
    signals: SIGNALS,
    errno: { ENOENT: 2, EACCES: 13, EEXIST: 17, ENOTDIR: 20, EISDIR: 21, EADDRINUSE: 98, ECONNREFUSED: 111 },
    priority: {},
  },
}
