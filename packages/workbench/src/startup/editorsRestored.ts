import { getService, IWorkbenchLayoutService } from '@codingame/monaco-vscode-api'

/** Resolves when the editors of the last visit, or those of a first one, are open: what is opened after that stays on top. */
export async function editorsRestored(): Promise<void> {
  const layout = await getService(IWorkbenchLayoutService)
  await layout.whenRestored
}
