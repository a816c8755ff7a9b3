import { ColorThemeData } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/themes/common/colorThemeData'
import type { IStorageService } from '@codingame/monaco-vscode-api/vscode/vs/platform/storage/common/storage.service'
import { URI } from '@codingame/monaco-vscode-api/vscode/vs/base/common/uri'
import { expect, it } from 'vitest'
import { colorThemes } from '../theme/common/colorThemes.ts'
import { offeredThemes } from '../theme/common/themesExtension.ts'
import { knownTheme } from './knownTheme.ts'

it.each(['dark', 'light'] as const)('WB1061: the first visit begins with our %s theme, as later ones do', (scheme) => {
  const kept = knownTheme(scheme)
  const storage = { get: (key: string) => kept[key] } as unknown as IStorageService
  const begun = ColorThemeData.fromStorageData(storage)!
  const extension = {
    extensionId: 'boxyard.themes',
    extensionPublisher: 'boxyard',
    extensionName: 'themes',
    extensionIsBuiltin: true,
  }
  // The file of an extension is not typed by the workbench's own names.
  const contributed = offeredThemes().find(({ id }) => id === colorThemes[scheme].name) as unknown as Parameters<
    typeof ColorThemeData.fromExtensionTheme
  >[0]
  const found = ColorThemeData.fromExtensionTheme(contributed, URI.file('/theme.json'), extension)
  expect([begun.id, begun.label, begun.settingsId]).toEqual([found.id, found.label, found.settingsId])
  expect(begun.type).toBe(scheme)
  expect(begun.extensionData).toEqual(extension)
  const map = begun.tokenColorMap.map((color) => color?.toLowerCase())
  const foregrounds = colorThemes[scheme].tokenColors.flatMap(({ settings }) => settings.foreground ?? [])
  expect(foregrounds.length).toBeGreaterThan(5)
  for (const foreground of foregrounds) expect(map).toContain(foreground.toLowerCase())
})
