import type { BoxDriver } from '../driver.ts'
import type { BoxService, RunOptions } from '../service/boxService.ts'
import { BoxProbe } from './boxProbe.ts'

export const transitions = ['create', 'start', 'pause', 'hibernate', 'resume', 'fork', 'stop', 'delete'] as const
export type Transition = (typeof transitions)[number]

/** What every box that ran has written and synced before its transition. */
export const WRITTEN = 'acknowledged'

const tier = { cpu: 1, memory: 512, disk: 1024 }

/** The id of the copy that the transition `fork` makes. */
export const copyOf = (id: string): string => `${id}-copy`

export interface TransitionPlace {
  driver: BoxDriver
  service: BoxService
  /** A folder that boxes are made from. */
  template: string
  run: RunOptions
}

/** Brings a new box to where a transition begins. */
export async function prepareTransition(transition: Transition, id: string, place: TransitionPlace): Promise<void> {
  const { driver, service, template, run } = place
  if (transition === 'create') return
  await service.create({
    id,
    disk: { kind: 'folder', path: template },
    tier,
    inheritsSetup: false,
  })
  if (transition === 'start') return
  await service.start(id, run)
  await new BoxProbe(driver, id).sh(`echo ${WRITTEN} > written; sync`)
  if (transition === 'resume') await service.hibernate(id)
}

export async function performTransition(transition: Transition, id: string, place: TransitionPlace): Promise<void> {
  const { driver, service, template, run } = place
  if (transition === 'create') {
    await service.create({ id, disk: { kind: 'folder', path: template }, tier, inheritsSetup: false })
  } else if (transition === 'start' || transition === 'resume') await service.start(id, run)
  else if (transition === 'pause') await driver.pause(id)
  else if (transition === 'hibernate') await service.hibernate(id)
  else if (transition === 'fork') {
    await service.create({ id: copyOf(id), disk: { kind: 'box', boxId: id }, tier, inheritsSetup: true })
  } else if (transition === 'stop') await service.stop(id)
  else await service.destroy(id)
}
