import type { ISCMActionButtonDescriptor } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/scm/common/scm'
import type { NextStep } from './branchWords.ts'
import { gitCommands } from './gitCommandIds.ts'

/** The button below the message. Screen readers read its tooltip, so that begins with what the button shows. */
export function stepButton(
  step: NextStep,
  isBusy: boolean,
  pushesToFork: boolean,
): ISCMActionButtonDescriptor | undefined {
  const commit = { id: gitCommands.commit, title: 'Commit' }
  const commitAndPush = pushesToFork ? 'Commit, Fork and Push' : 'Commit and Push'
  switch (step) {
    case undefined:
      return undefined
    case 'commitAndPush':
      return {
        command: {
          id: gitCommands.commitAndPush,
          title: `$(check) ${commitAndPush}`,
          tooltip: pushesToFork ? `${commitAndPush} every change to your own fork` : `${commitAndPush} every change`,
        },
        secondaryCommands: [[commit, { id: gitCommands.commitAndPush, title: commitAndPush }]],
        enabled: !isBusy,
      }
    case 'commit':
      return { command: { ...commit, title: '$(check) Commit', tooltip: 'Commit every change' }, enabled: !isBusy }
    case 'push':
      return {
        command: pushesToFork
          ? {
              id: gitCommands.push,
              title: '$(repo-forked) Fork and Push',
              tooltip: 'Fork and Push: the commits of this branch go to your own fork of the repository',
            }
          : { id: gitCommands.push, title: '$(repo-push) Push', tooltip: 'Push the commits of this branch' },
        enabled: !isBusy,
      }
    case 'pull':
      return {
        command: { id: gitCommands.pull, title: '$(repo-pull) Pull', tooltip: 'Pull the commits of the remote' },
        enabled: !isBusy,
      }
    case 'createPullRequest':
      return {
        command: {
          id: gitCommands.createPullRequest,
          title: '$(git-pull-request-create) Create Pull Request',
          tooltip: 'Create Pull Request to have this branch reviewed and merged',
        },
        enabled: !isBusy,
      }
  }
}
