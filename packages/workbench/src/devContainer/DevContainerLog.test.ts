import { Emitter, type ShellSession } from '@boxyard/dev-server-client'
import type { SetupStep, ShellSize } from '@boxyard/protocol'
import { expect, it } from 'vitest'
import { DevContainerLog } from './DevContainerLog.ts'

const step = (name: string, shellId: string | null): SetupStep => ({ name, command: '', shellId, finishStatus: null })
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A log, and the shells that it opens. */
function logOf() {
  const shells = new Map<string, { data: Emitter<string>; reset: Emitter<void>; size: ShellSize | undefined }>()
  const log = new DevContainerLog({
    async open(shellId, size) {
      if (shellId === 'gone') throw new Error('There is no such shell')
      const shell = { data: new Emitter<string>(), reset: new Emitter<void>(), size }
      shells.set(shellId, shell)
      return { onData: shell.data.event, onReset: shell.reset.event, dispose() {} } as unknown as ShellSession
    },
  })
  /** What a terminal shows that was there from the beginning. */
  let screen = ''
  log.onDidWrite((text) => (screen += text))
  log.onDidReset(() => (screen = log.text))
  return { log, shells, screen: () => screen }
}

const heading = (name: string) => `\x1b[1m${name}\x1b[0m\r\n`

it('WB983: the log shows each step once, in a terminal of 80 columns and 24 rows, with its name above it', async () => {
  const { log, shells, screen } = logOf()
  log.follow([step('onCreateCommand', 'a'), step('postCreateCommand', null)])
  await settled()
  expect(shells.get('a')!.size).toEqual({ cols: 80, rows: 24 })
  shells.get('a')!.data.fire('one\r\n')
  log.follow([step('onCreateCommand', 'a'), step('postCreateCommand', 'b')])
  await settled()
  shells.get('b')!.data.fire('two\r\n')
  log.say('Done.')
  await settled()
  const text = `${heading('onCreateCommand')}one\r\n${heading('postCreateCommand')}two\r\n\r\nDone.\r\n`
  expect(screen()).toBe(text)
  expect(log.text).toBe(text)
})

it('WB983: output that comes anew takes the place of what was there', async () => {
  const { log, shells, screen } = logOf()
  log.follow([step('onCreateCommand', 'a')])
  await settled()
  shells.get('a')!.data.fire('one\r\n')
  log.follow([step('postCreateCommand', 'b')])
  await settled()
  shells.get('b')!.data.fire('two\r\n')
  for (const [id, text] of [
    ['a', 'one\r\n'],
    ['b', 'two\r\nmore\r\n'],
  ] as const) {
    shells.get(id)!.reset.fire()
    shells.get(id)!.data.fire(text)
  }
  const text = `${heading('onCreateCommand')}one\r\n${heading('postCreateCommand')}two\r\nmore\r\n`
  expect(screen()).toBe(text)
  expect(log.text).toBe(text)
})

it('WB983: a step whose shell is gone is said to be, and the next one follows', async () => {
  const { log, shells, screen } = logOf()
  log.follow([step('onCreateCommand', 'gone'), step('postCreateCommand', 'b')])
  await settled()
  shells.get('b')!.data.fire('two\r\n')
  expect(screen()).toContain('Its output is not there: There is no such shell')
  expect(screen()).toMatch(/two\r\n$/)
})
