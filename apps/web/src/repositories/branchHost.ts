import type { BranchHost, BranchPullRequest } from '@boxyard/workbench'
import { z } from 'zod'
import { RequestError } from '../api/RequestError.ts'
import type { App } from '../App.ts'
import { keptEdit } from '../editor/firstText/keptEdit.ts'
import { branchFailure } from './branchFailure.ts'
import { branchPath } from './branchPath.ts'
import { openPullRequests } from './openPullRequests.ts'
import { pendingEdit } from './pendingEdit.ts'
import { pullRequestState } from './pullRequestState.ts'
import { pullReview } from './pullReview.ts'
import { pullSchema, type Pull } from './queries.ts'
import { showAddress } from './showAddress.ts'

const editorBranch = z.object({
  id: z.string(),
  branch: z.string(),
  owner: z.string(),
  repo: z.string(),
  workspaceId: z.string().nullable(),
  contribution: z.boolean(),
  /** Whose fork at the git host it is pushed to. */
  headOwner: z.string().nullable(),
  defaultBranchName: z.string(),
  sourceBranchName: z.string().nullable(),
  protectedBranch: z.boolean(),
  abilities: z.object({
    edit: z.boolean(),
    rename: z.boolean(),
    branch: z.boolean(),
    contribute: z.boolean(),
    delete: z.boolean(),
    protect: z.boolean(),
  }),
})
const credentials = z.object({ origin: z.string(), username: z.string(), password: z.string() })
const newBranch = z.object({ id: z.string(), branch: z.string() })
const branchNames = z.object({ branches: z.array(z.object({ name: z.string() })) })

const eventsDocument = `subscription branch($owner: String!, $repo: String!, $branchName: String!) {
  branchEvents(owner: $owner, repo: $repo, branchName: $branchName) { __typename }
}`

/** How often the pull request of a branch is asked for where nobody tells of it. */
const POLL_MS = 60_000

const contributionDocument = `mutation contribution($owner: String!, $name: String!, $from: String) {
  createContributionBranch(owner: $owner, name: $name, provider: GITHUB, from: $from) { id name }
}`

const removeDocument = `mutation remove($id: String!) { deleteBranch(id: $id) }`
const protectDocument = `mutation protect($id: String!, $isProtected: Boolean!) {
  setBranchProtection(branchId: $id, protected: $isProtected) { id }
}`

export interface OpenBranchHostOptions {
  isSignedIn: boolean
  /** Somebody who is not signed in wants to edit. */
  askToSignIn: () => void
}

/** The branch behind a box, for the editor: what needs the git host is done by our server, in the name of the person. */
export async function openBranchHost(
  app: App,
  id: string,
  { isSignedIn, askToSignIn }: OpenBranchHostOptions,
): Promise<BranchHost> {
  const { rest, live, notices } = app
  const place = await rest.get(`/sandboxes/branches/${encodeURIComponent(id)}`, { schema: editorBranch })
  const { owner, repo, abilities, workspaceId } = place
  const pulls = `/repos/github/${owner}/${repo}/pulls`
  const listeners = new Set<() => void>()
  let name = place.branch
  let pull: Pull | undefined

  const review = isSignedIn ? pullReview(app, { owner, repo }, () => refresh()) : undefined
  const take = (found: Pull | undefined): void => {
    const before = pull
    pull = found
    review?.take(found)
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
    const found = await rest.get(pulls, {
      schema: z.array(pullSchema),
      query: { head: name, head_owner: place.headOwner ?? undefined },
    })
    take(found.toSorted((a, b) => b.number - a.number)[0])
  }
  const refreshQuietly = (): void => {
    refresh().catch((error: unknown) => console.warn('The pull request of this branch is not known', error))
  }
  // The editor's services live as long as the page does, so another branch is a new page.
  const open = (branch: string, search: Record<string, string> = {}) => {
    const query = new URLSearchParams({ ...(workspaceId && { workspaceId }), ...search })
    window.location.assign(`${branchPath({ owner, repo, branch })}${query.size === 0 ? '' : `?${query}`}`)
  }
  // Somebody else's contribution is found by the address of its box alone.
  const isOwnAddress = !place.contribution || abilities.edit
  if (isOwnAddress) showAddress(branchPath({ owner, repo, branch: name }))
  const makeBranch = (wanted: string) =>
    askForBranch(wanted).catch((error: unknown) => {
      throw branchFailure(error)
    })
  const askForBranch = async (wanted: string): Promise<z.output<typeof newBranch>> => {
    if (abilities.branch)
      return rest.post(`/api/beta/sandboxes/github/${owner}/${repo}`, {
        schema: newBranch,
        body: {
          sourceBranch: name,
          ...(wanted === '' ? {} : { newBranch: wanted }),
          ...(workspaceId && { workspaceId }),
        },
      })
    const { createContributionBranch: made } = await app.graphql.query(contributionDocument, {
      variables: { owner, name: repo, from: name },
      schema: z.object({ createContributionBranch: z.object({ id: z.string(), name: z.string() }) }),
    })
    return { id: made.id, branch: made.name }
  }
  const beginOwnBranch: NonNullable<BranchHost['beginOwnBranch']> = async (edit) => {
    if (!isSignedIn) {
      pendingEdit(sessionStorage, { owner, repo, branch: name }).write(edit())
      showAddress(branchPath({ owner, repo, branch: name }), { create: 'true' })
      askToSignIn()
      return
    }
    const notice = notices.add({
      uniqueName: 'creating-branch',
      title: 'Creating a branch for your changes',
      body: `${name} stays as it is. Go on typing: it comes along.`,
    })
    try {
      const made = await makeBranch('')
      const taken = edit()
      keptEdit(sessionStorage, made.id).write(taken)
      open(made.branch, { checkout: 'true', file: taken.path })
    } catch (error) {
      notices.dismiss(notice)
      throw error
    }
  }

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
    canBranch: isSignedIn && (abilities.branch || abilities.contribute),
    pushesToFork: place.contribution,
    beginOwnBranch: abilities.edit ? undefined : beginOwnBranch,
    canRename: abilities.rename && name !== place.defaultBranchName,
    credentials: (use) =>
      rest.post(`/sandboxes/branches/${encodeURIComponent(id)}/git_credentials`, {
        schema: credentials,
        body: { use },
      }),
    get pullRequest(): BranchPullRequest | undefined {
      return pull && { number: pull.number, title: pull.title, state: pullRequestState(pull) }
    },
    onDidChangePullRequest: (listener) => {
      const heard = () => listener()
      listeners.add(heard)
      return { dispose: () => void listeners.delete(heard) }
    },
    review,
    createPullRequest: async (values) => {
      const made = await rest.post(pulls, {
        schema: pullSchema,
        body: { ...values, head: name, ...(place.headOwner !== null && { headOwner: place.headOwner }) },
      })
      take(made)
      return { number: made.number, title: made.title, state: pullRequestState(made) }
    },
    showPullRequest: (number = pull?.number) => {
      if (number !== undefined)
        window.open(`/dashboard/repositories/github/${owner}/${repo}/pulls/${number}`, '_blank', 'noopener')
    },
    openPullRequests: isSignedIn ? () => openPullRequests(app, { owner, repo, workspaceId }) : undefined,
    branches: async () => {
      const { branches } = await rest.get(`/api/beta/sandboxes/github/${owner}/${repo}/all_branches`, {
        schema: branchNames,
        query: { workspace_id: place.workspaceId ?? undefined },
      })
      return branches.map((branch) => branch.name)
    },
    openBranch: (branch) => open(branch),
    createBranch: async (wanted) => {
      const made = await makeBranch(wanted)
      open(made.branch, { checkout: 'true' })
    },
    removeBranch:
      abilities.delete && name !== place.defaultBranchName
        ? async () => {
            try {
              await app.graphql.query(removeDocument, { variables: { id }, schema: z.unknown() })
            } catch (error) {
              throw new Error(`Branch deletion failed: ${error instanceof Error ? error.message : String(error)}`, {
                cause: error,
              })
            }
            open(place.defaultBranchName)
          }
        : undefined,
    protection:
      abilities.protect && !place.contribution
        ? {
            isProtected: place.protectedBranch,
            change: async (isProtected) => {
              await app.graphql.query(protectDocument, { variables: { id, isProtected }, schema: z.unknown() })
              // Who may edit it is told to a page when it opens.
              open(name)
            },
          }
        : undefined,
    renameBranch: async (wanted) => {
      try {
        const renamed = await rest.patch(`/api/beta/sandboxes/branches/${encodeURIComponent(id)}`, {
          schema: editorBranch,
          body: { name: wanted },
        })
        name = renamed.branch
      } catch (error) {
        if (!(error instanceof RequestError) || error.code !== 'BRANCH_EXISTS') {
          const why = error instanceof Error ? error.message : String(error)
          throw new Error(`Cannot persist rename operation. ${why}`, { cause: error })
        }
        notices.add({
          uniqueName: 'branch-exists',
          tone: 'error',
          title: `Branch ${wanted} already exists`,
          body: 'This branch keeps its name.',
          actions: [{ label: 'Open', perform: () => open(wanted) }],
          timeout: 10_000,
        })
        return false
      }
      if (isOwnAddress) showAddress(branchPath({ owner, repo, branch: name }))
      notices.add({ tone: 'success', title: `Branch was renamed as "${name}"`, timeout: 10_000 })
      follow()
      return true
    },
  }
}
