import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, readdir, readlink, stat, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { BoxDriver, StartOptions } from '../driver.ts'
import { CgroupHost } from '../cgroup/cgroupHost.ts'
import { isAlive, processTree } from '../processTree.ts'
import { BoxProbe } from '../testing/boxProbe.ts'
import { guestSources, machineImages, machineOptions, whyNoMachines } from '../testing/machines.ts'
import { removeTree } from '../testing/removeTree.ts'
import { tcg } from './accelerator.ts'
import { createVmDriver, MACHINE_HOST_USER } from './createVmDriver.ts'
import { GuestImages } from './guestImages.ts'
import { MachineTemplates } from './machineTemplates.ts'

const root = await mkdtemp(path.join(tmpdir(), 'boxyard-machines-'))
const reason = await whyNoMachines(path.join(root, 'probe'))
if (reason !== null) it.skip(`virtual machines are not tested: ${reason}`)

const CYCLES = Number(process.env['BOXYARD_CYCLES'] ?? 4)
const GIB = 1024 ** 3
const TIER = { cpu: 1, memory: 512, disk: 1024 }

describe.runIf(reason === null)('machines', () => {
  const home = path.join(root, 'home')
  const template = path.join(root, 'template')
  let driver: BoxDriver

  const probe = (id: string): BoxProbe => new BoxProbe(driver, id)
  const create = (id: string): Promise<void> =>
    driver.create({ id, disk: { kind: 'folder', path: template }, tier: TIER })
  const start = (id: string, options: Partial<StartOptions> = {}): ReturnType<BoxDriver['start']> =>
    driver.start(id, { epoch: 1, boot: 'CLEAN', env: {}, egressSocket: null, onPhase: () => undefined, ...options })

  beforeAll(async () => {
    await mkdir(template)
    await writeFile(path.join(template, 'file'), 'from the template')
    driver = await createVmDriver(machineOptions(home))
  })

  afterEach(async () => {
    for (const { id } of driver.running()) await driver.stop(id, { graceMs: 0 })
  })

  afterAll(async () => {
    await driver.dispose()
    await removeTree(root)
  })

  it('BX500: what machines boot from is made once and kept by its content', async () => {
    const said: string[] = []
    const images = new GuestImages({ folder: machineImages, sources: guestSources, log: (line) => said.push(line) })
    const { kernel, root: system, initrd } = await images.image()
    expect(said).toEqual([])
    for (const file of [kernel, system, initrd]) expect((await stat(file)).isFile()).toBe(true)
    const one = await images.ofFolder(template)
    expect(await images.ofFolder(template)).toBe(one)
    await writeFile(path.join(template, 'more'), 'more')
    expect(await images.ofFolder(template)).not.toBe(one)
  })

  it('BX501: an accelerator on which no machine boots in time is not taken', async () => {
    const { isolation, reasons, capabilities } = await driver.probe()
    expect(capabilities.has('strongIsolation')).toBe(isolation === 'vm')
    expect(reasons.join(' ')).toMatch(isolation === 'vm' ? /on KVM/ : /TCG/)
    const images = new GuestImages({ folder: machineImages, sources: guestSources, log: () => undefined })
    const folder = path.join(root, 'templates')
    const templates = new MachineTemplates(folder, null)
    const room = { moreMiB: 1024, mostCpus: 1 }
    const kind = {
      image: await images.image(),
      devServer: await images.ofFolder(template),
      memoryMiB: 256,
      cpus: 1,
      ...room,
    }
    await expect(templates.memoryOf({ ...kind, accelerator: tcg }, 1)).rejects.toMatchObject({ code: 'DEADLINE' })
    const missing = { ...tcg, argument: 'none' }
    await expect(templates.memoryOf({ ...kind, accelerator: missing }, 10_000)).rejects.toMatchObject({
      code: 'SANDBOX_FAILED',
    })
    expect(await readdir(folder)).toEqual([])
  })

  it('BX502: copies of one booted machine differ in entropy, identity and name, and have the time', async () => {
    await Promise.all([create('one'), create('two')])
    await Promise.all([start('one'), start('two')])
    const facts = async (id: string): Promise<string[]> =>
      (
        await probe(id).sh(
          'head -c 16 /dev/urandom | base64; cat /etc/machine-id /proc/sys/kernel/random/uuid; uname -n; date +%s',
        )
      ).split('\n')
    const [one, two] = await Promise.all([facts('one'), facts('two')])
    for (const index of [0, 1, 2, 3]) expect(one[index]).not.toBe(two[index])
    expect(one[3]).toBe('one')
    expect(Math.abs(Number(one[4]) * 1000 - Date.now())).toBeLessThan(30_000)
  })

  // A hundred cycles: TEST_MACHINES=yes BOXYARD_CYCLES=100 npx vitest run --project integration packages/boxes/src/vm/machines -t BX511
  it(
    'BX503, BX511: a box that slept on disk goes on with its processes and its files, again and again',
    async () => {
      await create('sleeper')
      await start('sleeper')
      await probe('sleeper').sh('sleep 100000 >&- 2>&- & echo $! > "$BOXYARD_STATE/pid"')
      const memory = path.join(home, 'boxes', 'sleeper', 'machine', 'memory')
      for (let cycle = 0; cycle < CYCLES; cycle += 1) {
        // The disk is not larger than that.
        const n = cycle % 8
        await probe('sleeper').sh(`mkdir -p d${n} && head -c 3000000 /dev/urandom > d${n}/f && cp d${n}/f g${n}`)
        const before = await probe('sleeper').sh('find . -type f | sort | xargs sha256sum | sha256sum')
        const open = await driver.connect('sleeper')
        const ended = once(open.resume(), 'close')
        expect(await driver.hibernate('sleeper')).toBe(true)
        await ended
        expect((await driver.metrics('sleeper')).memoryBytes).toBe(0)
        expect((await stat(memory)).size).toBeGreaterThan(10_000_000)
        expect(driver.running().map(({ id }) => id)).toEqual(['sleeper'])
        await driver.resume('sleeper')
        await expect(stat(memory)).rejects.toMatchObject({ code: 'ENOENT' })
        expect(await probe('sleeper').sh('find . -type f | sort | xargs sha256sum | sha256sum')).toBe(before)
        expect(await probe('sleeper').sh('kill -0 $(cat "$BOXYARD_STATE/pid") && echo lives')).toBe('lives')
      }
      await driver.hibernate('sleeper')
      await driver.stop('sleeper')
      await start('sleeper', { epoch: 2, boot: 'RESUME' })
      expect(await probe('sleeper').sh('ls -d [dg]? | wc -l && cat "$BOXYARD_STATE/ended"')).toBe(
        `${2 * Math.min(CYCLES, 8)}\nended in order`,
      )
      // Each cycle moves the memory of a machine that may be interpreted.
    },
    120_000 + CYCLES * 60_000,
  )

  it('BX504: a machine has no network, and reaches nothing but the egress proxy', async () => {
    const socket = path.join(root, 'egress.sock')
    const proxy = net.createServer((connection) => connection.on('data', (data) => connection.end(`heard ${data}`)))
    await once(proxy.listen(socket), 'listening')
    try {
      await create('networked')
      await start('networked', { egressSocket: socket })
      expect(await probe('networked').sh("sed 's/:.*//' /proc/net/dev | tail -n +3 | tr -d ' '")).toBe('lo')
      const ask = 'import os,socket as s; c=s.socket(s.AF_UNIX); c.connect(os.environ["BOXYARD_EGRESS_SOCKET"])'
      const line = `${ask}; c.send(b"hello"); print(c.recv(99).decode())`
      expect(await probe('networked').sh(`python3 -c '${line}'`)).toBe('heard hello')
      const { port } = await listening()
      const direct = `python3 -c 'import socket; socket.create_connection(("10.0.2.2", ${port}), 3)' 2>&1 | tail -n 1`
      expect(await probe('networked').sh(direct)).toContain('Network is unreachable')
    } finally {
      proxy.close()
    }
  })

  it('BX505: QEMU has no rights, no network, no processes beside it and none of the files of others', async () => {
    await Promise.all([create('confined'), create('other')])
    await start('confined')
    const pid = await qemuOf(process.pid)
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    expect(status).toMatch(/^CapEff:\s+0+$/m)
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
    expect(status).toMatch(/^Seccomp:\s+2$/m)
    if (process.getuid?.() === 0) expect(status).toMatch(new RegExp(`^Uid:\\s+${MACHINE_HOST_USER.uid}\\s`, 'm'))
    for (const kind of ['net', 'pid', 'mnt', 'ipc', 'user']) {
      expect(await readlink(`/proc/${pid}/ns/${kind}`)).not.toBe(await readlink(`/proc/self/ns/${kind}`))
    }
    expect(await readdir(`/proc/${pid}/root/`)).not.toContain('home')
    // One folder of layers: its own.
    expect(await readdir(`/proc/${pid}/root/vm/layers`)).toHaveLength(1)
    expect((await readdir(path.join(home, 'layers'))).length).toBeGreaterThan(1)
  })

  it('BX865: QEMU itself is held in memory, processors and threads, where the machine has control groups', async () => {
    const { reasons } = await driver.probe()
    await create('held')
    await start('held')
    const pid = await qemuOf(process.pid)
    const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8')
    const isHeld = reasons.includes('QEMU is held by control groups.')
    expect(/boxyard-[\da-f]+-held$/m.test(groups)).toBe(isHeld)
    await driver.hibernate('held')
    await driver.resume('held')
    expect(/boxyard-[\da-f]+-held$/m.test(await readFile(`/proc/${await qemuOf(process.pid)}/cgroup`, 'utf8'))).toBe(
      isHeld,
    )
    await driver.destroy('held')
    const left = (await CgroupHost.open(home)).existing()
    expect((await left).filter((folder) => folder.endsWith('-held'))).toEqual([])
  })

  it('BX506: kill -9 of the server ends its machines, and what was acknowledged is there', async () => {
    const folder = path.join(root, 'killed')
    const script = path.join(import.meta.dirname, '../testing/serverToKill.ts')
    const server = spawn(process.execPath, ['--import', 'tsx', script, 'vm', folder, template], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(createInterface({ input: server.stdout }), 'line')
    const pid = await qemuOf(server.pid ?? 0)
    server.kill('SIGKILL')
    await once(server, 'exit')
    while (await isAlive(pid)) await new Promise((resolve) => setImmediate(resolve))
    const next = await createVmDriver(machineOptions(folder))
    try {
      await next.start('orphan', { epoch: 2, boot: 'RESUME', env: {}, egressSocket: null, onPhase: () => undefined })
      expect(await new BoxProbe(next, 'orphan').sh('cat kept')).toBe('acknowledged')
      expect(await next.hasSealed('layered')).toBe(true)
    } finally {
      await next.dispose()
    }
  })

  it('BX509: a disk grows with the size of the box, also while it runs, and does not shrink', async () => {
    await create('growing')
    await start('growing')
    const size = async (): Promise<number> =>
      Number(await probe('growing').sh('df -B1 --output=size . | tail -n 1')) / GIB
    expect(await size()).toBeLessThan(1.1)
    expect(await driver.resize('growing', { ...TIER, disk: 3072 })).toBe(true)
    expect(await size()).toBeGreaterThan(2.7)
    expect((await driver.metrics('growing')).diskLimitBytes).toBe(3 * GIB)
    await driver.stop('growing')
    await driver.resize('growing', { ...TIER, disk: 4096 })
    await start('growing', { epoch: 2 })
    expect(await size()).toBeGreaterThan(3.6)
    expect(await driver.resize('growing', TIER)).toBe(true)
    expect(await size()).toBeGreaterThan(3.6)
    expect(await probe('growing').sh('cat file')).toBe('from the template')
  })

  /** Processors at work and MiB of memory, as programs in a box see them. */
  const sizeIn = async (id: string): Promise<[cpus: number, total: number]> => {
    const [cpus, total] = (await probe(id).sh("nproc; awk '/^MemTotal/ {print $2}' /proc/meminfo")).split('\n')
    return [Number(cpus), Number(total) / 1024]
  }

  it('BX707: a machine becomes smaller at once and as large again as it was made, unless it uses more', async () => {
    const made = { cpu: 2, memory: 512, disk: 1024 }
    await driver.create({ id: 'shrinking', disk: { kind: 'folder', path: template }, tier: made })
    await start('shrinking')
    const [cpus, whole] = await sizeIn('shrinking')
    expect(await driver.resize('shrinking', { ...made, cpu: 1, memory: 384 })).toBe(true)
    const [fewer, less] = await sizeIn('shrinking')
    expect(fewer).toBe(1)
    expect(whole - less).toBeCloseTo(128, 0)
    expect((await driver.metrics('shrinking')).memoryLimitBytes).toBe(384 * 1024 * 1024)
    expect(await driver.resize('shrinking', { ...made, memory: 64 })).toBe(false)
    expect(await sizeIn('shrinking')).toEqual([fewer, less])
    // What was given back stays so over a sleep.
    await driver.hibernate('shrinking')
    await driver.resume('shrinking')
    expect(await sizeIn('shrinking')).toEqual([fewer, less])
    expect(await driver.resize('shrinking', made)).toBe(true)
    expect(await sizeIn('shrinking')).toEqual([cpus, whole])
  })

  it('BX879: a machine that runs grows beyond what it booted with, keeps that asleep and in copies, and gives it back', async () => {
    const grown = { cpu: 2, memory: 1024, disk: 1024 }
    await create('growing-up')
    await start('growing-up')
    const [one, whole] = await sizeIn('growing-up')
    expect(one).toBe(1)
    expect(await driver.resize('growing-up', grown)).toBe(true)
    const large = await sizeIn('growing-up')
    expect(large[0]).toBe(Math.min(2, availableParallelism()))
    expect(large[1] - whole).toBeCloseTo(512, 0)
    expect((await driver.metrics('growing-up')).memoryLimitBytes).toBe(1024 * 1024 * 1024)
    // More than it booted with, and it stays what it is over a sleep and in a copy.
    const holder =
      'import os, time; held = os.urandom(1 << 20) * 600; print(held[-1] == held[(1 << 20) - 1], flush=True)'
    await probe('growing-up').sh(
      `python3 -c '${holder}; time.sleep(1e6)' > held 2>&1 & echo $! > pid; while [ ! -s held ]; do sleep 0.1; done`,
    )
    expect(await probe('growing-up').sh('cat held')).toBe('True')
    expect(await driver.resize('growing-up', TIER)).toBe(false)
    await driver.hibernate('growing-up')
    await driver.resume('growing-up')
    expect(await sizeIn('growing-up')).toEqual(large)
    const memory = { kind: 'box', boxId: 'growing-up', memory: true } as const
    await driver.create({ id: 'grown-copy', disk: memory, tier: grown })
    await start('grown-copy', { boot: 'FORK' })
    expect(await sizeIn('grown-copy')).toEqual(large)
    expect(await probe('grown-copy').sh('kill $(cat pid) && echo lived')).toBe('lived')
    await driver.destroy('grown-copy')
    expect(
      await probe('growing-up').sh('kill $(cat pid) && while kill -0 $(cat pid) 2> /dev/null; do sleep 0.1; done'),
    ).toBe('')
    expect(await driver.resize('growing-up', TIER)).toBe(true)
    expect(await sizeIn('growing-up')).toEqual([one, whole])
    // No host has so much.
    expect(await driver.resize('growing-up', { ...TIER, memory: 1e9 })).toBe(false)
    expect(await sizeIn('growing-up')).toEqual([one, whole])
  })

  it('BX510: a sleeping box is forked as it sleeps, and both go on apart', async () => {
    await create('asleep')
    await start('asleep')
    await probe('asleep').sh('echo before > note')
    await driver.hibernate('asleep')
    await driver.create({ id: 'copy', disk: { kind: 'box', boxId: 'asleep' }, tier: TIER })
    await driver.resume('asleep')
    await probe('asleep').sh('echo after > note; sync')
    await start('copy', { boot: 'FORK' })
    expect(await probe('copy').sh('cat note')).toBe('before')
    await driver.stop('asleep')
    await start('asleep', { epoch: 2 })
    expect(await probe('asleep').sh('cat note')).toBe('after')
  })

  it('BX512: layers go with the last disk that needs them', async () => {
    await create('parent')
    await driver.seal('parent', 'kept')
    await driver.create({ id: 'child', disk: { kind: 'sealed', diskId: 'kept' }, tier: TIER })
    const layers = async (): Promise<number> => (await readdir(path.join(home, 'layers'), { recursive: true })).length
    const all = await layers()
    await driver.destroy('parent')
    await driver.removeSealed('kept')
    const shared = await layers()
    expect(shared).toBeLessThan(all)
    await start('child')
    expect(await probe('child').sh('cat file')).toBe('from the template')
    await driver.destroy('child')
    expect(await layers()).toBeLessThan(shared - 1)
  })
})

async function listening(): Promise<{ port: number }> {
  const server = net.createServer().listen(0).unref()
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not a port')
  return { port: address.port }
}

async function qemuOf(server: number): Promise<number> {
  for (const { pid } of await processTree(server)) {
    if ((await readFile(`/proc/${pid}/comm`, 'utf8')).startsWith('qemu-system')) return pid
  }
  throw new Error('there is no QEMU')
}
