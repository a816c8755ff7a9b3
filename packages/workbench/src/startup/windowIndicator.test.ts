import { expect, it } from 'vitest'
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
    expect(windowIndicator(kind, hasServer)).toEqual({ label: `$(package) ${label}`, tooltip })
  },
)
