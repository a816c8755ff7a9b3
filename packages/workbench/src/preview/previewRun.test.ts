import { Emitter } from '@boxyard/dev-server-client'
import { expect, it, vi } from 'vitest'

const changes = new Emitter<{ affectsConfiguration(name: string): boolean }>()
const settings = new Map<string, unknown>()
const registerConfiguration = vi.fn()

vi.mock('@codingame/monaco-vscode-api', () => ({
  IConfigurationService: {},
  getService: async () => ({
    getValue: (name: string) => settings.get(name),
    onDidChangeConfiguration: changes.event,
  }),
}))
vi.mock('@codingame/monaco-vscode-configuration-service-override', () => ({
  configurationRegistry: { registerConfiguration },
}))

const { startPreviewRun } = await import('./previewRun.ts')

it('WB1032: whether the preview follows edits or saves is a setting, told when it is another', async () => {
  const told: string[] = []
  const set = (value: unknown) => {
    settings.set('boxyard.preview.run', value)
    changes.fire({ affectsConfiguration: (name) => name === 'boxyard.preview.run' })
  }
  await startPreviewRun((run) => void told.push(run))
  const [{ properties }] = registerConfiguration.mock.calls[0] as [{ properties: Record<string, object> }]
  expect(properties).toMatchObject({
    'boxyard.preview.run': { enum: ['edit-delayed', 'save'], default: 'edit-delayed' },
  })
  expect(told).toEqual([])
  set('save')
  set('save')
  changes.fire({ affectsConfiguration: () => false })
  set('nonsense')
  expect(told).toEqual(['save', 'edit-delayed'])
  settings.set('boxyard.preview.run', 'save')
  await startPreviewRun((run) => void told.push(run))
  expect(told.at(-1)).toBe('save')
})
