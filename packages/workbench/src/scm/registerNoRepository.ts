import { CommandsRegistry } from '@codingame/monaco-vscode-api/vscode/vs/platform/commands/common/commands'
import { VIEW_PANE_ID } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/scm/common/scm'
import { viewRegistry } from '@codingame/monaco-vscode-workbench-service-override'

const CONVERT = 'boxyard.convertToDevbox'

/** Says in source control why a sandbox without a machine has none. `convert`: asks the person whether it is to become a devbox, which has. */
export function registerNoRepository(convert: (() => void) | undefined): void {
  if (convert) CommandsRegistry.registerCommand(CONVERT, convert)
  const why = 'This sandbox runs in your browser, where there is no git.'
  const way = `A devbox has a machine with git and a terminal, and keeps all files as they are.\n[Convert to devbox](command:${CONVERT})`
  viewRegistry.registerViewWelcomeContent(VIEW_PANE_ID, { content: convert ? `${why} ${way}` : why })
}
