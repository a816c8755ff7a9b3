import type { IQuickInputService } from '@codingame/monaco-vscode-api/vscode/vs/platform/quickinput/common/quickInput.service'
import type { BranchHost, BranchPullRequest, RepositoryMaker } from './branchHost.ts'

type Ask = Pick<IQuickInputService, 'pick' | 'input'>

interface Choice {
  label: string
  description?: string
  run(): Promise<void> | void
}

/** Offers what can be done with branches: make one, rename, protect or remove this one, open another. */
export async function showBranchMenu(
  ask: Ask,
  host: BranchHost,
  current: string | null,
  rename: (name: string) => Promise<void>,
): Promise<void> {
  const make: Choice = {
    label: '$(add) Create a branch…',
    description: `from ${current ?? 'this commit'}, on a machine of its own`,
    run: async () => {
      const name = await ask.input({
        prompt: 'Name of the new branch',
        placeHolder: 'fix-the-list',
        validateInput: branchFault,
      })
      if (name) await host.createBranch(name)
    },
  }
  const change: Choice = {
    label: '$(edit) Rename this branch…',
    run: async () => {
      const name = await ask.input({
        prompt: 'New name of this branch',
        value: current ?? '',
        validateInput: branchFault,
      })
      if (name && name !== current) await rename(name)
    },
  }
  const { protection, removeBranch } = host
  const protect: Choice[] = protection
    ? [
        protection.isProtected
          ? { label: '$(unlock) End the protection of this branch', run: () => protection.change(false) }
          : {
              label: '$(lock) Protect this branch',
              description: 'whoever edits it gets a branch of their own',
              run: () => protection.change(true),
            },
      ]
    : []
  const remove: Choice[] = removeBranch
    ? [
        {
          label: '$(trash) Remove this branch…',
          run: async () => {
            const sure = { label: `Remove ${current ?? 'this branch'}` }
            const picked = await ask.pick([{ label: 'Keep it' }, sure], {
              placeHolder:
                'It goes here and at the git host, with its machine and what was not pushed. This can not be undone.',
            })
            if (picked?.label === sure.label) await removeBranch()
          },
        },
      ]
    : []
  const others = (await host.branches()).filter((name) => name !== current)
  const open = others.map((name): Choice => ({ label: `$(git-branch) ${name}`, run: () => host.openBranch(name) }))
  const own = [...(host.canRename && current ? [change] : []), ...protect, ...remove]
  const choices = [...(host.canBranch ? [make] : []), ...own, ...open]
  const chosen = await ask.pick(choices, { placeHolder: 'Create, change or open a branch' })
  await chosen?.run()
}

/** Asks for what a pull request needs, and opens it; undefined for who gives up on the way. */
export async function askForPullRequest(
  ask: Ask,
  host: BranchHost,
  suggestion: string,
): Promise<BranchPullRequest | undefined> {
  const title = await ask.input({
    title: `Pull request to ${host.targetBranch} (1 of 3)`,
    prompt: 'What the change is, in one line',
    value: suggestion,
    validateInput: async (text) => (text.trim() === '' ? 'A pull request needs a title.' : undefined),
  })
  if (title === undefined) return undefined
  const body = await ask.input({
    title: `Pull request to ${host.targetBranch} (2 of 3)`,
    prompt: 'Why, and what to look at. It may stay empty.',
  })
  if (body === undefined) return undefined
  const ready = { label: 'Open for review', description: 'reviewers can start now' }
  const draft = { label: 'Open as a draft', description: 'it is not ready to be merged yet' }
  const kind = await ask.pick([ready, draft], { title: `Pull request to ${host.targetBranch} (3 of 3)` })
  if (!kind) return undefined
  return host.createPullRequest({ title: title.trim(), body, draft: kind === draft })
}

/** Asks how a repository is to be called and who may see it, makes it, fills it, and opens it. */
export async function askForRepository(
  ask: Ask,
  maker: RepositoryMaker,
  fill: (made: Awaited<ReturnType<RepositoryMaker['create']>>) => Promise<void>,
): Promise<void> {
  const name = await ask.input({
    title: 'New repository (1 of 2)',
    prompt: 'Its name. The files of this devbox become its first commit.',
    value: maker.suggestion,
    validateInput: async (text) =>
      /^[A-Za-z0-9._-]{1,100}$/.test(text) ? undefined : 'Use letters, digits and . _ -, at most 100.',
  })
  if (name === undefined) return
  const hidden = { label: 'Private', description: 'for you and those you invite' }
  const open = { label: 'Public', description: 'everybody may read it' }
  const kind = await ask.pick([hidden, open], { title: 'New repository (2 of 2)' })
  if (!kind) return
  const made = await maker.create({ name, isPrivate: kind === hidden })
  await fill(made)
  await made.open()
}

/** Only what is certainly wrong: the git host has the last word. */
async function branchFault(name: string): Promise<string | undefined> {
  if (name.trim() === '') return 'A branch needs a name.'
  return /[\s~^:?*[\\]|\.\.|@\{|\/\/|^[-./]|[./]$|\.lock$/.test(name)
    ? 'A branch has no spaces, none of ~ ^ : ? * [ \\, no “..” and no slash or dot at its ends.'
    : undefined
}
