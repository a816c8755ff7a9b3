import { getService, IExtensionService } from '@codingame/monaco-vscode-api'
import '@codingame/monaco-vscode-theme-seti-default-extension'
import '@codingame/monaco-vscode-configuration-editing-default-extension'
import '@codingame/monaco-vscode-css-language-features-default-extension'
import '@codingame/monaco-vscode-emmet-default-extension'
import '@codingame/monaco-vscode-git-base-default-extension'
import '@codingame/monaco-vscode-html-language-features-default-extension'
import '@codingame/monaco-vscode-json-language-features-default-extension'
import '@codingame/monaco-vscode-markdown-language-features-default-extension'
import '@codingame/monaco-vscode-merge-conflict-default-extension'
import '@codingame/monaco-vscode-references-view-default-extension'
import '@codingame/monaco-vscode-search-result-default-extension'
import '../language/grammars.ts'
import { letHostStart } from './mainThread.ts'
import { registerMoreThemes } from '../theme/registerMoreThemes.ts'

registerMoreThemes()

/** The part of the extension service that starts hosts; VS Code keeps it to itself. */
interface ExtensionHostStarter {
  _startExtensionHostsIfNecessary(isInitialStart: boolean, activationEvents: string[]): void
  _allRequestedActivateEvents: Map<string, unknown> | Set<string>
}

function isStarter(service: object): service is ExtensionHostStarter {
  return '_startExtensionHostsIfNecessary' in service && '_allRequestedActivateEvents' in service
}

/** Starts the worker that extensions run in. Importing this module has registered the extensions of the late chunk. */
export async function startExtensionHost(): Promise<void> {
  letHostStart()
  const service = await getService(IExtensionService)
  if (!isStarter(service)) throw new Error('The extension service of this version cannot start hosts late')
  service._startExtensionHostsIfNecessary(false, [...service._allRequestedActivateEvents.keys()])
}
