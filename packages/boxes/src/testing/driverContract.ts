import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { boxPaths } from '../boxContract.ts'
import { boxCapabilities } from '../driver.ts'
import type { BoxCapability, BoxDriver, BoxExit, BoxSpec, StartOptions } from '../driver.ts'
import { BoxProbe, request } from './boxProbe.ts'
import { removeTree } from './removeTree.ts'

export interface DriverContract {
  /** Makes and opens a driver on a folder; opening again must find what was there. */
  open: (home: string, deadlines?: { sandbox: number; devServer: number }) => Promise<BoxDriver>
  /** What the driver is expected to lack. Rules about these are replaced by the rule that it says so. */
  lacks: readonly BoxCapability[]
}

/** Rules BX1 to BX22 of SPEC.md, for any driver. */
export function driverContract(name: string, contract: DriverContract): void {
  describe(`driver contract: ${name}`, () => {
    let root: string
    let home: string
    let template: string
    let driver: BoxDriver
    let count = 0

    const lacks = (capability: BoxCapability): boolean => contract.lacks.includes(capability)
    const probe = (id: string): BoxProbe => new BoxProbe(driver, id)
    const spec = (id: string, disk?: BoxSpec['disk']): BoxSpec => ({
      id,
      disk: disk ?? { kind: 'folder', path: template },
      tier: { cpu: 1, memory: 512, disk: 1024 },
    })
    const start = async (id: string, options: Partial<StartOptions> = {}): ReturnType<BoxDriver['start']> =>
      driver.start(id, {
        epoch: 1,
        boot: 'CLEAN',
        env: {},
        egressSocket: null,
        onPhase: () => undefined,
        ...options,
      })
    const newBox = async (disk?: BoxSpec['disk']): Promise<string> => {
      count += 1
      const id = `box-${count}`
      await driver.create(spec(id, disk))
      return id
    }
    const runningBox = async (disk?: BoxSpec['disk']): Promise<string> => {
      const id = await newBox(disk)
      await start(id)
      return id
    }

    beforeAll(async () => {
      root = await mkdtemp(path.join(tmpdir(), `boxyard-${name}-`))
      home = path.join(root, 'home')
      template = path.join(root, 'template')
      await mkdir(path.join(template, 'src'), { recursive: true })
      await writeFile(path.join(template, 'src', 'index.js'), 'export const answer = 42\n')
      driver = await contract.open(home)
    })

    afterEach(async () => {
      for (const { id } of driver.running()) await driver.stop(id, { graceMs: 0 })
    })

    afterAll(async () => {
      await driver.dispose()
      await removeTree(root)
    })

    it('BX1: the probe started something and names exactly what the driver lacks', async () => {
      const result = await driver.probe()
      expect(result.reasons.join('\n')).not.toBe('')
      expect(result.ok, result.reasons.join('\n')).toBe(true)
      expect(boxCapabilities.filter((capability) => !result.capabilities.has(capability))).toEqual(contract.lacks)
    })

    it('BX2: create is idempotent, and an id belongs to one source', async () => {
      const id = await newBox()
      await driver.create(spec(id))
      await expect(driver.create(spec(id, { kind: 'folder', path: root }))).rejects.toMatchObject({
        code: 'BOX_EXISTS',
      })
      for (const invalid of ['', 'Upper', '../up', 'a/b', 'x'.repeat(41)]) {
        await expect(driver.create(spec(invalid))).rejects.toMatchObject({ code: 'BOX_INVALID' })
      }
      await expect(driver.create(spec('relative', { kind: 'folder', path: 'a' }))).rejects.toMatchObject({
        code: 'BOX_INVALID',
      })
    })

    it('BX3: a create that fails leaves nothing', async () => {
      const missing = { kind: 'folder', path: path.join(root, 'missing') } as const
      await expect(driver.create(spec('failing', missing))).rejects.toMatchObject({ code: 'DISK_FAILED' })
      expect(await readdir(path.join(home, 'boxes'))).not.toContain('failing')
      await expect(start('failing')).rejects.toMatchObject({ code: 'BOX_NOT_FOUND' })
      await driver.create(spec('failing'))
      await start('failing')
    })

    it('BX4: start reports its phases in order and resolves when the dev server answers', async () => {
      const id = await newBox()
      const phases: string[] = []
      const box = await start(id, { epoch: 7, onPhase: (phase) => phases.push(phase) })
      expect(phases).toEqual(['preparing-disk', 'starting-sandbox', 'starting-dev-server'])
      expect(box).toMatchObject({ id, epoch: 7 })
      expect(driver.running()).toContainEqual(box)
      const connection = await driver.connect(id)
      expect(await request({ createConnection: () => connection, path: '/status' })).toContain('"ready":true')
    })

    it('BX5: starts of a running box join its run', async () => {
      const id = await newBox()
      const [first, second] = await Promise.all([start(id, { epoch: 1 }), start(id, { epoch: 2 })])
      expect(first).toEqual(second)
      expect(await start(id, { epoch: 3 })).toEqual(first)
      expect((await driver.log(id)).match(/stand-in starts/g)).toHaveLength(1)
    })

    it('BX6: calls for a box that is not there or does not run say so', async () => {
      await expect(start('nobody')).rejects.toMatchObject({ code: 'BOX_NOT_FOUND' })
      await expect(driver.log('nobody')).rejects.toMatchObject({ code: 'BOX_NOT_FOUND' })
      await expect(driver.seal('nobody', 'disk')).rejects.toMatchObject({ code: 'BOX_NOT_FOUND' })
      await expect(driver.create(spec('orphan', { kind: 'box', boxId: 'nobody' }))).rejects.toMatchObject({
        code: 'BOX_NOT_FOUND',
      })
      const id = await newBox()
      await expect(driver.connect(id)).rejects.toMatchObject({ code: 'BOX_NOT_RUNNING' })
      await expect(driver.dial(id, 3000)).rejects.toMatchObject({ code: 'BOX_NOT_RUNNING' })
      await expect(driver.metrics(id)).rejects.toMatchObject({ code: 'BOX_NOT_RUNNING' })
      await driver.stop(id)
      await driver.stop('nobody')
    })

    it('BX7: the dev server gets its environment, and the folders it names are writable', async () => {
      const id = await newBox()
      await start(id, { epoch: 3, boot: 'FORK', env: { BOXYARD_PUBLIC_KEY: '{}', COLOR: 'blue "sky"\n$HOME' } })
      const env = await probe(id).env()
      expect(env).toMatchObject({
        BOXYARD_BOX_ID: id,
        BOXYARD_EPOCH: '3',
        BOXYARD_BOOT: 'FORK',
        BOXYARD_PUBLIC_KEY: '{}',
        COLOR: 'blue "sky"\n$HOME',
      })
      expect(env['BOXYARD_EGRESS_SOCKET']).toBeUndefined()
      const box = driver.running().find((running) => running.id === id)
      expect(await probe(id).sh('echo "$BOXYARD_WORKSPACE"')).toBe(box?.workspace)
      await probe(id).sh('touch "$BOXYARD_WORKSPACE/a" "$BOXYARD_STATE/a" "$HOME/a" && node --version && npm --version')
      expect(await probe(id).sh('cat "$BOXYARD_WORKSPACE/src/index.js"')).toBe('export const answer = 42')
      expect(await probe(id).sh('pwd -P')).toBe(await probe(id).sh('cd "$BOXYARD_WORKSPACE" && pwd -P'))
    })

    it('BX8: what is on the disk outlives a stop, what is in the run folder does not', async () => {
      const id = await runningBox()
      await probe(id).sh('echo kept > "$BOXYARD_WORKSPACE/file" && touch "$(dirname "$BOXYARD_SOCKET")/left"')
      await driver.stop(id)
      await start(id, { epoch: 2 })
      expect(await probe(id).sh('cat "$BOXYARD_WORKSPACE/file"')).toBe('kept')
      expect(await probe(id).sh('ls "$(dirname "$BOXYARD_SOCKET")"')).toBe(path.basename(boxPaths.devServerSocket))
    })

    it('BX9: stop flushes, then lets the dev server end in order', async () => {
      const id = await runningBox()
      await Promise.all([driver.stop(id), driver.stop(id)])
      expect(driver.running()).toEqual([])
      await start(id, { epoch: 2 })
      expect(await probe(id).sh('cat "$BOXYARD_STATE/flushed" "$BOXYARD_STATE/ended"')).toBe('flushed\nended in order')
    })

    it('BX10: a dev server that ends before it answers is DEV_SERVER_FAILED with its last lines', async () => {
      const id = await newBox()
      await expect(start(id, { env: { STAND_IN: 'exit' } })).rejects.toMatchObject({
        code: 'DEV_SERVER_FAILED',
        message: expect.stringContaining('the stand-in was told to end'),
      })
      expect(driver.running()).toEqual([])
      expect(await driver.log(id)).toContain('the stand-in was told to end')
      await start(id, { epoch: 2 })
    })

    it('BX11: a dev server that never answers is DEADLINE, and nothing of it is left', async () => {
      const home = path.join(root, 'impatient')
      const options = { boot: 'CLEAN', egressSocket: null, onPhase: () => undefined } as const
      const impatient = await contract.open(home, { sandbox: 20_000, devServer: 1_000 })
      try {
        await impatient.create(spec('silent'))
        await expect(
          impatient.start('silent', { ...options, epoch: 1, env: { STAND_IN: 'silent' } }),
        ).rejects.toMatchObject({
          code: 'DEADLINE',
        })
        expect(impatient.running()).toEqual([])
      } finally {
        await impatient.dispose()
      }
      const patient = await contract.open(home)
      try {
        await patient.start('silent', { ...options, epoch: 2, env: {} })
      } finally {
        await patient.dispose()
      }
    })

    it('BX12: dial reaches what listens in the box and refuses what does not', async () => {
      const id = await runningBox()
      const port = 20_000 + Math.floor(Math.random() * 20_000)
      await expect(driver.dial(id, port)).rejects.toMatchObject({ code: 'PORT_CLOSED' })
      await probe(id).listen(port, 'hello from the box')
      const connection = await driver.dial(id, port)
      expect(await request({ createConnection: () => connection, path: '/' })).toBe('hello from the box')
    })

    it('BX13: each end of a run is reported once, with its reason', async () => {
      const exits: BoxExit[] = []
      const waiting: (() => void)[] = []
      const unsubscribe = driver.onExit((exit) => {
        exits.push(exit)
        waiting.shift()?.()
      })
      const nextExit = (): Promise<void> => new Promise((resolve) => waiting.push(resolve))
      const id = await runningBox()
      await driver.stop(id)
      await start(id, { epoch: 2 })
      let ended = nextExit()
      await Promise.allSettled([probe(id).endKeeper('KILL'), ended])
      await start(id, { epoch: 3 })
      ended = nextExit()
      await Promise.allSettled([probe(id).endKeeper('TERM'), ended])
      unsubscribe()
      expect(exits.map(({ epoch, reason }) => [epoch, reason])).toEqual([
        [1, 'stopped'],
        [2, 'killed'],
        [3, 'exited'],
      ])
      expect(exits[1]?.log).toContain('stand-in starts')
      expect(driver.running()).toEqual([])
    })

    it('BX720: a dev server that ends in a running box is started again in the same run, and whoever comes meanwhile waits for it', async () => {
      const id = await newBox()
      const run = await start(id, { epoch: 5 })
      for (const signal of ['KILL', 'TERM'] as const) {
        const before = await probe(id).sh('echo kept > "$BOXYARD_WORKSPACE/kept"; sync; echo $PPID')
        await probe(id).endDevServer(signal)
        expect(await probe(id).sh('cat "$BOXYARD_WORKSPACE/kept"')).toBe('kept')
        expect(await probe(id).sh('echo $PPID')).not.toBe(before)
      }
      expect(await probe(id).env()).toMatchObject({ BOXYARD_EPOCH: '5', BOXYARD_BOOT: 'RESUME', BOXYARD_ENDS: '2' })
      expect(driver.running()).toContainEqual(run)
      expect(await driver.log(id)).toMatch(/ended with 137[^]*started again[^]*ended with 0[^]*started again/)
      await driver.stop(id)
      expect(driver.running()).toEqual([])
      await start(id, { epoch: 6 })
      expect(await probe(id).sh('cat "$BOXYARD_STATE/ended"')).toBe('ended in order\nended in order')
    })

    it('BX14: a sealed disk is the source of boxes that share nothing afterwards', async () => {
      const id = await runningBox()
      await probe(id).sh(
        'for f in WORKSPACE STATE; do eval "echo sealed > \\"\\$BOXYARD_$f/file\\""; done; echo sealed > ~/file',
      )
      await driver.stop(id)
      await driver.seal(id, 'sealed-1')
      await driver.seal(id, 'sealed-1')
      expect(await driver.hasSealed('sealed-1')).toBe(true)
      expect(await driver.hasSealed('sealed-2')).toBe(false)
      const [one, two] = await Promise.all([
        runningBox({ kind: 'sealed', diskId: 'sealed-1' }),
        runningBox({ kind: 'sealed', diskId: 'sealed-1' }),
      ])
      await start(id, { epoch: 2 })
      await probe(one).sh('echo one > "$BOXYARD_WORKSPACE/file"; rm -r "$BOXYARD_WORKSPACE/src"')
      await probe(id).sh('echo source > "$BOXYARD_WORKSPACE/file"')
      expect(await probe(one).sh('cat "$BOXYARD_WORKSPACE/file" "$BOXYARD_STATE/file" ~/file')).toBe(
        'one\nsealed\nsealed',
      )
      expect(await probe(two).sh('cat "$BOXYARD_WORKSPACE/file" && ls "$BOXYARD_WORKSPACE/src"')).toBe(
        'sealed\nindex.js',
      )
      expect(await probe(id).sh('cat "$BOXYARD_WORKSPACE/file"')).toBe('source')
      const three = await runningBox({ kind: 'sealed', diskId: 'sealed-1' })
      expect(await probe(three).sh('cat "$BOXYARD_WORKSPACE/file"')).toBe('sealed')
    })

    it('BX15: a box made from a sealed disk outlives the disk', async () => {
      const id = await newBox()
      await driver.seal(id, 'short-lived')
      const fork = await newBox({ kind: 'sealed', diskId: 'short-lived' })
      await driver.removeSealed('short-lived')
      await driver.removeSealed('short-lived')
      expect(await driver.hasSealed('short-lived')).toBe(false)
      await driver.destroy(id)
      await start(fork)
      expect(await probe(fork).sh('cat "$BOXYARD_WORKSPACE/src/index.js"')).toContain('42')
      await expect(newBox({ kind: 'sealed', diskId: 'short-lived' })).rejects.toMatchObject({ code: 'DISK_FAILED' })
    })

    it('BX16: a stopped box is forked as it is, and forks are forked', async () => {
      const id = await runningBox()
      await probe(id).sh('echo first > "$BOXYARD_WORKSPACE/file"')
      await driver.stop(id)
      let last = id
      // Longer than any chain of layers.
      for (let generation = 0; generation < 12; generation += 1) last = await newBox({ kind: 'box', boxId: last })
      await start(last)
      await start(id, { epoch: 2 })
      await probe(last).sh('echo second > "$BOXYARD_WORKSPACE/file"')
      expect(await probe(id).sh('cat "$BOXYARD_WORKSPACE/file"')).toBe('first')
    })

    it(`BX17: a running box is ${lacks('liveFork') ? 'not forked, and says so' : 'flushed and forked while it runs'}`, async () => {
      const id = await runningBox()
      await probe(id).sh(
        'echo live > "$BOXYARD_WORKSPACE/file"; rm -r "$BOXYARD_WORKSPACE/src"; mkdir "$BOXYARD_WORKSPACE/src"',
      )
      const forking = newBox({ kind: 'box', boxId: id })
      if (lacks('liveFork')) return expect(forking).rejects.toMatchObject({ code: 'UNSUPPORTED' })
      const fork = await forking
      await start(fork)
      await probe(id).sh('echo changed > "$BOXYARD_WORKSPACE/file"')
      expect(await probe(fork).sh('cat "$BOXYARD_WORKSPACE/file" "$BOXYARD_STATE/flushed"')).toBe('live\nflushed')
      expect(await probe(fork).sh('ls "$BOXYARD_WORKSPACE/src"')).toBe('')
    })

    it(`BX700: the processes of a running box ${lacks('memoryFork') ? 'are not forked, which is said' : 'go on in its fork, and both go apart'}`, async () => {
      const id = await runningBox()
      await probe(id).sh('echo before > "$BOXYARD_WORKSPACE/file"; sleep 100000 >&- 2>&- & echo $! > /tmp/pid')
      const disk = { kind: 'box', boxId: id, memory: true } as const
      if (lacks('memoryFork')) return expect(newBox(disk)).rejects.toMatchObject({ code: 'UNSUPPORTED' })
      const fork = await newBox(disk)
      const lives = 'kill -0 $(cat /tmp/pid) && cat "$BOXYARD_WORKSPACE/file"'
      expect(await probe(id).sh(lives)).toBe('before')
      await probe(id).sh('echo original > "$BOXYARD_WORKSPACE/file"; kill $(cat /tmp/pid)')
      await start(fork, { epoch: 4, boot: 'FORK' })
      expect(await probe(fork).sh(lives)).toBe('before')
      expect(await probe(fork).env()).toMatchObject({ BOXYARD_BOX_ID: fork, BOXYARD_EPOCH: '4', BOXYARD_BOOT: 'FORK' })
      const facts = async (box: string): Promise<string[]> =>
        (
          await probe(box).sh(
            'head -c 16 /dev/urandom | base64; cat /etc/machine-id /proc/sys/kernel/random/uuid; uname -n',
          )
        ).split('\n')
      const [original, copied] = await Promise.all([facts(id), facts(fork)])
      for (const index of [0, 1, 2, 3]) expect(copied[index]).not.toBe(original[index])
      await probe(fork).sh('echo fork > "$BOXYARD_WORKSPACE/file"')
      expect(await probe(id).sh('cat "$BOXYARD_WORKSPACE/file"')).toBe('original')
      await driver.stop(fork)
      await start(fork, { epoch: 5, boot: 'RESUME' })
      expect(await probe(fork).sh('cat "$BOXYARD_WORKSPACE/file"; ls /tmp/pid 2>&1 || true')).toMatch(
        /^fork\n.*No such/,
      )
    })

    it(`BX18: a box is ${lacks('pause') ? 'not paused, and says so' : 'paused and goes on where it was'}`, async () => {
      const id = await runningBox()
      if (lacks('pause')) return expect(driver.pause(id)).rejects.toMatchObject({ code: 'UNSUPPORTED' })
      await driver.pause(id)
      await driver.pause(id)
      let answered = false
      const answer = probe(id)
        .sh('echo awake')
        .finally(() => (answered = true))
      const before = await driver.metrics(id)
      expect((await driver.metrics(id)).cpuUsec).toBe(before.cpuUsec)
      expect(answered).toBe(false)
      await driver.unpause(id)
      expect(await answer).toBe('awake')
      await driver.pause(id)
      await driver.stop(id)
      expect(driver.running()).toEqual([])
    })

    it(`BX110: hibernation flushes, and keeps ${lacks('pause') ? 'the files only' : 'the memory'}`, async () => {
      const id = await runningBox()
      await probe(id).sh('echo kept > "$BOXYARD_WORKSPACE/kept"; sleep 1000 >&- 2>&- & echo $! > "$BOXYARD_STATE/pid"')
      expect(await driver.hibernate(id)).toBe(!lacks('pause'))
      if (lacks('pause')) {
        expect(driver.running()).toEqual([])
        await start(id, { epoch: 2, boot: 'RESUME' })
      } else {
        expect(await driver.hibernate(id)).toBe(true)
        const { cpuUsec } = await driver.metrics(id)
        expect((await driver.metrics(id)).cpuUsec).toBe(cpuUsec)
        await driver.resume(id)
        expect(await probe(id).sh('kill -0 $(cat "$BOXYARD_STATE/pid") && echo lives')).toBe('lives')
      }
      expect(await probe(id).sh('cat "$BOXYARD_WORKSPACE/kept" "$BOXYARD_STATE/flushed" | head -n 2')).toBe(
        'kept\nasleep',
      )
      await driver.hibernate(id)
      await driver.destroy(id)
      expect(driver.running()).toEqual([])
    })

    it(`BX111: a box gets another size ${lacks('resizeOnline') ? 'at its next start' : 'while it runs'}`, async () => {
      const id = await runningBox()
      const tier = { cpu: 2, memory: 1024, disk: 2048 }
      expect(await driver.resize(id, tier)).toBe(!lacks('resizeOnline'))
      const limit = lacks('hardLimits') ? null : 1024 * 1024 * 1024
      if (!lacks('resizeOnline')) {
        expect((await driver.metrics(id)).memoryLimitBytes).toBe(limit)
        expect(await driver.resize(id, { ...tier, memory: 1 })).toBe(false)
        expect((await driver.metrics(id)).memoryLimitBytes).toBe(limit)
        expect(await driver.resize(id, { ...tier, memory: 512 })).toBe(true)
        expect(await driver.resize(id, tier)).toBe(true)
      }
      await driver.stop(id)
      await start(id, { epoch: 2, boot: 'RESUME' })
      expect((await driver.metrics(id)).memoryLimitBytes).toBe(limit)
      await expect(driver.resize(id, { ...tier, cpu: 0 })).rejects.toMatchObject({ code: 'BOX_INVALID' })
    })

    it('BX19: metrics are measured', async () => {
      const id = await runningBox()
      const before = await driver.metrics(id)
      expect(before.processes).toBeGreaterThan(0)
      expect(before.memoryBytes).toBeGreaterThan(1024 * 1024)
      await probe(id).sh('head -c 5000000 /dev/urandom > "$BOXYARD_WORKSPACE/big"; sync')
      await probe(id).run('node', '-e', 'for (let i = 0, end = Date.now() + 1100; Date.now() < end; i++);')
      const after = await driver.metrics(id)
      expect(after.diskBytes - before.diskBytes).toBeGreaterThan(4_000_000)
      if (driver.name !== 'process') expect(after.cpuUsec).toBeGreaterThan(before.cpuUsec)
    })

    it('BX20: destroy ends a running box and removes its disk; the id is free again', async () => {
      const id = await runningBox()
      await driver.destroy(id)
      await driver.destroy(id)
      expect(driver.running()).toEqual([])
      await expect(start(id)).rejects.toMatchObject({ code: 'BOX_NOT_FOUND' })
      expect(await readdir(path.join(home, 'boxes'))).not.toContain(id)
      await driver.create(spec(id))
      await start(id)
    })

    it('BX21: a stop during a start ends the start', async () => {
      const id = await newBox()
      const stopped: Promise<void>[] = []
      const starting = start(id, {
        env: { STAND_IN: 'silent' },
        onPhase: (phase) => {
          if (phase === 'starting-dev-server') stopped.push(driver.stop(id))
        },
      })
      await expect(starting).rejects.toMatchObject({ code: 'BOX_NOT_RUNNING' })
      await Promise.all(stopped)
      expect(stopped).toHaveLength(1)
      await start(id, { epoch: 2 })
    })

    it('BX22: a new driver on the same folder finds the boxes and removes what was half made', async () => {
      const second = path.join(root, 'second')
      const first = await contract.open(second)
      await first.create(spec('kept'))
      await first.dispose()
      await mkdir(path.join(second, 'boxes', 'half', 'upper'), { recursive: true })
      const again = await contract.open(second)
      try {
        expect(await readdir(path.join(second, 'boxes'))).toEqual(['kept'])
        await again.start('kept', { epoch: 1, boot: 'RESUME', env: {}, egressSocket: null, onPhase: () => undefined })
        await again.dispose()
        expect(again.running()).toEqual([])
      } finally {
        await again.dispose()
      }
    })
  })
}
