import { Codicon } from '@codingame/monaco-vscode-api/vscode/vs/base/common/codicons'
import type { ThemeIcon } from '@codingame/monaco-vscode-api/vscode/vs/base/common/themables'
import {
  Action2,
  MenuId,
  registerAction2,
  type IAction2Options,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/actions/common/actions'
import {
  ContextKeyExpr,
  type ContextKeyExpression,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/contextkey/common/contextkey'
import { aiContext } from '../ai/aiPlaces.ts'
import { boxScheme } from '../files/boxUri.ts'
import { gitCommands } from './gitCommandIds.ts'
import { GIT_PROVIDER } from './gitProvider.ts'

/** What menus look at: what the workspace is and what the person may do with it. */
export const gitContext = {
  isRepository: 'boxyard.isRepository',
  canWrite: 'boxyard.canWrite',
  hasRemote: 'boxyard.hasRemote',
  hasHost: 'boxyard.hasHost',
  canPush: 'boxyard.canPush',
  hasPullRequest: 'boxyard.hasPullRequest',
  canMakeRepository: 'boxyard.canMakeRepository',
} as const

const has = (...names: (keyof typeof gitContext)[]): ContextKeyExpression =>
  ContextKeyExpr.and(...names.map((name) => ContextKeyExpr.has(gitContext[name])))!
const ours = ContextKeyExpr.equals('scmProvider', GIT_PROVIDER)
const and = (...all: (ContextKeyExpression | undefined)[]) => ContextKeyExpr.and(...all)!

type Run = (...given: unknown[]) => void

/** Registers the commands of source control and the places where they stand. */
export function registerGitMenus(run: Record<keyof typeof gitCommands, Run>): void {
  const register = (
    name: keyof typeof gitCommands,
    title: string,
    when: ContextKeyExpression,
    menu: IAction2Options['menu'],
    icon?: ThemeIcon,
    f1 = true,
  ) => {
    registerAction2(
      class extends Action2 {
        constructor() {
          super({
            id: gitCommands[name],
            title: { value: title, original: title },
            category: { value: 'Git', original: 'Git' },
            f1,
            precondition: when,
            ...(icon && { icon }),
            ...(menu && { menu }),
          })
        }
        run(_accessor: unknown, ...given: unknown[]): void {
          run[name](...given)
        }
      },
    )
  }
  const title = (group: string, order: number, when?: ContextKeyExpression) => ({
    id: MenuId.SCMTitle,
    group,
    order,
    when: and(ours, when),
  })
  const file = (group: string, order: number, when?: ContextKeyExpression) => ({
    id: MenuId.SCMResourceContext,
    group,
    order,
    when: and(ours, when),
  })
  const committing = has('isRepository', 'canWrite')
  const pushing = has('isRepository', 'canWrite', 'canPush')
  const pulling = has('isRepository', 'canWrite', 'hasRemote')

  register(
    'commit',
    'Commit',
    committing,
    [title('navigation', 1, committing), title('1_commit', 1, committing)],
    Codicon.check,
  )
  const suggesting = and(committing, ContextKeyExpr.has(aiContext.suggestCommit))
  register(
    'suggestMessage',
    'Suggest a Commit Message',
    suggesting,
    [{ id: MenuId.SCMInputBox, group: 'navigation', order: 1, when: and(ours, suggesting) }],
    Codicon.sparkle,
  )
  register('commitAndPush', 'Commit and Push', pushing, [title('1_commit', 2, pushing)])
  register('pull', 'Pull', pulling, [title('navigation', 2, pulling), title('2_remote', 1, pulling)], Codicon.repoPull)
  register('push', 'Push', pushing, [title('2_remote', 2, pushing)], Codicon.repoPush)
  register('pullTarget', 'Update from the Target Branch', pulling, [title('2_remote', 3, pulling)])
  register(
    'createPullRequest',
    'Create Pull Request…',
    pushing,
    [title('3_pull', 1, pushing)],
    Codicon.gitPullRequestCreate,
  )
  register(
    'showPullRequest',
    'Show Pull Request',
    has('hasPullRequest'),
    [title('3_pull', 2, has('hasPullRequest'))],
    Codicon.gitPullRequest,
  )
  register('branchMenu', 'Branches…', has('isRepository', 'hasHost'), [title('4_branch', 1, has('hasHost'))])
  register('returnToBranch', 'Return to the Branch of This Box', has('isRepository', 'canWrite', 'hasHost'), [
    title('4_branch', 2, has('canWrite', 'hasHost')),
  ])
  const making = has('canWrite', 'canMakeRepository')
  register(
    'createRepository',
    'Create a Repository from This Devbox…',
    making,
    [title('4_branch', 3, making)],
    Codicon.repoCreate,
  )
  register(
    'discardAll',
    'Discard All Changes',
    committing,
    [
      title('5_discard', 1, committing),
      {
        id: MenuId.SCMResourceGroupContext,
        group: 'inline',
        order: 1,
        when: and(ours, committing, ContextKeyExpr.equals('scmResourceGroup', 'changes')),
      },
    ],
    Codicon.discard,
  )
  register('resetToRemote', 'Reset to remote', pulling, [title('5_discard', 2, pulling)])
  register('openChange', 'Open Changes', has('isRepository'), [file('1_open', 1)], undefined, false)
  register(
    'openFile',
    'Open file',
    has('isRepository'),
    [
      file('inline', 1),
      file('1_open', 2),
      {
        id: MenuId.EditorTitle,
        group: 'navigation',
        order: 2,
        when: and(ContextKeyExpr.has('isInDiffEditor'), has('isRepository')),
      },
    ],
    Codicon.goToFile,
  )
  register(
    'discard',
    'Discard Changes',
    committing,
    [file('inline', 2, committing), file('2_discard', 1, committing)],
    Codicon.discard,
    false,
  )
  register('revertChange', 'Revert Change', committing, [
    {
      id: MenuId.EditorContext,
      group: '1_modification',
      order: 9,
      when: and(committing, ContextKeyExpr.equals('resourceScheme', boxScheme())),
    },
  ])
}
