import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualTimers } from './manualTimers.ts'
import { FRAME_LENGTH, FRAME_MS } from './OutputJoiner.ts'
import { OutputPace, PACE_LENGTH, TYPING_MS } from './OutputPace.ts'
import type { PtyOptions } from './openPty.ts'
import { ScrollbackFile } from './ScrollbackFile.ts'
import { ShellSession } from './ShellSession.ts'
import { RecordingConnection } from './testing.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'session-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A shell whose program writes `y` for as long as it is read. */
function flooding() {
  const timers = new ManualTimers()
  const pace = new OutputPace(timers)
  const typed: string[] = []
  let options: PtyOptions | undefined
  const pty = { isPaused: false }
  const scrollback = new ScrollbackFile(join(folder, 'out'), timers, (error) => {
    throw error
  })
  const session = new ShellSession(
    {
      shellId: 'yes',
      shellType: 'COMMAND',
      name: 'yes',
      command: 'yes',
      cwd: folder,
      size: { cols: 80, rows: 24 },
      ownerUsername: 'ada',
      ownerAppId: 'test',
      isSystemShell: false,
      status: 'RUNNING',
      createdAt: 0,
    },
    scrollback,
    {
      timers,
      pace,
      programs: { interactive: '/bin/bash', bash: '/bin/bash' },
      environment: {},
      openPty(given) {
        options = given
        return {
          pid: process.pid,
          write: (input) => typed.push(input),
          resize: () => undefined,
          pause: () => (pty.isPaused = true),
          resume: () => (pty.isPaused = false),
          keep: () => undefined,
          handOver: () => ({ descriptor: null, partial: '', input: '' }),
        }
      },
      takePty() {
        throw new Error('Nothing is taken over here')
      },
      exitCodePath: () => join(folder, 'exit'),
      onActivity: () => undefined,
      onExit: () => undefined,
    },
  )
  session.start()
  const reader = new RecordingConnection()
  session.subscribe(reader)
  return {
    timers,
    pace,
    typed,
    session,
    reader,
    isPaused: () => pty.isPaused,
    /** Writes up to so many units, as far as they are read. */
    flow(units: number): number {
      let written = 0
      for (; written < units && !pty.isPaused; written += 4096) options?.onData('y'.repeat(4096))
      return written
    },
  }
}

describe('a terminal that floods', () => {
  it('SH500: is read no further while somebody types in a text, and all it wrote still arrives', async () => {
    const { timers, pace, session, reader, flow, isPaused } = flooding()
    let written = flow(10 * FRAME_LENGTH)
    expect(written).toBe(10 * FRAME_LENGTH)
    for (let key = 0; key < 20; key += 1) {
      pace.typed()
      const frame = flow(10 * FRAME_LENGTH)
      expect(frame).toBeLessThanOrEqual(PACE_LENGTH)
      expect(isPaused()).toBe(true)
      written += frame
      timers.pass(FRAME_MS)
      expect(isPaused()).toBe(false)
    }
    timers.pass(TYPING_MS)
    written += flow(10 * FRAME_LENGTH)
    timers.pass(FRAME_MS)
    expect(isPaused()).toBe(false)
    expect(reader.output('yes')).toHaveLength(written)
    await session.flush()
  })

  it('SH500: takes a key although it waits, and stays paused for a reader that is behind', async () => {
    const { timers, pace, session, reader, typed, flow, isPaused } = flooding()
    pace.typed()
    flow(10 * FRAME_LENGTH)
    expect(isPaused()).toBe(true)
    session.write('\u0003')
    expect(typed).toEqual(['\u0003'])
    reader.bufferedBytes = 1_000_000
    timers.pass(FRAME_MS)
    flow(4096)
    timers.pass(FRAME_MS)
    expect(isPaused()).toBe(true)
    await session.flush()
  })
})
