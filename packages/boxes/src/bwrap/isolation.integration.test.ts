import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import http from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boxPaths } from '../boxContract.ts'
import { CgroupHost } from '../cgroup/cgroupHost.ts'
import type { BoxDriver, BoxExit, RunningBox, Tier } from '../driver.ts'
import { isAlive, processTree } from '../processTree.ts'
import { BoxProbe, request } from '../testing/boxProbe.ts'
import { removeTree } from '../testing/removeTree.ts'
import { standInDevServer } from '../testing/standIn.ts'
import { PROCESS_LIMIT } from './bwrapSandbox.ts'
import { createBwrapDriver } from './createBwrapDriver.ts'
import { conditionalSyscalls } from './syscalls.ts'

const column = process.arch === 'arm64' ? 1 : 0
const EPERM = 1
const ESRCH = 3
const ENOSYS = 38

/** Numbers on x86_64 and aarch64 of calls that are refused whatever their arguments. */
const refused = {
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  move_mount: [429, 429],
  open_tree: [428, 428],
  fsopen: [430, 430],
  chroot: [161, 51],
  bpf: [321, 280],
  keyctl: [250, 219],
  add_key: [248, 217],
  perf_event_open: [298, 241],
  kexec_load: [246, 104],
  init_module: [175, 105],
  io_uring_setup: [425, 425],
  userfaultfd: [323, 282],
  open_by_handle_at: [304, 265],
  reboot: [169, 142],
  swapon: [167, 224],
  syslog: [103, 116],
  settimeofday: [164, 170],
} as const

const tier: Tier = { cpu: 1, memory: 512, disk: 1024 }
let root: string
let home: string
let template: string
let driver: BoxDriver
let box: BoxProbe
let running: RunningBox

async function startBox(on: BoxDriver, id: string, of: Tier = tier, egressSocket: string | null = null) {
  await on.create({ id, disk: { kind: 'folder', path: template }, tier: of })
  return on.start(id, { epoch: 1, boot: 'CLEAN', env: {}, egressSocket, onPhase: () => undefined })
}

function open(folder: string, cgroups?: CgroupHost | null): Promise<BoxDriver> {
  return createBwrapDriver({
    home: folder,
    devServer: standInDevServer,
    node: process.execPath,
    log: () => undefined,
    ...(cgroups === undefined ? {} : { cgroups }),
  })
}

/** Makes a system call in the box. The error number, or 0 when the kernel did it. */
async function systemCall(number: number, ...args: number[]): Promise<number> {
  const line = `print syscall(${[number, ...args].join(', ')}) < 0 ? $! + 0 : 0`
  return Number((await box.run('perl', '-e', line)).stdout)
}

beforeAll(async () => {
  process.env['BOXYARD_TEST_SECRET'] = 'server-secret'
  root = await mkdtemp(path.join(tmpdir(), 'boxyard-isolation-'))
  home = path.join(root, 'home')
  template = path.join(root, 'template')
  await mkdir(template)
  await writeFile(path.join(template, 'index.js'), '')
  driver = await open(home)
  running = await startBox(driver, 'prisoner')
  box = new BoxProbe(driver, 'prisoner')
})

afterAll(async () => {
  delete process.env['BOXYARD_TEST_SECRET']
  await driver.dispose()
  await removeTree(root)
})

describe('the folder that boxes share', () => {
  it('BX890: is read-only, and what comes into it while a box runs is seen there', async () => {
    expect(await box.sh(`ls -A ${boxPaths.shared}`)).toBe('')
    await mkdir(path.join(home, 'shared', 'tool'))
    await writeFile(path.join(home, 'shared', 'tool', 'said'), 'shared')
    expect(await box.sh(`cat ${boxPaths.shared}/tool/said`)).toBe('shared')
    expect((await box.run('touch', `${boxPaths.shared}/mine`)).code).not.toBe(0)
    expect((await box.run('rm', `${boxPaths.shared}/tool/said`)).code).not.toBe(0)
  })
})

describe('privileges', () => {
  it('BX30: a process in a box is an ordinary user without capabilities, and can not gain any', async () => {
    expect(await box.sh('id -u; id -g; id -un')).toBe('1000\n1000\nboxyard')
    const status = await box.sh('cat /proc/self/status')
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) {
      expect(status).toContain(`${set}:\t0000000000000000`)
    }
    expect(status).toContain('NoNewPrivs:\t1')
    expect(status).toContain('Seccomp:\t2')
    expect(await box.sh('cp /usr/bin/id ~/id && chmod 6755 ~/id && ~/id -u')).toBe('1000')
    expect((await box.run('su', '-c', 'true')).code).not.toBe(0)
  })

  it('BX31: no namespace can be made, by any call', async () => {
    for (const flag of [0x10000000, 0x00020000, 0x40000000, 0x20000000]) {
      expect(await systemCall(conditionalSyscalls.clone[column], flag | 17, 0, 0, 0, 0)).toBe(EPERM)
    }
    expect(await systemCall(conditionalSyscalls.clone3[column], 0, 0)).toBe(ENOSYS)
    expect((await box.run('unshare', '--user', 'true')).code).not.toBe(0)
  })

  it.each(Object.entries(refused))('BX32: the system call %s is refused', async (_, numbers) => {
    expect(await systemCall(numbers[column], 0, 0, 0, 0, 0)).toBe(EPERM)
  })

  it('BX33: sockets are only made of families that programs need, and keystrokes are not put into terminals', async () => {
    const vsock = 40
    const alg = 38
    const packet = 17
    for (const family of [vsock, alg, packet]) {
      expect(await systemCall(conditionalSyscalls.socket[column], family, 1, 0)).toBe(97)
    }
    expect(await systemCall(conditionalSyscalls.socket[column], 1, 1, 0)).toBe(0)
    expect(await systemCall(conditionalSyscalls.ioctl[column], 0, 0x5412, 0)).toBe(EPERM)
  })
})

describe('what a box sees', () => {
  it('BX34: no process of the host is visible, signalled or traced', async () => {
    const visible = (await box.sh('ls /proc')).split('\n').filter((name) => /^\d+$/.test(name))
    expect(visible.length).toBeLessThan(10)
    expect(await box.sh('cat /proc/1/cmdline')).toContain('bwrap')
    const outside = process.pid
    expect(visible).not.toContain(String(outside))
    const ptrace = [101, 117][column] ?? 0
    expect(await systemCall(ptrace, 16, outside, 0, 0)).toBe(ESRCH)
    expect((await box.run('kill', '-0', String(outside))).code).not.toBe(0)
  })

  it('BX35: nothing of the environment of the server reaches a box', async () => {
    expect(JSON.stringify(await box.env())).not.toContain('server-secret')
    expect(await box.sh('cat /proc/*/environ 2> /dev/null | tr "\\0" "\\n" | grep -c server-secret || true')).toBe('0')
  })

  it('BX36: of the files of the host only programs are visible', async () => {
    expect((await box.sh('ls /')).split('\n')).toEqual(
      expect.arrayContaining(['dev', 'etc', 'home', 'opt', 'proc', 'project', 'run', 'tmp', 'usr', 'var']),
    )
    for (const hidden of [root, home, '/root', '/sys', '/boot', '/mnt', '/srv', '/etc/shadow', '/etc/ssl/private']) {
      expect((await box.run('test', '-e', hidden)).code, hidden).toBe(1)
    }
    expect(await box.sh('ls /home /run /opt /project /var/lib /tmp')).toBe(
      '/home:\nboxyard\n\n/opt:\nboxyard\n\n/project:\nworkspace\n\n/run:\nboxyard\n\n/tmp:\n\n/var/lib:\nboxyard',
    )
    expect(await box.sh('cut -d: -f1 /etc/passwd')).toBe('root\nboxyard\nnobody')
    expect(await box.sh('cat /etc/hostname; hostname')).toBe('prisoner\nprisoner')
  })

  it('BX37: another box is not visible', async () => {
    await startBox(driver, 'neighbor')
    await new BoxProbe(driver, 'neighbor').sh(
      'echo neighbor-secret > secret; touch /tmp/of-the-neighbor; sleep 1000 > /dev/null 2>&1 &',
    )
    expect(await box.sh('grep -rl neighbor-secret /project /home /run /tmp /var 2> /dev/null || true')).toBe('')
    expect(await box.sh('ls /tmp')).toBe('')
    expect((await box.sh('cat /proc/[0-9]*/comm')).split('\n')).not.toContain('sleep')
    await driver.destroy('neighbor')
  })

  it('BX38: the system is read-only, and the kernel is not set by a box', async () => {
    for (const file of [
      '/x',
      '/dev/x',
      '/usr/x',
      '/etc/x',
      '/opt/boxyard/x',
      '/opt/boxyard/node/x',
      boxPaths.devServer,
      '/home/x',
    ]) {
      expect((await box.run('sh', '-c', `echo x > ${file}`)).code, file).not.toBe(0)
    }
    for (const file of ['kernel/core_pattern', 'kernel/hostname', 'vm/drop_caches', 'net/ipv4/ip_forward']) {
      expect((await box.run('sh', '-c', `echo x > /proc/sys/${file}`)).code, file).not.toBe(0)
    }
    expect((await box.run('sh', '-c', 'echo h > /proc/sysrq-trigger')).code).not.toBe(0)
    expect((await box.run('mknod', '/tmp/disk', 'b', '8', '0')).code).not.toBe(0)
    expect(await box.sh('df -B1 --output=size /tmp | tail -1')).toBe(String(1024 ** 3))
  })

  it('BX407: there are no device nodes but those of every program, and none can be made', async () => {
    const devices = (await box.sh('find /dev -type b -o -type c | sort')).split('\n')
    const harmless = /^\/dev\/(null|zero|full|random|urandom|tty|console|ptmx|pts\/(ptmx|\d+))$/
    expect(devices.filter((device) => !harmless.test(device))).toEqual([])
    for (const folder of ['/tmp', '/project/workspace', '/dev/shm', '/run/boxyard']) {
      for (const [type, major, minor] of [
        ['b', 8, 0],
        ['b', 7, 0],
        ['c', 1, 1],
        ['c', 10, 232],
        ['c', 5, 1],
      ] as const) {
        const made = await box.run('mknod', `${folder}/node`, type, String(major), String(minor))
        expect(made.code, `${folder} ${type} ${major}:${minor}`).not.toBe(0)
      }
    }
    // A node that were brought along would not open: nothing that is mounted for writing knows devices.
    const mounts = (await box.sh('cut -d" " -f5,6 /proc/self/mountinfo')).split('\n').map((line) => line.split(' '))
    const without = (point: string): boolean =>
      mounts
        .findLast(([mounted]) => mounted === point)?.[1]
        ?.split(',')
        .includes('nodev') ?? false
    for (const point of [
      '/project/workspace',
      '/home/boxyard',
      '/var/lib/boxyard',
      '/run/boxyard',
      '/tmp',
      '/dev/shm',
    ]) {
      expect(without(point), point).toBe(true)
    }
  })

  it('BX408: a setuid or setcap program on the disk of a box, and those of the system, give nothing', async () => {
    await box.sh('cp /usr/bin/id ~/id-set && chmod 6755 ~/id-set')
    expect(await box.sh('~/id-set -u; ~/id-set -g')).toBe('1000\n1000')
    expect((await box.run('/usr/sbin/setcap', 'cap_sys_admin+ep', '/home/boxyard/id-set')).code).not.toBe(0)
    for (const point of ['/project/workspace', '/home/boxyard', '/tmp']) {
      expect(await box.sh(`findmnt -n -o OPTIONS --target ${point} | tr , '\\n' | grep -c nosuid`)).toBe('1')
    }
  })

  it('BX39: the loopback, the network and the abstract sockets of the host are out of reach', async () => {
    const server = net.createServer((socket) => socket.end('host')).listen(0, '127.0.0.1')
    const abstract = net.createServer((socket) => socket.end('host')).listen(`\0boxyard-test-${process.pid}`)
    await Promise.all([once(server, 'listening'), once(abstract, 'listening')])
    const { port } = server.address() as net.AddressInfo
    const connect = (target: string): Promise<string> =>
      box.sh(
        `node -e "require('net').connect(${target}).on('error', (e) => console.log(e.code)).on('data', (d) => console.log(String(d)))"`,
      )
    expect(await connect(`${port}, '127.0.0.1'`)).toBe('ECONNREFUSED')
    expect(await connect(`80, '169.254.169.254'`)).toBe('ENETUNREACH')
    expect(await connect(`'\\\\0boxyard-test-${process.pid}'`)).toBe('ECONNREFUSED')
    expect((await box.sh('ls /proc/self/net/dev > /dev/null; tail -n +3 /proc/net/dev | cut -d: -f1')).trim()).toBe(
      'lo',
    )
    server.close()
    abstract.close()
  })

  it('BX40: the egress proxy is the one socket of the host that a box reaches, when it is given', async () => {
    const socket = path.join(root, 'egress.sock')
    const proxy = http.createServer((_, response) => response.end('egress')).listen(socket)
    await once(proxy, 'listening')
    await startBox(driver, 'connected', tier, socket)
    const connected = new BoxProbe(driver, 'connected')
    expect((await connected.env())['BOXYARD_EGRESS_SOCKET']).toBe(boxPaths.egressSocket)
    expect(await connected.sh('curl -s --unix-socket "$BOXYARD_EGRESS_SOCKET" http://proxy/ || echo none')).toBe(
      'egress',
    )
    await driver.destroy('connected')
    proxy.close()
  })
})

describe('what the host is safe from', () => {
  it('BX41: a link in place of the socket does not lead the server to a socket of the host', async () => {
    const socket = path.join(root, 'host.sock')
    const server = net.createServer((connection) => connection.end('host')).listen(socket)
    await once(server, 'listening')
    await startBox(driver, 'liar')
    await new BoxProbe(driver, 'liar').sh(
      `ln -sf ${socket} /run/boxyard/new && mv -T /run/boxyard/new "$BOXYARD_SOCKET"`,
    )
    await expect(driver.connect('liar')).rejects.toMatchObject({ code: 'BOX_NOT_RUNNING' })
    await expect(driver.dial('liar', 80)).rejects.toMatchObject({ code: 'BOX_NOT_RUNNING' })
    await driver.destroy('liar')
    server.close()
  })

  it('BX42: links on the disk of a box are never followed on the host', async () => {
    await writeFile(path.join(root, 'host-file'), 'host')
    await startBox(driver, 'linker')
    const linker = new BoxProbe(driver, 'linker')
    await linker.sh(
      `ln -s ${root}/host-file link; rm -rf ~/.cache; ln -s ${root} ~/.cache; ln -s / "$BOXYARD_STATE/root"`,
    )
    await driver.create({ id: 'linked', disk: { kind: 'box', boxId: 'linker' }, tier })
    await driver.stop('linker')
    await driver.seal('linker', 'links')
    await driver.destroy('linker')
    await driver.destroy('linked')
    await driver.removeSealed('links')
    expect(await readFile(path.join(root, 'host-file'), 'utf8')).toBe('host')
    await rm(path.join(template, 'out'), { force: true })
    await symlink(root, path.join(template, 'out'))
    await driver.create({ id: 'copied', disk: { kind: 'folder', path: template }, tier })
    await driver.start('copied', { epoch: 1, boot: 'CLEAN', env: {}, egressSocket: null, onPhase: () => undefined })
    expect((await new BoxProbe(driver, 'copied').run('test', '-e', 'out/home')).code).toBe(1)
    await driver.destroy('copied')
    await rm(path.join(template, 'out'))
  })

  it.each([
    ['control groups', undefined],
    ['the user namespace', null],
  ])('BX43: a fork bomb ends at the limit of processes, held by %s', async (_, cgroups) => {
    const folder = path.join(root, `bomb-${cgroups === null}`)
    const limited = await open(folder, cgroups)
    try {
      const bomb = await startBox(limited, 'bomb')
      expect(bomb.limits.processes).toBe(true)
      const probe = new BoxProbe(limited, 'bomb')
      const count = PROCESS_LIMIT + 500
      const result = await probe.run('sh', '-c', `for i in $(seq ${count}); do sleep 1000 > /dev/null 2>&1 & done`)
      expect(result.stderr).toMatch(/fork/i)
      expect((await limited.metrics('bomb')).processes).toBeLessThanOrEqual(PROCESS_LIMIT + 2)
      expect(await request({ createConnection: await connection(limited, 'bomb'), path: '/status' })).toContain('ready')
      await limited.stop('bomb', { graceMs: 0 })
    } finally {
      await limited.dispose()
    }
  })

  it.runIf(process.getuid?.() === 0)(
    'BX405: a box that fills the disk is ended once the room for the others is touched, and its files stay',
    async () => {
      const folder = path.join(root, 'small-disk')
      await mkdir(folder)
      expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'small', folder]).status).toBe(0)
      const reserveBytes = 64 * 1024 * 1024
      const log = (): void => undefined
      const small = await createBwrapDriver({
        home: folder,
        devServer: standInDevServer,
        node: process.execPath,
        log,
        reserveBytes,
      })
      try {
        await startBox(small, 'neighbor')
        await startBox(small, 'filler', { ...tier, disk: 16 })
        const exited = new Promise<BoxExit>((resolve) => small.onExit(resolve))
        const filling = new BoxProbe(small, 'filler').sh('cat /dev/zero > big').catch(() => null)
        expect(await exited).toMatchObject({
          id: 'filler',
          reason: 'killed',
          log: expect.stringContaining('Remove files, or give the box a larger size.'),
        })
        await filling
        expect(await new BoxProbe(small, 'neighbor').sh('cat index.js && echo goes on')).toBe('goes on')
        expect(small.running().map(({ id }) => id)).toEqual(['neighbor'])
      } finally {
        await small.dispose()
        // Lazily: what the driver removed in the background may still be open.
        expect(spawnSync('umount', ['-l', folder]).status).toBe(0)
      }
    },
  )

  it('BX406: what is not a disk of the box is memory of fixed size, and no room of the host is written but its own', async () => {
    // Everything that is mounted for writing: disks of the box, its run folder, and memory with a limit.
    const mounts = (await box.sh('cut -d" " -f5,6 /proc/self/mountinfo')).split('\n').map((line) => line.split(' '))
    const writable = mounts.filter(([, options]) => options?.split(',').includes('rw')).map(([point]) => point)
    const own = ['/home/boxyard', '/project/workspace', '/run/boxyard', '/tmp', '/var/lib/boxyard', '/var/tmp']
    const ofTheKernel = /^\/(proc|dev)(\/|$)/
    expect(writable.filter((point) => !ofTheKernel.test(point ?? '')).toSorted()).toEqual(own)
    for (const [folder, bytes] of [
      ['/tmp', 1024 ** 3],
      ['/var/tmp', 1024 ** 3],
      ['/dev/shm', 256 * 1024 ** 2],
    ] as const) {
      expect(await box.sh(`df -B1 --output=size ${folder} | tail -1`)).toBe(String(bytes))
    }
  })

  it('BX44: memory beyond the tier is refused where the box says that memory is limited', async (context) => {
    if (!running.limits.memory) return context.skip('this machine gives the server no memory control group')
    await startBox(driver, 'hog', { ...tier, memory: 192 })
    const result = await new BoxProbe(driver, 'hog').run(
      'node',
      '-e',
      'const a = []; for (;;) a.push(Buffer.alloc(1e7, 1))',
    )
    expect(result.signal).toBe('SIGKILL')
    const metrics = await driver.metrics('hog')
    expect(metrics.memoryLimitBytes).toBe(192 * 1024 * 1024)
    expect(metrics.memoryBytes).toBeLessThanOrEqual(192 * 1024 * 1024)
    await driver.destroy('hog')
  })

  it('BX45: processor time is shared out as the tier says, where the box says that it is limited', async (context) => {
    if (!running.limits.cpu) return context.skip('this machine gives the server no processor control group')
    await startBox(driver, 'busy', { ...tier, cpu: 0.5 })
    const burn = 'const s = Date.now(); while (process.cpuUsage().user < 2e5); console.log(Date.now() - s)'
    const { stdout } = await new BoxProbe(driver, 'busy').run('node', '-e', burn)
    expect(Number(stdout)).toBeGreaterThan(300)
    await driver.destroy('busy')
  })

  it.each(['awake', 'asleep'])(
    'BX46: after kill -9 of the server nothing of a box that is %s is left but its disk',
    async (state) => {
      const folder = path.join(root, `killed-${state}`)
      const script = path.join(import.meta.dirname, '../testing/serverToKill.ts')
      const server = spawn(process.execPath, ['--import', 'tsx', script, 'bwrap', folder, template, state], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string]
      expect(JSON.parse(line)).toMatchObject({ processes: expect.any(Number) })
      const pid = server.pid ?? 0
      const before = (await processTree(pid)).filter((process) => process.pid !== pid)
      expect(before.length).toBeGreaterThan(3)
      server.kill('SIGKILL')
      await once(server, 'exit')
      const ended = async (): Promise<void> => {
        for (const process of before)
          while (await isAlive(process.pid)) await new Promise((resolve) => setImmediate(resolve))
      }
      if (state === 'awake') await ended()
      expect(await readFile('/proc/self/mountinfo', 'utf8')).not.toContain(folder)

      const again = await open(folder)
      try {
        await ended()
        expect(await readdir(path.join(folder, 'boxes'))).toEqual(['orphan'])
        expect(again.running()).toEqual([])
        await again.start('orphan', { epoch: 2, boot: 'RESUME', env: {}, egressSocket: null, onPhase: () => undefined })
        expect(await new BoxProbe(again, 'orphan').sh('cat kept')).toBe('acknowledged')
      } finally {
        await again.dispose()
      }
      expect(await boxGroups(folder)).toEqual([])
    },
  )
})

async function connection(on: BoxDriver, id: string) {
  const socket = await on.connect(id)
  return () => socket
}

/** Control groups of boxes of a server, wherever this process may have some. */
async function boxGroups(folder: string): Promise<string[]> {
  const cgroups = await CgroupHost.open(folder)
  return cgroups.existing()
}
