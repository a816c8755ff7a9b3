import type { GitArea } from '@boxyard/dev-server-client'
import type { Timeline } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/timeline/common/timeline'

/** Opens what a commit changed in a file. */
export const OPEN_COMMIT = 'boxyard.git.openCommit'
export const HISTORY = 'boxyard.git'

/** The commits that changed a file, as the workbench's timeline lists them. `cursor` is where the last answer ended. */
export async function fileHistory(
  git: Pick<GitArea, 'history'>,
  path: string,
  cursor: string | undefined,
): Promise<Timeline> {
  const skip = Number(cursor ?? 0)
  const { commits, hasMore } = await git.history(path, skip)
  const items = commits.map(({ hash, message, author, date }) => {
    const label = message.split('\n', 1)[0] || hash
    return {
      handle: hash,
      id: hash,
      source: HISTORY,
      label,
      description: author,
      tooltip: `${hash.slice(0, 8)} ${author}\n\n${message}`,
      timestamp: Date.parse(date),
      themeIcon: { id: 'git-commit' },
      command: { id: OPEN_COMMIT, title: 'Open Changes', arguments: [path, hash, label] },
    }
  })
  return { source: HISTORY, items, ...(hasMore && { paging: { cursor: String(skip + commits.length) } }) }
}
