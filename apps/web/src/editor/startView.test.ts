import { expect, it } from 'vitest'
import type { StartedBox, StartProgress } from '../api/schemas.ts'
import { duration, startView } from './startView.ts'

const box: StartedBox = { id: 'b', bootupType: 'CLEAN', pitcherUrl: '', pitcherToken: '', workspacePath: '' }
const progress: StartProgress = {
  phase: 'starting-sandbox',
  message: 'Starting',
  progress: 30,
  elapsedMs: 900,
  phases: [
    { phase: 'queued', message: '', startedMs: 0, endedMs: 100 },
    { phase: 'starting-sandbox', message: '', startedMs: 100, endedMs: null },
  ],
}

it('begins at nothing with the first message', () => {
  expect(startView(null, null, null)).toMatchObject({ value: 0, message: 'Preparing MicroVM...' })
})

it('shows the phases of the machine with their times', () => {
  const view = startView(progress, null, null)
  expect(view.value).toBe(30)
  expect(view.phases).toEqual([
    { phase: 'queued', words: 'Waiting for a place', took: 100, soFar: 100 },
    { phase: 'starting-sandbox', words: 'Starting the machine', took: null, soFar: 800 },
  ])
})

it('is at 55 when the machine runs, and fills 60 to 100 from the dev server', () => {
  expect(startView(progress, box, null)).toMatchObject({ value: 55, message: 'MicroVM started, connecting...' })
  expect(startView(progress, box, { message: 'Installing', progress: 0 }).value).toBe(60)
  expect(startView(progress, box, { message: 'Installing', progress: 50 })).toMatchObject({
    value: 80,
    message: 'Installing',
  })
  expect(startView(progress, box, { message: 'Done', progress: 120 }).value).toBe(100)
})

it('never passes 55 before the machine runs', () => {
  expect(startView({ ...progress, progress: 80 }, null, null).value).toBe(55)
})

it('says durations in words', () => {
  expect([400, 9_940, 12_300, 59_400, 60_000, 125_000].map(duration)).toEqual([
    '0.4 s',
    '9.9 s',
    '12 s',
    '59 s',
    '1 min 0 s',
    '2 min 5 s',
  ])
})

it('waits for the editor once it is connected', () => {
  expect(startView(progress, box, null, true)).toMatchObject({ value: 100, message: 'Opening the editor' })
})

it('shows a phase that is entered twice in a row once', () => {
  const twice = [
    { phase: 'preparing-disk', message: '', startedMs: 0, endedMs: 40 },
    { phase: 'preparing-disk', message: '', startedMs: 40, endedMs: 100 },
  ]
  expect(startView({ ...progress, phases: twice }, null, null).phases).toEqual([
    { phase: 'preparing-disk', words: 'Preparing the disk', took: 100, soFar: 100 },
  ])
})
