import { FakeDriver } from '@boxyard/boxes/testing'
import type { SetupProgress } from '@boxyard/protocol'
import { describe, expect, it } from 'vitest'
import { TemplateDisks } from './templateDisks.ts'

const template = { name: 'react', folder: '/templates/react' }
const setupThat = (state: SetupProgress['state']): SetupProgress => ({ state, steps: [], currentStepIndex: 0 })

function disksOn(driver: FakeDriver, setup: SetupProgress) {
  const warnings: string[] = []
  const disks = new TemplateDisks({
    driver,
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
})
