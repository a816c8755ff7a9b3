import { TooltipProvider } from '@boxyard/ui'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { createActor } from 'xstate'
import type { BoxPorts } from './boxMachine.ts'
import { boxMachine } from './boxMachine.ts'
import { ConnectionBanner } from './ConnectionBanner.tsx'

const ports: BoxPorts = {
  start: () => () => {},
  connect: () => ({ reconnect: () => {}, dispose: () => {} }),
  restart: () => () => {},
  reload: () => {},
  isFocused: () => false,
}

/** The banner of a machine whose connection is lost. */
function lost(onRestart: (() => void) | undefined): string {
  const actor = createActor(boxMachine, { input: ports }).start()
  const box = { id: 'b', bootupType: 'RUNNING', pitcherUrl: 'ws://b', pitcherToken: '', workspacePath: '/' } as const
  actor.send({ type: 'STARTED', box })
  actor.send({ type: 'CONNECTED' })
  actor.send({ type: 'DISCONNECTED', reason: 'gone', wasClean: false })
  return renderToStaticMarkup(
    <TooltipProvider>
      <ConnectionBanner state={actor.getSnapshot()} onReconnect={() => {}} onRestart={onRestart} />
    </TooltipProvider>,
  )
}

it('AP958: a machine that is out of reach is restarted by who may; for others the button is there and off', () => {
  const button = (html: string) => /<button[^>]*>(?:(?!<\/button>).)*Restart microVM/.exec(html)?.[0]
  expect(button(lost(() => {}))).not.toContain('aria-disabled="true"')
  expect(button(lost(undefined))).toContain('aria-disabled="true"')
})
