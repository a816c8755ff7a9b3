import { getService, ILanguageFeaturesService } from '@codingame/monaco-vscode-api'
import { Emitter, Event } from '@codingame/monaco-vscode-api/vscode/vs/base/common/event'
import type { CodeLens, CodeLensProvider } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/languages'

/** What VS Code says above a conflict. */
const short: Readonly<Record<string, string>> = {
  'Accept Current Change': 'Current',
  'Accept Incoming Change': 'Incoming',
  'Accept Both Changes': 'Both',
  'Compare Changes': 'Compare',
}

/** Says what can be done with a conflict in a word each while `small` matches: a line that is longer than its editor is cut off. */
export async function shortLenses(small: MediaQueryList): Promise<void> {
  const { codeLensProvider } = await getService(ILanguageFeaturesService)
  const turns = new Emitter<void>()
  small.addEventListener('change', () => turns.fire())
  const register = codeLensProvider.register.bind(codeLensProvider)
  codeLensProvider.register = (selector, provider) => register(selector, shortened(provider, small, turns.event))
}

export function shortened(
  provider: CodeLensProvider,
  small: Pick<MediaQueryList, 'matches'>,
  onDidTurn: Event<void>,
): CodeLensProvider {
  const { onDidChange } = provider
  const changes = onDidChange ? Event.any<unknown>(onDidChange, onDidTurn) : onDidTurn
  const all: CodeLensProvider = {
    onDidChange: (listener, self, disposables) => changes(() => listener.call(self, all), undefined, disposables),
    async provideCodeLenses(model, token) {
      const found = await provider.provideCodeLenses(model, token)
      if (!found || !small.matches) return found
      return { lenses: found.lenses.map(inAWord), dispose: () => found.dispose?.() }
    },
  }
  if (provider.resolveCodeLens) all.resolveCodeLens = (...lens) => provider.resolveCodeLens!(...lens)
  return all
}

function inAWord(lens: CodeLens): CodeLens {
  const word = lens.command && short[lens.command.title]
  return word ? { ...lens, command: { ...lens.command!, title: word, tooltip: lens.command!.title } } : lens
}
