import type { BranchHost, BranchPullRequest } from '@boxyard/workbench'
import { z } from 'zod'
import type { App } from '../App.ts'
import { pullSchema, type Pull } from './queries.ts'

const editorBranch = z.object({
  id: z.string(),
  branch: z.string(),
  owner: z.string(),
  repo: z.string(),
  workspaceId: z.string().nullable(),
  defaultBranchName: z.string(),
  sourceBranchName: z.string().nullable(),
  abilities: z.object({ edit: z.boolean(), rename: z.boolean(), branch: z.boolean() }),
})
const credentials = z.object({ origin: z.string(), username: z.string(), password: z.string() })
const branchNames = z.object({ branches: z.array(z.object({ name: z.string() })) })

const eventsDocument = `subscription branch($owner: String!, $repo: String!, $branchName: String!) {
  branchEvents(owner: $owner, repo: $repo, branchName: $branchName) { __typename }
}`

/** How often the pull request of a branch is asked for where nobody tells of it. */
const POLL_MS = 60_000

/** The branch behind a box, for the editor: what needs the git host is done by our server, in the name of the person. */
export async function openBranchHost(app: App, id: string, isSignedIn: boolean): Promise<BranchHost> {
  const { rest, live, notices } = app
  const place = await rest.get(`/sandboxes/branches/${encodeURIComponent(id)}`, { schema: editorBranch })
  const { owner, repo, abilities } = place
  const pulls = `/repos/github/${owner}/${repo}/pulls`
  const listeners = new Set<() => void>()
  let name = place.branch
  let pull: Pull | undefined

  const take = (found: Pull | undefined): void => {
    const before = pull
    pull = found
    const words = found && pullRequestState(found)
    if (words === (before && pullRequestState(before)) && found?.title === before?.title) return
    for (const listener of listeners) listener()
    if (before && found && before.state === 'open' && found.state === 'merged')
      notices.add({
        tone: 'success',
        title: `Pull request #${found.number} was merged`,
        body: `${name} is in ${found.baseBranch} now.`,
        timeout: 10_000,
      })
  }
  const refresh = async (): Promise<void> => {
    const found = await rest.get(pulls, { schema: z.array(pullSchema), query: { head: name } })
    take(found.toSorted((a, b) => b.number - a.number)[0])
  }
  const refreshQuietly = (): void => {
    refresh().catch((error: unknown) => console.warn('The pull request of this branch is not known', error))
  }
  const pathOf = (branch: string) =>
    `/github/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/${branch.split('/').map(encodeURIComponent).join('/')}`
  // The editor's services live as long as the page does, so another branch is a new page.
  const open = (branch: string) => window.location.assign(pathOf(branch))

  let stop = () => {}
  const follow = () => {
    stop()
    stop = live.follow({
      document: eventsDocument,
      variables: { owner, repo, branchName: name },
      onEvent: refreshQuietly,
      onFollowed: refreshQuietly,
    })
  }
  // Pull requests are read in somebody's name.
  const poll = isSignedIn ? setInterval(refreshQuietly, POLL_MS) : undefined
  if (isSignedIn) follow()
  window.addEventListener('pagehide', () => {
    clearInterval(poll)
    stop()
  })

  return {
    targetBranch: place.defaultBranchName,
    canPush: abilities.edit,
    canBranch: abilities.branch,
    canRename: abilities.rename && name !== place.defaultBranchName,
    credentials: () =>
      rest.post(`/sandboxes/branches/${encodeURIComponent(id)}/git_credentials`, { schema: credentials, body: {} }),
    get pullRequest(): BranchPullRequest | undefined {
      return pull && { number: pull.number, title: pull.title, state: pullRequestState(pull) }
    },
    onDidChangePullRequest: (listener) => {
      const heard = () => listener()
      listeners.add(heard)
      return { dispose: () => void listeners.delete(heard) }
    },
    createPullRequest: async (values) => {
      const made = await rest.post(pulls, { schema: pullSchema, body: { ...values, head: name } })
      take(made)
      return { number: made.number, title: made.title, state: pullRequestState(made) }
    },
    showPullRequest: () => {
      if (pull)
        window.open(`/dashboard/repositories/github/${owner}/${repo}/pulls/${pull.number}`, '_blank', 'noopener')
    },
    branches: async () => {
      const { branches } = await rest.get(`/api/beta/sandboxes/github/${owner}/${repo}/all_branches`, {
        schema: branchNames,
        query: { workspace_id: place.workspaceId ?? undefined },
      })
      return branches.map((branch) => branch.name)
    },
    openBranch: open,
    createBranch: async (wanted) => {
      const made = await rest.post(`/api/beta/sandboxes/github/${owner}/${repo}`, {
        schema: z.object({ branch: z.string() }),
        body: { sourceBranch: name, newBranch: wanted, ...(place.workspaceId && { workspaceId: place.workspaceId }) },
      })
      open(made.branch)
    },
    renameBranch: async (wanted) => {
      const renamed = await rest.patch(`/api/beta/sandboxes/branches/${encodeURIComponent(id)}`, {
        schema: editorBranch,
        body: { name: wanted },
      })
      name = renamed.branch
      follow()
    },
  }
}

/** The state of a pull request in one word. */
export function pullRequestState({ state, draft, reviews }: Pick<Pull, 'state' | 'draft' | 'reviews'>): string {
  if (state === 'merged') return 'Merged'
  if (state === 'closed') return 'Closed'
  if (draft) return 'Draft'
  // The last word of each reviewer counts; a comment takes nothing back.
  const words = new Map<string, string>()
  for (const { username, state: said } of reviews) if (said !== 'COMMENTED') words.set(username, said)
  const last = [...words.values()]
  if (last.includes('CHANGES_REQUESTED')) return 'Changes requested'
  return last.includes('APPROVED') ? 'Approved' : 'Open'
}
