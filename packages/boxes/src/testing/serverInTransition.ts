/**
 * A server that does one transition twice: once on the box `rehearsal`, to learn how long it takes, then on the box `subject`. Arguments: the
 * driver, the folder of boxes, the template, the transition. Prints one line of JSON for each step, and waits to be killed.
 */
import path from 'node:path'
import { BoxService } from '../service/boxService.ts'
import { systemClock } from '../service/clock.ts'
import { FileBoxStore } from './fileBoxStore.ts'
import { openKind } from './openKind.ts'
import { performTransition, prepareTransition, transitions } from './transitions.ts'

const [kind, home = '', template = '', name] = process.argv.slice(2)
const transition = transitions.find((known) => known === name)
if (transition === undefined) throw new Error(`there is no transition ${name}`)
const log = (message: string): void => void process.stderr.write(`${message}\n`)
const driver = await openKind(kind, home)
const store = new FileBoxStore(path.join(home, 'records'))
const service = new BoxService({ driver, store, clock: systemClock, log })
await service.open()
const place = { driver, service, template, run: { env: { CRASH_HOME: home } } }

const say = async (step: string, tookMs: number): Promise<void> => {
  const epochs = Object.fromEntries((await store.list()).map(({ spec, epoch }) => [spec.id, epoch]))
  process.stdout.write(`${JSON.stringify({ step, tookMs, epochs })}\n`)
}
await prepareTransition(transition, 'rehearsal', place)
const began = performance.now()
await performTransition(transition, 'rehearsal', place)
const tookMs = performance.now() - began
await prepareTransition(transition, 'subject', place)
await say('begins', tookMs)
await performTransition(transition, 'subject', place)
await say('done', tookMs)
setInterval(() => undefined, 60_000)
