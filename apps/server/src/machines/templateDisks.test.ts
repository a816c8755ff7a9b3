import { FakeDriver } from '@boxyard/boxes/testing'
import type { SetupProgress } from '@boxyard/protocol'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TemplateDisks } from './templateDisks.ts'

const template = { name: 'react', folder: '/templates/react' }
const setupThat = (state: SetupProgress['state']): SetupProgress => ({ state, steps: [], currentStepIndex: 0 })

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boxyard-templates-'))
})
afterEach(() => rm(folder, { recursive: true }))

function disksOn(driver: FakeDriver, setup: SetupProgress) {
  const warnings: string[] = []
  const disks = new TemplateDisks({
    driver,
    folder,
    tier: { cpu: 1, memory: 512, disk: 1024 },
    network: { open: async () => '/run/egress.sock', release: async () => undefined },
    env: { BOXYARD_PREVIEW_HOST: '{id}-{port}.preview.example.test' },
    followSetup: async () => setup,
    onWarning: (message) => warnings.push(message),
  })
  return { disks, warnings }
}

describe('the disk of a template', () => {
  it('is sealed after its set-up, from a box in which no task starts', async () => {
    const driver = new FakeDriver()
    const { disks, warnings } = disksOn(driver, setupThat('FINISHED'))
    expect(await disks.make('template-abc-1', template, () => undefined)).toBe(true)
    expect(driver.starts.map(({ options }) => options.env)).toEqual([
      { BOXYARD_PREVIEW_HOST: '{id}-{port}.preview.example.test', BOXYARD_START_TASKS: 'no' },
    ])
    expect([[...driver.sealed], [...driver.boxes], warnings]).toEqual([['template-abc-1'], [], []])
  })

  it('is not sealed when its set-up failed, and says so', async () => {
    const driver = new FakeDriver()
    const { disks, warnings } = disksOn(driver, setupThat('STOPPED'))
    expect(await disks.make('template-abc-1', template, () => undefined)).toBe(false)
    expect([[...driver.sealed], [...driver.boxes]]).toEqual([[], []])
    expect(warnings).toEqual(['the set-up of a template failed; its devboxes start from the bare folder'])
  })

  it('BX412: leaves no box behind when the server is killed while it is made', async () => {
    const driver = new FakeDriver()
    const { disks } = disksOn(driver, setupThat('FINISHED'))
    await disks.open()
    driver.plans.push({ kind: 'hang', phase: 'starting-dev-server' })
    const making = disks.make('template-abc-1', template, () => undefined)
    while (driver.starts.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const left = [...driver.boxes]
    expect(left).toHaveLength(1)
    expect(await readdir(folder)).toEqual(left)

    // The next server, on what the killed one left.
    const next = new FakeDriver()
    left.forEach((id) => next.boxes.add(id))
    await disksOn(next, setupThat('FINISHED')).disks.open()
    expect([...next.boxes]).toEqual([])
    expect(await readdir(folder)).toEqual([])
    await driver.stop(left[0]!)
    expect(await making).toBe(false)
  })
})
