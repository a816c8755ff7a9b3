import type { App } from '../App.ts'
import type { OpenedBranch } from './openAddress.ts'

const EXPERIENCED = 'boxyard.seamless-branching'

/** Says what the address of a branch did before it opened: it made the branch, or brought the repository into a workspace. */
export function announceBranch(
  { notices }: Pick<App, 'notices'>,
  { branch, owner, repo, imported }: OpenedBranch,
  { isNew, workspaceName }: { isNew: boolean; workspaceName?: string | undefined },
  storage: Pick<Storage, 'getItem' | 'setItem'> = window.localStorage,
): void {
  if (imported) {
    notices.add({
      uniqueName: 'imported-repository',
      tone: 'success',
      title: `Imported repository ${owner}/${repo} to ${workspaceName ?? 'your workspace'}`,
      timeout: 10_000,
    })
  }
  if (!isNew) return
  const isFirst = storage.getItem(EXPERIENCED) === null
  storage.setItem(EXPERIENCED, 'true')
  notices.add({
    uniqueName: 'created-branch',
    tone: 'success',
    title: `Created new branch ${branch}`,
    ...(isFirst
      ? {
          body: 'What you edit stays on this branch, on a machine of its own. Open a pull request when others should look at it.',
          actions: [{ label: 'Learn more', perform: () => void window.open('/help/branches', '_blank', 'noopener') }],
        }
      : { timeout: 10_000 }),
  })
}
