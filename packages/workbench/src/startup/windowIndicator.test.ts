import { Emitter } from '@boxyard/dev-server-client'
import { expect, it } from 'vitest'
import type { ServerLinkState } from '../vsCodeServer/ServerLink.ts'
import { windowIndicator } from './windowIndicator.ts'

const inBrowser = 'The editor runs in the browser, so only web extensions can be installed.'
const inMachine = 'The editor is connected to a microVM, so server extensions can be installed.'

it.each([
  ['devbox', false, 'Devbox (Web)', inBrowser],
  ['devbox', true, 'Devbox', inMachine],
  ['branch', false, 'Devbox (Web)', inBrowser],
  ['branch', true, 'Devbox', inMachine],
  ['sandbox', false, 'Sandbox (Web)', inBrowser],
] as const)(
  'WB850: the window of a %s, with a server: %s, says where extensions run',
  (kind, hasServer, label, tooltip) => {
    const link = hasServer ? { state: 'connected' as const, onDidChange: new Emitter<void>().event } : undefined
    expect(windowIndicator(kind, link)).toMatchObject({ label: `$(package) ${label}`, tooltip })
  },
)

it('WB1035: it says that the server is waited for, and that it has ended', () => {
  const changes = new Emitter<void>()
  const link = { state: 'connected' as ServerLinkState, onDidChange: changes.event }
  const indicator = windowIndicator('devbox', link)
  const seen: string[] = []
  indicator.onDidChange?.(() => void seen.push(`${indicator.label}: ${indicator.tooltip}`))
  for (const state of ['away', 'ended'] as const) {
    link.state = state
    changes.fire()
  }
  expect(seen).toEqual([
    expect.stringMatching(/^\$\(package\) Devbox: The editor waits for the microVM/),
    expect.stringMatching(/^\$\(package\) Devbox \(Web\): .*Reload the window/),
  ])
})
