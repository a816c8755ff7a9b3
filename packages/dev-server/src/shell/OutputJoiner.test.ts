import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ManualTimers } from './manualTimers.ts'
import { FRAME_LENGTH, OutputJoiner } from './OutputJoiner.ts'

function joiner(): { timers: ManualTimers; frames: string[]; output: OutputJoiner } {
  const timers = new ManualTimers()
  const frames: string[] = []
  return { timers, frames, output: new OutputJoiner(timers, (text) => frames.push(text)) }
}

describe('output frames', () => {
  it('SH17: the first output after a pause goes out at once, the rest of a burst within 16 ms', () => {
    const { timers, frames, output } = joiner()
    output.push('a')
    timers.pass(0)
    expect(frames).toEqual(['a'])
    output.push('b')
    output.push('c')
    timers.pass(15)
    expect(frames).toEqual(['a'])
    timers.pass(1)
    expect(frames).toEqual(['a', 'bc'])
  })

  it('SH17: a flood goes out in frames of at most 64 K units, and nothing is lost or split', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(FRAME_LENGTH), { maxLength: 6 }), (sizes) => {
        const { timers, frames, output } = joiner()
        const chunks = sizes.map((size) => '🙂é'.repeat(size / 3))
        for (const chunk of chunks) output.push(chunk)
        timers.pass(100)
        expect(frames.join('')).toBe(chunks.join(''))
        for (const frame of frames) {
          expect(frame.length).toBeLessThanOrEqual(FRAME_LENGTH)
          expect(() => encodeURIComponent(frame)).not.toThrow()
        }
      }),
    )
  })

  it('SH3: what is held goes out when it is released', () => {
    const { timers, frames, output } = joiner()
    output.hold()
    output.push('early')
    timers.pass(1000)
    expect(frames).toEqual([])
    output.release()
    expect(frames).toEqual(['early'])
  })
})
