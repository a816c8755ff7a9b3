import { Emitter } from '@boxyard/dev-server-client'
import type { Shell } from '@boxyard/protocol'
import { TitleEventSource } from '@codingame/monaco-vscode-api/vscode/vs/platform/terminal/common/terminal'
import { expect, it } from 'vitest'
import { shareNames } from './shareNames.ts'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** One window with the terminal of one shell. */
function window({ launched, refuses = false }: { launched?: string; refuses?: boolean } = {}) {
  const titles = new Emitter<Terminal>()
  const changes = new Emitter<readonly Shell[]>()
  const asked: [string, string][] = []
  const failed: unknown[] = []
  const terminal = {
    shellLaunchConfig: { name: launched },
    titleSource: TitleEventSource.Process,
    staticTitle: launched,
    async rename(title: string): Promise<void> {
      terminal.titleSource = TitleEventSource.Api
      terminal.staticTitle = title
      titles.fire(terminal)
    },
  }
  type Terminal = typeof terminal
  const shell = { shellId: 's', firstName: 'zsh' }
  shareNames<Terminal>({
    terminals: { instances: [terminal], onAnyInstanceTitleChange: titles.event },
    shells: {
      all: [],
      onDidChange: changes.event,
      rename: async (...given) => {
        asked.push(given)
        if (refuses) throw new Error('no')
      },
    },
    shellOf: () => shell,
    onError: (error) => failed.push(error),
  })
  const hear = (name: string) => changes.fire([{ shellId: 's', name } as Shell])
  return { terminal, titles, asked, failed, hear }
}

it('WB960: the name that a terminal is given is told, once', async () => {
  const { terminal, asked, hear } = window()
  await terminal.rename('tests')
  hear('tests')
  await terminal.rename('tests')
  expect(asked).toEqual([['s', 'tests']])
})

it('WB960: a name that was given in another window is shown and not told again', async () => {
  const { terminal, asked, hear } = window()
  hear('zsh')
  expect(terminal.staticTitle).toBeUndefined()
  hear('their tests')
  await settled()
  expect(terminal.staticTitle).toBe('their tests')
  await terminal.rename('my tests')
  // What changes elsewhere meanwhile does not bring the old name back.
  hear('their tests')
  expect(terminal.staticTitle).toBe('my tests')
  expect(asked).toEqual([['s', 'my tests']])
})

it('WB960: the name of a task, and a title that a program sets, are told to nobody', async () => {
  const { terminal, titles, asked } = window({ launched: 'Dev server' })
  terminal.titleSource = TitleEventSource.Api
  titles.fire(terminal)
  terminal.titleSource = TitleEventSource.Sequence
  terminal.staticTitle = 'vim'
  titles.fire(terminal)
  expect(asked).toEqual([])
})

it('WB960: a name that is refused is taken back', async () => {
  const { terminal, asked, failed } = window({ refuses: true })
  await terminal.rename('tests')
  await settled()
  expect(failed).toEqual([new Error('no')])
  expect(terminal.staticTitle).toBe('zsh')
  expect(asked).toHaveLength(1)
})
