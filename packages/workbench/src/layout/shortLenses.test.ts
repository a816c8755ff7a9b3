import { Emitter } from '@codingame/monaco-vscode-api/vscode/vs/base/common/event'
import { expect, it, vi } from 'vitest'
import { shortened } from './shortLenses.ts'

vi.mock('@codingame/monaco-vscode-api', () => ({}))

it('WB1087: in a small window what can be done with a conflict is said in a word each, its tooltip says the rest', async () => {
  const turns = new Emitter<void>()
  const titles = [
    'Accept Current Change',
    'Accept Incoming Change',
    'Accept Both Changes',
    'Compare Changes',
    '3 references',
  ]
  const lenses = titles.map((title) => ({ command: { id: 'act', title, arguments: [title] } }))
  const small = { matches: true }
  const provider = shortened({ provideCodeLenses: () => ({ lenses }) } as never, small, turns.event)
  const shown = async () => {
    const found = await provider.provideCodeLenses({} as never, {} as never)
    return found!.lenses.map(({ command }) => command!)
  }
  expect((await shown()).map(({ title }) => title)).toEqual(['Current', 'Incoming', 'Both', 'Compare', '3 references'])
  expect((await shown()).map(({ tooltip }) => tooltip)).toEqual([...titles.slice(0, 4), undefined])
  expect((await shown()).map((command) => command.arguments)).toEqual(titles.map((title) => [title]))
  const asked = vi.fn()
  provider.onDidChange!(asked)
  small.matches = false
  turns.fire()
  expect(asked).toHaveBeenCalledOnce()
  expect((await shown()).map(({ title }) => title)).toEqual(titles)
})
