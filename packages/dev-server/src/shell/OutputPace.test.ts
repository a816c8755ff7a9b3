import { describe, expect, it } from 'vitest'
import { ManualTimers } from './manualTimers.ts'
import { FRAME_MS } from './OutputJoiner.ts'
import { OutputPace, PACE_LENGTH, TYPING_MS } from './OutputPace.ts'

const CHUNK = 4096
const FRAME_CHUNKS = PACE_LENGTH / CHUNK

/** A program that writes as fast as it is read, and how much of it was read. */
function flood(pace: OutputPace, shellId: string) {
  const flowing = { chunks: 0, waits: false }
  return Object.assign(flowing, {
    /** Reads up to so many chunks, unless it has to wait. */
    read(chunks: number): void {
      for (let count = 0; count < chunks && !flowing.waits; count += 1) {
        flowing.chunks += 1
        flowing.waits = pace.take(shellId, CHUNK, () => (flowing.waits = false))
      }
    },
  })
}

describe('the pace of output', () => {
  it('SH500: nothing waits while nobody types', () => {
    const pace = new OutputPace(new ManualTimers())
    const yes = flood(pace, 'yes')
    yes.read(10_000)
    expect(yes).toMatchObject({ chunks: 10_000, waits: false })
  })

  it('SH500: while somebody types in a text, all terminals together have 32 K units each 16 ms', () => {
    const timers = new ManualTimers()
    const pace = new OutputPace(timers)
    const [yes, no] = [flood(pace, 'yes'), flood(pace, 'no')]
    pace.typed()
    yes.read(10_000)
    expect(yes.chunks).toBe(FRAME_CHUNKS)
    no.read(10_000)
    expect(no).toMatchObject({ chunks: 1, waits: true })
    timers.pass(FRAME_MS - 1)
    expect([yes.waits, no.waits]).toEqual([true, true])
    timers.pass(1)
    expect([yes.waits, no.waits]).toEqual([false, false])
    no.read(FRAME_CHUNKS / 2)
    yes.read(10_000)
    expect(yes.chunks).toBe(FRAME_CHUNKS + FRAME_CHUNKS / 2)
  })

  it('SH500: a second after the last key the flood flows freely again', () => {
    const timers = new ManualTimers()
    const pace = new OutputPace(timers)
    const yes = flood(pace, 'yes')
    pace.typed()
    timers.pass(TYPING_MS - 1)
    yes.read(10_000)
    expect(yes.waits).toBe(true)
    timers.pass(FRAME_MS)
    yes.read(10_000)
    expect(yes).toMatchObject({ chunks: FRAME_CHUNKS + 10_000, waits: false })
  })

  it('SH500: what is typed into a terminal slows the others and not that one', () => {
    const timers = new ManualTimers()
    const pace = new OutputPace(timers)
    const [own, other] = [flood(pace, 'own'), flood(pace, 'other')]
    pace.typed('own')
    own.read(10_000)
    other.read(10_000)
    expect(own.waits).toBe(false)
    expect(other).toMatchObject({ chunks: FRAME_CHUNKS, waits: true })
    pace.typed()
    timers.pass(FRAME_MS)
    own.read(10_000)
    expect(own.waits).toBe(true)
  })
})
