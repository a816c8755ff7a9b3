import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { BoxError } from '../errors.ts'
import { isAlive, processTree, signal } from '../processTree.ts'
import { BoxProbe } from '../testing/boxProbe.ts'
import { boxStoreContract } from '../testing/boxStoreContract.ts'
import { FileBoxStore } from '../testing/fileBoxStore.ts'
import { whyNoMachines } from '../testing/machines.ts'
import { openKind, type DriverKind } from '../testing/openKind.ts'
import { removeTree } from '../testing/removeTree.ts'
import { seededRandom } from '../testing/seededRandom.ts'
import { copyOf, performTransition, prepareTransition, transitions, WRITTEN } from '../testing/transitions.ts'
import type { TransitionPlace } from '../testing/transitions.ts'
import { BoxService } from './boxService.ts'
import { systemClock } from './clock.ts'

// BOXYARD_KILL_ROUNDS=200 BOXYARD_SEED=7 npx vitest run --project integration packages/boxes/src/service/crash
const ROUNDS = Number(process.env['BOXYARD_KILL_ROUNDS'] ?? transitions.length)
const SEED = Number(process.env['BOXYARD_SEED'] ?? 1)
/** Kills also come a little after the time that the transition took in its rehearsal. */
const KILL_WINDOW = 1.3

/** Where instructions are translated a machine takes its time. */
const TIMEOUT_MS = { bwrap: 120_000, process: 120_000, vm: 900_000 }

const stepSchema = z.object({
  step: z.enum(['begins', 'done']),
  tookMs: z.number(),
  epochs: z.record(z.string(), z.number()),
})

const root = await mkdtemp(path.join(tmpdir(), 'boxyard-crash-'))
const template = path.join(root, 'template')
/** They take half a minute for each kill where instructions are translated. */
const isAsked = Boolean(process.env['TEST_MACHINES'])
const reason = isAsked ? await whyNoMachines(path.join(root, 'probe')) : 'set TEST_MACHINES=yes to do that'
const kinds: DriverKind[] = reason === null ? ['bwrap', 'vm'] : ['bwrap']
if (reason !== null) it.skip(`virtual machines are not killed: ${reason}`)
const rounds = Array.from({ length: ROUNDS }, (_, round) => ({
  round,
  transition: transitions[round % transitions.length]!,
}))

beforeAll(async () => {
  await mkdir(template)
  await writeFile(path.join(template, 'index.js'), 'template\n')
})

afterAll(() => removeTree(root))

boxStoreContract('files, for these tests', async () => new FileBoxStore(await mkdtemp(path.join(root, 'records-'))))

async function openPlace(
  kind: DriverKind,
  home: string,
): Promise<TransitionPlace & { store: FileBoxStore; close: () => Promise<void> }> {
  const log = (): void => undefined
  const driver = await openKind(kind, home)
  const store = new FileBoxStore(path.join(home, 'records'))
  const service = new BoxService({ driver, store, clock: systemClock, log })
  await service.open()
  const close = async (): Promise<void> => {
    await service.dispose()
    await driver.dispose()
  }
  return { driver, store, service, template, run: { env: { CRASH_HOME: home } }, close }
}

/** The commands of what runs for a server on this folder: its boxes, or one of them, and launchers, which name the folder. */
async function processesOf(home: string, id?: string): Promise<string[]> {
  const found: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    const read = (file: string): Promise<string> => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
    const command = (await read('cmdline')).replaceAll('\0', ' ')
    const environment = (await read('environ')).split('\0')
    const isInBox = environment.includes(`CRASH_HOME=${home}`)
    if (isInBox ? id === undefined || environment.includes(`BOXYARD_BOX_ID=${id}`) : command.includes(`${home}/`))
      found.push(command)
  }
  return found
}

/** Every record has its disk, every disk its record, and every box starts with what was written in it. */
async function expectConsistent(
  kind: DriverKind,
  place: Awaited<ReturnType<typeof openPlace>>,
  home: string,
  written: (id: string) => boolean,
  epochs: Record<string, number>,
): Promise<void> {
  const records = await place.store.list()
  const disks = await readdir(path.join(home, 'boxes'))
  expect(disks).toEqual(expect.arrayContaining(records.filter(({ hasDisk }) => hasDisk).map(({ spec }) => spec.id)))
  expect(disks.filter((id) => !records.some(({ spec }) => spec.id === id))).toEqual([])
  for (const { spec, state } of records) {
    expect(['stopped', 'error'], spec.id).toContain(state)
    const started = await place.service.start(spec.id, place.run)
    expect(started.epoch, spec.id).toBeGreaterThan(epochs[spec.id] ?? 0)
    const probe = new BoxProbe(place.driver, spec.id)
    expect(await probe.sh('cat index.js')).toBe('template')
    if (written(spec.id)) expect(await probe.sh('cat written')).toBe(WRITTEN)
  }
  expect(
    place.driver
      .running()
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(records.map(({ spec }) => spec.id).toSorted())
  if (kind === 'vm') {
    const names = (await processTree(process.pid)).map(({ pid }) =>
      readFile(`/proc/${pid}/comm`, 'utf8').catch(() => ''),
    )
    expect((await Promise.all(names)).filter((name) => name.startsWith('qemu-system'))).toHaveLength(records.length)
    return
  }
  for (const { spec } of records) {
    const commands = await processesOf(home, spec.id)
    expect(
      commands.filter((command) => command.includes('dev-server/main.js') && !command.startsWith('/bin/sh ')),
      spec.id,
    ).toHaveLength(1)
  }
}

describe.each(kinds)('kill -9 of the server, %s', (kind) => {
  it.each(rounds)(
    'BX410: in the middle of $transition (round $round) no box is lost, doubled or orphaned',
    { timeout: TIMEOUT_MS[kind] },
    async ({ transition, round }) => {
      const random = seededRandom(SEED * 1000 + round)
      const home = path.join(root, `${kind}-server-${round}`)
      const program = path.join(import.meta.dirname, '../testing/serverInTransition.ts')
      const server = spawn(process.execPath, ['--import', 'tsx', program, kind, home, template, transition], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const exited = once(server, 'exit')
      const steps: z.infer<typeof stepSchema>[] = []
      const begins = new Promise<void>((resolve) => {
        createInterface({ input: server.stdout }).on('line', (line) => {
          steps.push(stepSchema.parse(JSON.parse(line)))
          resolve()
        })
      })
      await Promise.race([begins, exited.then(() => Promise.reject(new Error('the server ended before its kill')))])
      await delay(random() * steps[0]!.tookMs * KILL_WINDOW)
      const ran = await processTree(server.pid ?? 0)
      server.kill('SIGKILL')
      await exited
      const isDone = steps.some(({ step }) => step === 'done')
      const { epochs } = steps.at(-1)!

      const again = await openPlace(kind, home)
      try {
        // Nothing of the former server runs on, frozen or not.
        while (
          (await processesOf(home)).length > 0 ||
          (await Promise.all(ran.map(({ pid }) => isAlive(pid)))).includes(true)
        )
          await new Promise((resolve) => setImmediate(resolve))
        const ids = (await again.store.list()).map(({ spec }) => spec.id)
        if (transition === 'delete') {
          expect(ids).not.toContain('rehearsal')
          if (isDone) expect(ids).not.toContain('subject')
        } else {
          expect(ids).toContain('rehearsal')
          if (transition !== 'create' || isDone) expect(ids).toContain('subject')
        }
        if (transition === 'fork') {
          expect(ids).toContain(copyOf('rehearsal'))
          if (isDone) expect(ids).toContain(copyOf('subject'))
        }
        const hasRun = transition !== 'create' && transition !== 'start'
        await expectConsistent(kind, again, home, () => hasRun, epochs)
      } finally {
        await again.close()
      }
    },
  )
})

describe.each(kinds)('kill -9 of what runs a box, %s', (kind) => {
  let home: string
  let place: Awaited<ReturnType<typeof openPlace>>

  beforeAll(async () => {
    home = path.join(root, `${kind}-children`)
    place = await openPlace(kind, home)
  })

  afterAll(() => place.close())

  /** Kills one process below this one at a time within the window. Resolves with its number, or null when there was none. */
  async function killOne(random: () => number, windowMs: number, before: ReadonlySet<number>): Promise<number | null> {
    await delay(random() * windowMs)
    const candidates = (await processTree(process.pid)).filter(({ pid }) => pid !== process.pid && !before.has(pid))
    const victim = candidates[Math.floor(random() * candidates.length)]
    if (victim === undefined) return null
    signal(victim.pid, 'SIGKILL')
    return victim.pid
  }

  /** Resolves with the failure, which has to be one that people are told about. */
  async function settle(work: Promise<unknown>): Promise<BoxError | null> {
    try {
      await work
      return null
    } catch (error) {
      if (error instanceof BoxError) return error
      throw error
    }
  }

  /** Starts the box until it answers: a kill may be noticed only after the first start has joined the run. */
  async function startUntilItAnswers(id: string): Promise<BoxProbe> {
    for (;;) {
      await settle(place.service.start(id, place.run))
      const probe = new BoxProbe(place.driver, id)
      if ((await probe.sh('true').catch(() => null)) !== null) return probe
    }
  }

  it.each(rounds)(
    'BX411: in the middle of $transition (round $round) it settles, and the box is whole',
    { timeout: TIMEOUT_MS[kind] },
    async ({ transition, round }) => {
      const random = seededRandom(SEED * 2000 + round)
      const rehearsal = `rehearsal-${round}`
      const subject = `subject-${round}`
      const before = new Set((await processTree(process.pid)).map(({ pid }) => pid))
      await prepareTransition(transition, rehearsal, place)
      const began = performance.now()
      await performTransition(transition, rehearsal, place)
      const tookMs = performance.now() - began
      await place.service.destroy(rehearsal)
      if (transition === 'fork') await place.service.destroy(copyOf(rehearsal))

      await prepareTransition(transition, subject, place)
      const performing = settle(performTransition(transition, subject, place))
      await killOne(random, tookMs * KILL_WINDOW, before)
      const failure = await performing
      // What is frozen dies when it is thawed; a resume then finds it dead or alive.
      if (transition === 'pause') await settle(place.driver.unpause(subject))

      if (transition === 'delete') {
        if (failure !== null) await place.service.destroy(subject)
        expect(await place.store.load(subject)).toBeNull()
        expect(await readdir(path.join(home, 'boxes'))).not.toContain(subject)
        return
      }
      // A creation that failed leaves nothing, and the id stays free.
      if (transition === 'create' && failure !== null) {
        expect(await place.store.load(subject)).toBeNull()
        expect(await readdir(path.join(home, 'boxes'))).not.toContain(subject)
        await performTransition(transition, subject, place)
      }
      const probe = await startUntilItAnswers(subject)
      expect(await probe.sh('cat index.js')).toBe('template')
      if (transition !== 'create' && transition !== 'start') expect(await probe.sh('cat written')).toBe(WRITTEN)
      if (transition === 'fork') {
        if (failure !== null) await performTransition(transition, subject, place)
        expect(await (await startUntilItAnswers(copyOf(subject))).sh('cat written')).toBe(WRITTEN)
        await place.service.destroy(copyOf(subject))
      }
      await place.service.destroy(subject)
      expect(place.driver.running()).toEqual([])
      while (
        (await processTree(process.pid)).some(
          ({ pid, state }) => pid !== process.pid && !before.has(pid) && state !== 'Z',
        )
      )
        await new Promise((resolve) => setImmediate(resolve))
    },
  )
})
