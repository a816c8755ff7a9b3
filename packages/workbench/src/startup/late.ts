import { getService, IExtensionService } from '@codingame/monaco-vscode-api'
import '@codingame/monaco-vscode-clojure-default-extension'
import '@codingame/monaco-vscode-cpp-default-extension'
import '@codingame/monaco-vscode-csharp-default-extension'
import '@codingame/monaco-vscode-css-default-extension'
import '@codingame/monaco-vscode-dart-default-extension'
import '@codingame/monaco-vscode-diff-default-extension'
import '@codingame/monaco-vscode-docker-default-extension'
import '@codingame/monaco-vscode-dotenv-default-extension'
import '@codingame/monaco-vscode-go-default-extension'
import '@codingame/monaco-vscode-groovy-default-extension'
import '@codingame/monaco-vscode-handlebars-default-extension'
import '@codingame/monaco-vscode-html-default-extension'
import '@codingame/monaco-vscode-ini-default-extension'
import '@codingame/monaco-vscode-java-default-extension'
import '@codingame/monaco-vscode-json-default-extension'
import '@codingame/monaco-vscode-julia-default-extension'
import '@codingame/monaco-vscode-less-default-extension'
import '@codingame/monaco-vscode-lua-default-extension'
import '@codingame/monaco-vscode-make-default-extension'
import '@codingame/monaco-vscode-perl-default-extension'
import '@codingame/monaco-vscode-php-default-extension'
import '@codingame/monaco-vscode-powershell-default-extension'
import '@codingame/monaco-vscode-pug-default-extension'
import '@codingame/monaco-vscode-python-default-extension'
import '@codingame/monaco-vscode-r-default-extension'
import '@codingame/monaco-vscode-ruby-default-extension'
import '@codingame/monaco-vscode-rust-default-extension'
import '@codingame/monaco-vscode-scss-default-extension'
import '@codingame/monaco-vscode-shellscript-default-extension'
import '@codingame/monaco-vscode-sql-default-extension'
import '@codingame/monaco-vscode-swift-default-extension'
import '@codingame/monaco-vscode-xml-default-extension'
import '@codingame/monaco-vscode-yaml-default-extension'
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
import { letHostStart } from './mainThread.ts'
import { registerMoreLanguages } from '../language/registerMoreLanguages.ts'
import { registerMoreThemes } from '../theme/registerMoreThemes.ts'

registerMoreThemes()
registerMoreLanguages()

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
