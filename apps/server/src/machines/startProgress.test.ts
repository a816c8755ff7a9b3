import { describe, expect, it } from 'vitest'
import { StartProgress } from './startProgress.ts'

describe('the progress of a start', () => {
  it('names each phase, times it, and keeps to the first 55 of a hundred', () => {
    let time = 1000
    const progress = new StartProgress(() => time)
    const seen: string[] = []
    progress.onChange(() => seen.push(progress.snapshot().phase))
    expect(progress.snapshot()).toMatchObject({ phase: 'queued', message: 'Preparing MicroVM...', progress: 0 })
    time += 20
    progress.enter('preparing-disk')
    progress.enter('preparing-disk')
    time += 30
    progress.enter('ready')
    expect(progress.isOver).toBe(true)
    expect(progress.snapshot()).toMatchObject({
      message: 'MicroVM started, connecting...',
      progress: 55,
      elapsedMs: 50,
      phases: [
        { phase: 'queued', startedMs: 0, endedMs: 20 },
        { phase: 'preparing-disk', startedMs: 20, endedMs: 50 },
        { phase: 'ready', startedMs: 50, endedMs: 50 },
      ],
    })
    expect(seen).toEqual(['preparing-disk', 'ready'])
  })

  it('a failure names the phase it happened in and ends the start', () => {
    const progress = new StartProgress(() => 0)
    progress.enter('starting-sandbox')
    progress.fail({ code: 'SANDBOX_FAILED', message: 'It failed', next: 'Try again' })
    progress.enter('ready')
    expect(progress.snapshot()).toMatchObject({
      phase: 'starting-sandbox',
      failure: { phase: 'starting-sandbox', code: 'SANDBOX_FAILED' },
    })
    expect(progress.isOver).toBe(true)
  })

  it('what a phase is busy with is gone in the next one', () => {
    const progress = new StartProgress(() => 0)
    progress.enter('template')
    progress.describe('added 120 packages')
    expect(progress.snapshot().detail).toBe('added 120 packages')
    progress.enter('preparing-disk')
    expect(progress.snapshot().detail).toBeNull()
  })
})
