import { expect, it } from 'vitest'
import type { BranchHost } from './branchHost.ts'
import { askForPullRequest, showBranchMenu } from './branchMenu.ts'

type Options = { validateInput?: (text: string) => Promise<unknown> }

/** Answers each question with the next of these: a text, the label of a choice, or undefined for none. */
function asking(...answers: (string | undefined)[]) {
  const faults: unknown[] = []
  const offered: string[][] = []
  const ask = {
    async input({ validateInput }: Options = {}) {
      const text = answers.shift()
      if (text !== undefined) faults.push(await validateInput?.(text))
      return text
    },
    async pick(choices: readonly { label: string }[]) {
      offered.push(choices.map(({ label }) => label))
      const wanted = answers.shift()
      return choices.find(({ label }) => label === wanted)
    },
  }
  return { ask: ask as unknown as Parameters<typeof showBranchMenu>[0], faults, offered }
}

function hostWith(changes: Partial<BranchHost> = {}) {
  const done: unknown[] = []
  const host = {
    targetBranch: 'main',
    canPush: true,
    canRename: true,
    canBranch: true,
    branches: async () => ['main', 'fix'],
    openBranch: (name: string) => done.push(['open', name]),
    createBranch: async (name: string) => void done.push(['create', name]),
    createPullRequest: async (values: object) => void done.push(['pull request', values]),
    ...changes,
  } as unknown as BranchHost
  return { host, done }
}

it('WB435: branches are made, renamed and opened as far as the person may', async () => {
  const { host, done } = hostWith()
  const rename = async (name: string) => void done.push(['rename', name])
  const make = asking('$(add) Create a branch…', 'a b')
  await showBranchMenu(make.ask, host, 'fix', rename)
  expect(make.faults).toEqual([expect.stringContaining('no spaces')])
  await showBranchMenu(asking('$(edit) Rename this branch…', 'better').ask, host, 'fix', rename)
  await showBranchMenu(asking('$(git-branch) main').ask, host, 'fix', rename)
  await showBranchMenu(asking(undefined).ask, host, 'fix', rename)
  expect(done).toEqual([
    ['create', 'a b'],
    ['rename', 'better'],
    ['open', 'main'],
  ])
  const looking = asking(undefined)
  await showBranchMenu(looking.ask, hostWith({ canBranch: false, canRename: false }).host, 'fix', rename)
  expect(looking.offered).toEqual([['$(git-branch) main']])
})

it('WB656: a branch is protected, given free and removed by who may, and removed only when that is said twice', async () => {
  const done: unknown[] = []
  const rename = async () => undefined
  const hostThat = (isProtected: boolean) =>
    hostWith({
      protection: { isProtected, change: async (next) => void done.push(['protect', next]) },
      removeBranch: async () => void done.push('remove'),
    }).host
  await showBranchMenu(asking('$(lock) Protect this branch').ask, hostThat(false), 'fix', rename)
  await showBranchMenu(asking('$(unlock) End the protection of this branch').ask, hostThat(true), 'fix', rename)
  await showBranchMenu(asking('$(trash) Remove this branch…', 'Keep it').ask, hostThat(false), 'fix', rename)
  await showBranchMenu(asking('$(trash) Remove this branch…', undefined).ask, hostThat(false), 'fix', rename)
  await showBranchMenu(asking('$(trash) Remove this branch…', 'Remove fix').ask, hostThat(false), 'fix', rename)
  expect(done).toEqual([['protect', true], ['protect', false], 'remove'])
})

it('WB436: a pull request is opened with a title, for review or as a draft, and giving up opens none', async () => {
  const { host, done } = hostWith()
  const first = asking(' Better ', 'Why', 'Open as a draft')
  await askForPullRequest(first.ask, host, 'suggested')
  expect(done).toEqual([['pull request', { title: 'Better', body: 'Why', draft: true }]])
  done.length = 0
  await askForPullRequest(asking('Better', '', 'Open for review').ask, host, '')
  expect(done[0]).toEqual(['pull request', { title: 'Better', body: '', draft: false }])
  done.length = 0
  for (const answers of [[undefined], ['Better', undefined], ['Better', '', undefined]])
    await askForPullRequest(asking(...answers).ask, host, '')
  expect(done).toEqual([])
})
