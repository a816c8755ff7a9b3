import { Emitter } from '@boxyard/dev-server-client'
import { getService, IConfigurationService } from '@codingame/monaco-vscode-api'
import { ConfigurationTarget } from '@codingame/monaco-vscode-api/vscode/vs/platform/configuration/common/configuration'
import { configurationRegistry } from '@codingame/monaco-vscode-configuration-service-override'
import { report } from '../status/report.ts'
import type { ColorScheme } from '../startup/settings.ts'
import { themeNames } from './common/themeNames.ts'
import type { EditorColors } from './editorColors.ts'

/** Keeps the theme of the editor and that of the page around it together. */
export class ThemeOfPage {
  readonly #changes = new Emitter<EditorColors>()
  readonly onDidChange = this.#changes.event
  #colors: EditorColors | undefined

  /** Of the theme that is shown; undefined before it is known. */
  get colors(): EditorColors | undefined {
    return this.#colors
  }

  async follow(): Promise<void> {
    const { followColors } = await import('./editorColors.ts')
    await followColors((next) => {
      this.#colors = next
      this.#changes.fire(next)
    })
  }

  /** A default, so that a theme that the person has chosen stays. */
  set(scheme: ColorScheme): void {
    configurationRegistry.registerDefaultConfigurations([{ overrides: { 'workbench.colorTheme': themeNames[scheme] } }])
  }

  /** The person wants it dark or light: a theme of the other kind that they have chosen goes. */
  choose(scheme: ColorScheme): void {
    this.set(scheme)
    if (this.#colors?.scheme === scheme) return
    getService(IConfigurationService)
      .then((settings) => settings.updateValue('workbench.colorTheme', undefined, ConfigurationTarget.USER))
      .catch((error: unknown) => report('The theme was not changed', error))
  }
}
