import { describe, expect, it } from 'vitest'
import type { DiskSource } from '../driver.ts'
import { BoxError } from '../errors.ts'
import { boxRecord } from '../testing/boxStoreContract.ts'
import { FakeClock } from '../testing/fakeClock.ts'
import { FakeDriver } from '../testing/fakeDriver.ts'
import { LONGEST_SLEEP_MS, phaseDeadlines } from './boxMachine.ts'
import type { BoxRecord } from './boxRecord.ts'
import type { BoxProgress, NewBox } from './boxService.ts'
import { BoxService } from './boxService.ts'
import { MemoryBoxStore } from './memoryBoxStore.ts'

const env = {}
const newBox = (id: string, disk: NewBox['disk'] = { kind: 'folder', path: '/template' }): NewBox => ({
  ...boxRecord(id).spec,
  disk,
  inheritsSetup: true,
})

async function setUp(records: BoxRecord[] = [], options: { sleepBudgetBytes?: number } = {}) {
  const driver = new FakeDriver()
  const store = new MemoryBoxStore()
  for (const record of records) await store.save(record)
  const clock = new FakeClock()
  const log: string[] = []
  const service = new BoxService({ driver, store, clock, log: (message) => log.push(message), ...options })
  await service.open()
  /** Resolves when the progress of a box fulfills the condition. */
  const until = (id: string, condition: (progress: BoxProgress) => boolean): Promise<BoxProgress> =>
    new Promise((resolve) => {
      let stop: (() => void) | null = null
      void service
        .onProgress(id, (progress) => {
          if (!condition(progress)) return
          stop?.()
          resolve(progress)
        })
        .then((unsubscribe) => (stop = unsubscribe))
    })
  return { driver, store, clock, log, service, until }
}

describe('boot type', () => {
  it('BX60: the first start from a folder is CLEAN, later ones are RESUME, and a running box is RUNNING', async () => {
    const { service, driver } = await setUp()
    await service.create(newBox('one'))
    expect(await service.start('one', { env })).toMatchObject({ epoch: 1, bootType: 'CLEAN' })
    expect(await service.start('one', { env })).toMatchObject({ epoch: 1, bootType: 'RUNNING' })
    await service.stop('one')
    expect(await service.start('one', { env })).toMatchObject({ epoch: 2, bootType: 'RESUME' })
    expect(await service.restart('one', { env, clean: true })).toMatchObject({ epoch: 3, bootType: 'CLEAN' })
    expect(driver.starts.map(({ options }) => options.boot)).toEqual(['CLEAN', 'RESUME', 'CLEAN'])
  })

  it('BX61: the first start of a fork is FORK when the set-up of its source is done, else CLEAN', async () => {
    const { service, driver } = await setUp()
    driver.sealed.add('disk')
    await service.create(newBox('fork', { kind: 'sealed', diskId: 'disk' }))
    await service.create({ ...newBox('raw', { kind: 'sealed', diskId: 'disk' }), inheritsSetup: false })
    expect(await service.start('fork', { env })).toMatchObject({ bootType: 'FORK' })
    expect(await service.start('raw', { env })).toMatchObject({ bootType: 'CLEAN' })
    await service.stop('fork')
    expect(await service.start('fork', { env })).toMatchObject({ bootType: 'RESUME' })
  })

  it('BX62: a first start that failed is still the first', async () => {
    const { service, driver } = await setUp()
    await service.create(newBox('one'))
    driver.plans.push({ kind: 'fail', error: new BoxError('DISK_FULL', 'no space') })
    await expect(service.start('one', { env })).rejects.toMatchObject({ code: 'DISK_FULL' })
    expect(await service.start('one', { env })).toMatchObject({ epoch: 2, bootType: 'CLEAN' })
  })
})

describe('starts', () => {
  it('BX63: concurrent starts join one run', async () => {
    const { service, driver } = await setUp()
    await service.create(newBox('one'))
    const started = await Promise.all([1, 2, 3].map(() => service.start('one', { env })))
    expect(driver.starts).toHaveLength(1)
    expect(started.map(({ epoch }) => epoch)).toEqual([1, 1, 1])
  })

  it('BX64: the number of a run is saved before the run begins, and is never used twice', async () => {
    const { service, driver, store } = await setUp()
    await service.create(newBox('one'))
    const saved: (number | undefined)[] = []
    const start = driver.start.bind(driver)
    driver.start = async (id, options) => {
      saved.push((await store.load(id))?.epoch, options.epoch)
      return start(id, options)
    }
    driver.plans.push({ kind: 'fail', error: new BoxError('SANDBOX_FAILED') })
    await service.start('one', { env })
    expect(saved).toEqual([1, 1, 2, 2])
  })

  it('BX65: a failure that may pass is tried once more, and only once', async () => {
    const { service, driver, store } = await setUp()
    await service.create(newBox('one'))
    const failure = { kind: 'fail', error: new BoxError('SANDBOX_FAILED', 'busy') } as const
    driver.plans.push(failure)
    expect(await service.start('one', { env })).toMatchObject({ epoch: 2 })
    await service.stop('one')
    driver.plans.push(failure, failure)
    await expect(service.start('one', { env })).rejects.toMatchObject({ code: 'SANDBOX_FAILED', detail: 'busy' })
    expect(driver.starts).toHaveLength(4)
    expect(await store.load('one')).toMatchObject({
      state: 'error',
      lastError: { code: 'SANDBOX_FAILED', detail: 'busy', phase: 'starting-dev-server' },
    })
    expect(await service.progress('one')).toMatchObject({ state: 'error', failure: { code: 'SANDBOX_FAILED' } })
  })

  it('BX66: a failure that does not pass by itself is not tried again', async () => {
    const { service, driver } = await setUp()
    await service.create(newBox('one'))
    driver.plans.push({ kind: 'fail', error: new BoxError('DEV_SERVER_FAILED', 'syntax error') })
    await expect(service.start('one', { env })).rejects.toMatchObject({ code: 'DEV_SERVER_FAILED' })
    expect(driver.starts).toHaveLength(1)
  })

  it.each(['preparing-disk', 'starting-sandbox', 'starting-dev-server'] as const)(
    'BX67: a start that hangs in %s misses its deadline and is ended',
    async (phase) => {
      const { service, driver, clock, until } = await setUp()
      await service.create(newBox('one'))
      driver.plans.push({ kind: 'hang', phase }, { kind: 'hang', phase })
      const starting = service.start('one', { env })
      const refused = expect(starting).rejects.toMatchObject({ code: 'DEADLINE', detail: phase })
      for (const attempt of [1, 2]) {
        await until('one', (progress) => progress.phase === phase && driver.starts.length === attempt)
        clock.advance(phaseDeadlines[phase])
      }
      await refused
      expect(driver.running()).toEqual([])
      expect(await service.start('one', { env })).toMatchObject({ epoch: 3 })
    },
  )

  it('BX68: the phases are observable with their times', async () => {
    const { service, driver, clock, until } = await setUp()
    await service.create(newBox('one'))
    const seen: string[] = []
    await service.onProgress('one', ({ state, phase, progress }) => seen.push(`${state} ${phase} ${progress}`))
    driver.plans.push({ kind: 'hang', phase: 'starting-sandbox' })
    const starting = service.start('one', { env })
    await until('one', ({ phase }) => phase === 'starting-sandbox')
    clock.advance(phaseDeadlines['starting-sandbox'])
    await starting
    expect([...new Set(seen)]).toEqual([
      'stopped queued 0',
      'starting queued 0',
      'starting preparing-disk 20',
      'starting starting-sandbox 30',
      'starting starting-dev-server 40',
      'running ready 55',
    ])
    const progress = await service.progress('one')
    expect(progress.elapsedMs).toBe(phaseDeadlines['starting-sandbox'])
    const slow = progress.phases.find(({ phase }) => phase === 'starting-sandbox')
    expect((slow?.endedAt ?? 0) - (slow?.startedAt ?? 0)).toBe(phaseDeadlines['starting-sandbox'])
    expect(progress.phases.every(({ endedAt }) => endedAt !== null)).toBe(true)
  })

  it('BX69: a template is prepared in a phase of its own, once its sealed disk is missing', async () => {
    const { service, driver } = await setUp()
    await service.create(newBox('one', { kind: 'sealed', diskId: 'later' }))
    await expect(service.start('one', { env })).rejects.toMatchObject({ code: 'DISK_FAILED' })
    let prepared = 0
    const prepareTemplate = async (): Promise<null> => {
      prepared += 1
      driver.sealed.add('later')
      return null
    }
    expect(await service.start('one', { env, prepareTemplate })).toMatchObject({ bootType: 'FORK' })
    expect((await service.progress('one')).phases.map(({ phase }) => phase)).toContain('template')
    await service.stop('one')
    driver.sealed.delete('later')
    await service.start('one', { env, prepareTemplate })
    expect(prepared).toBe(1)
  })

  it('BX70: a box takes the substitute for a sealed disk that can not be made, and keeps it', async () => {
    const { service, store } = await setUp()
    await service.create({ ...newBox('one', { kind: 'sealed', diskId: 'never' }), inheritsSetup: true })
    const prepareTemplate = async (): Promise<DiskSource> => ({ kind: 'folder', path: '/template' })
    expect(await service.start('one', { env, prepareTemplate })).toMatchObject({ bootType: 'CLEAN' })
    expect(await store.load('one')).toMatchObject({
      spec: { disk: { kind: 'folder', path: '/template' } },
      inheritsSetup: false,
    })
  })

  it('BX70: a box whose disk is lost is an error, never a new empty disk', async () => {
    const { service, driver } = await setUp()
    await service.create(newBox('one'))
    driver.boxes.delete('one')
    await expect(service.start('one', { env })).rejects.toMatchObject({ code: 'BOX_NOT_FOUND' })
  })

  it('BX71: a create that fails leaves no record, and one id belongs to one source', async () => {
    const { service, driver, store } = await setUp()
    const { create } = driver
    driver.create = async () => {
      throw new BoxError('DISK_FULL')
    }
    await expect(service.create(newBox('one'))).rejects.toMatchObject({ code: 'DISK_FULL' })
    expect(await store.list()).toEqual([])
    driver.create = create
    await service.create(newBox('one'))
    await service.create(newBox('one'))
    await expect(service.create(newBox('one', { kind: 'folder', path: '/other' }))).rejects.toMatchObject({
      code: 'BOX_EXISTS',
    })
  })
})

describe('stops', () => {
  it('BX72: a stop during a start ends it, and the box can be started again', async () => {
    const { service, driver, store, until } = await setUp()
    await service.create(newBox('one'))
    driver.plans.push({ kind: 'hang', phase: 'starting-sandbox' })
    const refused = expect(service.start('one', { env })).rejects.toMatchObject({ code: 'BOX_NOT_RUNNING' })
    await until('one', ({ phase }) => phase === 'starting-sandbox')
    await service.stop('one')
    await refused
    expect(await store.load('one')).toMatchObject({ state: 'stopped', stopReason: 'stopped' })
    expect(await service.start('one', { env })).toMatchObject({ epoch: 2, bootType: 'CLEAN' })
  })

  it('BX73: a box that ends by itself is stopped with the reason', async () => {
    const { service, driver, store, until } = await setUp()
    await service.create(newBox('one'))
    await service.start('one', { env })
    driver.end('one', 'killed')
    expect(await until('one', ({ state }) => state === 'stopped')).toMatchObject({ stopReason: 'killed' })
    expect(await store.load('one')).toMatchObject({ state: 'stopped', stopReason: 'killed' })
    expect(await service.start('one', { env })).toMatchObject({ bootType: 'RESUME' })
  })

  it('BX723: a box whose dev server kept ending is in error, left alone for a minute, and started anew when asked', async () => {
    const { service, driver, store, clock, until } = await setUp()
    await service.create(newBox('one'))
    await service.start('one', { env })
    driver.end('one', 'failed', 'first line\n\nout of luck\n')
    const { failure } = await until('one', ({ state }) => state === 'error')
    expect(failure).toMatchObject({ code: 'DEV_SERVER_LOST', detail: 'first line\nout of luck', phase: null })
    expect(await store.load('one')).toMatchObject({ state: 'error', lastError: { code: 'DEV_SERVER_LOST' } })
    const lost = { code: 'DEV_SERVER_LOST', detail: 'first line\nout of luck' }
    await expect(service.start('one', { env })).rejects.toMatchObject(lost)
    clock.advance(59_999)
    await expect(service.start('one', { env })).rejects.toMatchObject(lost)
    expect(driver.starts).toHaveLength(1)
    expect(await service.restart('one', { env, clean: true })).toMatchObject({ bootType: 'CLEAN' })

    driver.end('one', 'failed')
    await until('one', ({ state }) => state === 'error')
    clock.advance(60_000)
    expect(await service.start('one', { env })).toMatchObject({ bootType: 'RESUME' })
  })

  it('BX724: a box that fails in its sleep sleeps on as files', async () => {
    const { service, driver, until } = await setUp()
    await service.create(newBox('one'))
    await service.start('one', { env })
    await service.hibernate('one')
    driver.end('one', 'failed')
    expect(await until('one', ({ state }) => state === 'stopped')).toMatchObject({ stopReason: 'exited' })
    expect(await service.start('one', { env })).toMatchObject({ bootType: 'RESUME' })
  })

  it('BX74: an idle box is put to sleep; use and holders keep it awake', async () => {
    const { service, driver, clock, until, store } = await setUp()
    await service.create(newBox('one'))
    await service.start('one', { env, idleMs: 1000 })
    clock.advance(900)
    service.touch('one')
    clock.advance(900)
    const release = service.hold('one')
    clock.advance(10_000)
    expect(driver.running()).toHaveLength(1)
    release()
    release()
    clock.advance(999)
    expect(driver.running()).toHaveLength(1)
    clock.advance(1001)
    await until('one', ({ state }) => state === 'hibernated')
    expect(await store.load('one')).toMatchObject({ state: 'hibernated', stopReason: 'idle' })
  })

  it('BX75: after the server was killed its boxes are stopped, with the reason', async () => {
    const { store, service } = await setUp([
      boxRecord('running', { state: 'running', epoch: 4, hasRun: true }),
      boxRecord('starting', { state: 'starting', epoch: 1 }),
      boxRecord('stopping', { state: 'stopping', epoch: 1 }),
      boxRecord('waking', { state: 'resuming', epoch: 1 }),
      boxRecord('asleep', { state: 'hibernated', stopReason: 'idle', epoch: 1 }),
      boxRecord('broken', { state: 'error', epoch: 1 }),
      boxRecord('leaving', { state: 'destroying' }),
    ])
    for (const id of ['running', 'starting', 'stopping', 'waking']) {
      expect(await store.load(id)).toMatchObject({ state: 'stopped', stopReason: 'server-ended' })
    }
    expect(await store.load('asleep')).toMatchObject({ state: 'stopped', stopReason: 'idle' })
    expect(await store.load('broken')).toMatchObject({ state: 'error' })
    expect(await store.load('leaving')).toBeNull()
    expect(await service.progress('running')).toMatchObject({ state: 'stopped', stopReason: 'server-ended' })
  })

  it('BX75: a service that is disposed stops its boxes and says why', async () => {
    const { service, driver, store, until } = await setUp()
    await service.create(newBox('one'))
    await service.create(newBox('two'))
    await service.start('one', { env })
    driver.plans.push({ kind: 'hang', phase: 'starting-sandbox' })
    const refused = expect(service.start('two', { env })).rejects.toMatchObject({ code: 'BOX_NOT_RUNNING' })
    await until('two', ({ phase }) => phase === 'starting-sandbox')
    await service.dispose()
    await refused
    await expect(service.start('one', { env })).rejects.toMatchObject({ code: 'BOX_NOT_RUNNING' })
    expect(driver.running()).toEqual([])
    for (const id of ['one', 'two']) {
      expect(await store.load(id)).toMatchObject({ state: 'stopped', stopReason: 'server-ended' })
    }
  })

  it('BX76: destroy ends the box and removes disk and record', async () => {
    const { service, driver, store } = await setUp()
    await service.create(newBox('one'))
    await service.start('one', { env })
    await service.destroy('one')
    await service.destroy('one')
    expect(driver.running()).toEqual([])
    expect(driver.boxes.size).toBe(0)
    expect(await store.list()).toEqual([])
    await expect(service.start('one', { env })).rejects.toMatchObject({ code: 'BOX_NOT_FOUND' })
  })

  it('BX77: a store that fails is a failure of the start, and nothing keeps running', async () => {
    const { service, driver, store } = await setUp()
    await service.create(newBox('one'))
    const { save } = store
    store.save = async (record) => {
      if (record.state === 'running') throw new Error('the database is gone')
      return save.call(store, record)
    }
    await expect(service.start('one', { env })).rejects.toMatchObject({
      code: 'RECORD_FAILED',
      detail: 'the database is gone',
    })
    expect(driver.running()).toEqual([])
  })
})

describe('sleep', () => {
  it('BX100: a box sleeps in memory and goes on in the same run', async () => {
    const { service, driver, store } = await setUp()
    await service.create(newBox('one'))
    await service.start('one', { env })
    await service.hibernate('one')
    expect(driver.asleep.has('one')).toBe(true)
    expect(await store.load('one')).toMatchObject({ state: 'hibernated', stopReason: 'hibernated' })
    expect(service.epochOf('one')).toBeUndefined()
    expect(service.running()).toEqual([])
    expect(await service.start('one', { env })).toMatchObject({ epoch: 1, bootType: 'RESUME' })
    expect(driver.starts).toHaveLength(1)
    expect(driver.asleep.size).toBe(0)
    expect(await store.load('one')).toMatchObject({ state: 'running', stopReason: null })
    expect(service.epochOf('one')).toBe(1)
    expect(await service.start('one', { env })).toMatchObject({ bootType: 'RUNNING' })
  })

  it('BX101: without memory to keep, a box sleeps as files', async () => {
    const { service, driver, store } = await setUp()
    driver.keepsMemory = false
    await service.create(newBox('one'))
    await service.start('one', { env })
    await service.hibernate('one')
    expect(driver.running()).toEqual([])
    expect(await store.load('one')).toMatchObject({ state: 'stopped', stopReason: 'hibernated' })
    expect(await service.start('one', { env })).toMatchObject({ epoch: 2, bootType: 'RESUME' })
  })

  it('BX102: a box that does not wake is started from its files', async () => {
    const { service, driver } = await setUp()
    await service.create(newBox('one'))
    await service.start('one', { env })
    await service.hibernate('one')
    driver.brokenSleep = true
    expect(await service.start('one', { env })).toMatchObject({ epoch: 2, bootType: 'RESUME' })
    expect(driver.running().map(({ epoch }) => epoch)).toEqual([2])
  })

  it('BX102: a box that ends in its sleep sleeps on as files', async () => {
    const { service, driver, until } = await setUp()
    await service.create(newBox('one'))
    await service.start('one', { env })
    await service.hibernate('one')
    driver.end('one', 'killed')
    await until('one', ({ state }) => state === 'stopped')
    expect(await service.start('one', { env })).toMatchObject({ epoch: 2, bootType: 'RESUME' })
  })

  it('BX103: beyond the budget of memory, and after long, sleepers go on as files, the oldest first', async () => {
    const { service, driver, clock, until, store } = await setUp([], { sleepBudgetBytes: 250 })
    driver.memoryBytes = 100
    for (const id of ['one', 'two', 'three']) {
      await service.create(newBox(id))
      await service.start(id, { env })
      await service.hibernate(id)
    }
    await until('one', ({ state }) => state === 'stopped')
    expect([...driver.asleep]).toEqual(['two', 'three'])
    expect(await store.load('one')).toMatchObject({ stopReason: 'hibernated' })
    clock.advance(LONGEST_SLEEP_MS)
    await until('three', ({ state }) => state === 'stopped')
    expect(driver.running()).toEqual([])
  })

  it('BX104: after a shutdown the next start is a clean boot, once', async () => {
    const { service } = await setUp()
    await service.create(newBox('one'))
    await service.start('one', { env })
    await service.stop('one', { clean: true })
    expect(await service.start('one', { env })).toMatchObject({ bootType: 'CLEAN' })
    await service.stop('one')
    expect(await service.start('one', { env })).toMatchObject({ bootType: 'RESUME' })
  })

  it('BX105: a sleeping box can be stopped and destroyed', async () => {
    const { service, driver, store } = await setUp()
    for (const id of ['one', 'two']) {
      await service.create(newBox(id))
      await service.start(id, { env })
      await service.hibernate(id)
    }
    await service.stop('one')
    expect(await store.load('one')).toMatchObject({ state: 'stopped', stopReason: 'stopped' })
    await service.destroy('two')
    expect(await store.load('two')).toBeNull()
    expect(driver.running()).toEqual([])
  })

  it('BX106: each box has its own idle time and size, changed while it runs', async () => {
    const { service, driver, clock, until, store } = await setUp()
    await service.create(newBox('one'))
    await service.start('one', { env, idleMs: 100_000 })
    const tier = { cpu: 2, memory: 2048, disk: 1024 }
    expect(await service.configure('one', { idleMs: 1000, tier })).toBe(true)
    expect(driver.sizes.get('one')).toEqual(tier)
    expect(await store.load('one')).toMatchObject({ settings: { idleMs: 1000 }, spec: { tier } })
    clock.advance(1000)
    await until('one', ({ state }) => state === 'hibernated')
    await service.start('one', { env, idleMs: 100_000 })
    clock.advance(1000)
    await until('one', ({ state }) => state === 'hibernated')
  })

  it('BX107: a copy of what was never started starts from the same source', async () => {
    const { service, driver } = await setUp()
    await service.create(newBox('one', { kind: 'sealed', diskId: 'later' }))
    await service.create(newBox('copy', { kind: 'box', boxId: 'one' }))
    expect((await service.get('copy')).spec.disk).toEqual({ kind: 'sealed', diskId: 'later' })
    driver.sealed.add('later')
    expect(await service.start('copy', { env })).toMatchObject({ bootType: 'FORK' })
  })

  it('BX108: a copy of a box that waits for a clean boot is booted cleanly', async () => {
    const { service } = await setUp()
    await service.create(newBox('one'))
    await service.start('one', { env })
    await service.stop('one', { clean: true })
    await service.create(newBox('copy', { kind: 'box', boxId: 'one' }))
    expect(await service.start('copy', { env })).toMatchObject({ bootType: 'CLEAN' })
  })
})
