import { z } from 'zod'
import type { App } from '../App.ts'
import { classify } from '../api/RequestError.ts'

export interface BranchAddress {
  owner: string
  repo: string
  /** Empty for the default branch. */
  branch: string
}

export interface OpenAddressOptions {
  /** The workspace that is meant, or the one that the person looked at last. */
  workspaceId: string | null
  /** Put the repository into the workspace when it is in none of the person's. */
  isImport: boolean
  /** Make a new branch of it. */
  isNew: boolean
  /** Open nothing in a workspace that the address does not name. */
  stays: boolean
  isSignedIn: boolean
}

/**
 * The workspace in which an address is opened: the one that it names, else the one that the person looked at last, where they are still in it. The
 * server takes another one where that has no such repository.
 */
export async function workspaceOfAddress({
  named,
  stays,
  isImport,
  chosen,
  mine,
}: {
  named: string | undefined
  chosen: string | null
  /** The ids of those that the person is in. */
  mine(): Promise<readonly string[]>
} & Pick<OpenAddressOptions, 'stays' | 'isImport'>): Promise<string | null> {
  if (named !== undefined) return named
  if (stays) return null
  if (chosen === null || !isImport) return chosen
  // Only an import puts something into it.
  return (await mine()).includes(chosen) ? chosen : null
}

const openedSchema = z.object({
  id: z.string(),
  branch: z.string(),
  owner: z.string(),
  repo: z.string(),
  workspaceId: z.string().nullable(),
  imported: z.boolean().default(false),
})
export type OpenedBranch = z.output<typeof openedSchema>

/** The box of the branch at an address. Somebody who is not signed in sees what others have opened. */
export async function openAddress(
  { rest }: Pick<App, 'rest'>,
  { owner, repo, branch }: BranchAddress,
  { workspaceId, isImport, isNew, stays, isSignedIn }: OpenAddressOptions,
): Promise<OpenedBranch> {
  const repository = `${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`
  const workspace = workspaceId === null ? {} : { workspaceId }
  if (!isImport && !isNew) {
    try {
      return await rest.get(`/api/beta/github/${repository}${branch === '' ? '' : `/${encodeURIComponent(branch)}`}`, {
        schema: openedSchema,
        query: {
          ...(workspaceId === null ? {} : { workspace_id: workspaceId }),
          ...(stays ? { prevent_workspace_redirect: 'true' } : {}),
        },
      })
    } catch (error) {
      if (!isSignedIn || classify(error) !== 'NOT_FOUND') throw error
    }
  }
  return rest.post(`/api/beta/open/github/${repository}`, {
    schema: openedSchema,
    body: {
      ...(branch === '' ? {} : { branch }),
      ...workspace,
      import: isImport,
      create: isNew,
      ...(stays ? { preventWorkspaceRedirect: true } : {}),
    },
  })
}
