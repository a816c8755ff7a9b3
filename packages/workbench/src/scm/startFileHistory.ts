import type { GitArea } from '@boxyard/dev-server-client'
import { getService, IEditorService } from '@codingame/monaco-vscode-api'
import { Emitter } from '@codingame/monaco-vscode-api/vscode/vs/base/common/event'
import { CommandsRegistry } from '@codingame/monaco-vscode-api/vscode/vs/platform/commands/common/commands'
import type { TimelineChangeEvent } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/timeline/common/timeline'
import { ITimelineService } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/timeline/common/timeline.service'
import type { Uri } from 'monaco-editor'
import { boxScheme } from '../files/boxUri.ts'
import { report } from '../status/report.ts'
import { fileHistory, HISTORY, OPEN_COMMIT } from './fileHistory.ts'
import type { GitContent } from './gitContent.ts'

/** Lists the commits that changed the file in front in the workbench's timeline. The answer is called when the branch has other commits. */
export async function startFileHistory(
  git: GitArea,
  workspacePath: string,
  content: Pick<GitContent, 'resource'>,
): Promise<() => void> {
  const editors = await getService(IEditorService)
  const changes = new Emitter<TimelineChangeEvent>()
  const root = `${workspacePath}/`
  ;(await getService(ITimelineService)).registerTimelineProvider({
    id: HISTORY,
    label: 'Git',
    scheme: boxScheme(),
    onDidChange: changes.event,
    provideTimeline: async ({ path }: Uri, { cursor }) =>
      path.startsWith(root) && git.status !== undefined
        ? fileHistory(git, path.slice(root.length), cursor)
        : { source: HISTORY, items: [] },
    dispose: () => changes.dispose(),
  })
  CommandsRegistry.registerCommand(OPEN_COMMIT, (_accessor, path: string, commit: string, label: string) => {
    const original = { resource: content.resource(path, `${commit}^`) }
    const modified = { resource: content.resource(path, commit) }
    editors
      .openEditor({ original, modified, label: `${path.split('/').at(-1)} (${label})`, options: { pinned: true } })
      .catch((error: unknown) => report('The change did not open', error))
  })
  return () => changes.fire({ id: HISTORY, uri: undefined, reset: true })
}
