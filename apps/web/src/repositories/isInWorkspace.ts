import type { App } from '../App.ts'
import { branchPathOf } from '../editor/barePage.ts'
import { openAddress } from './openAddress.ts'

/** Whether the branch of this address is in a workspace of whoever is signed in. */
export async function isInWorkspace(app: Pick<App, 'rest'>, pathname: string): Promise<boolean> {
  const [, owner, repo, branch = ''] = /^\/github\/([^/]+)\/([^/]+)(?:\/(.+))?$/.exec(branchPathOf(pathname)) ?? []
  if (owner === undefined || repo === undefined) return false
  const address = {
    owner: decodeURIComponent(owner),
    repo: decodeURIComponent(repo),
    branch: branch.split('/').map(decodeURIComponent).join('/'),
  }
  // As a visitor asks: nothing is opened that is not there.
  const options = { workspaceId: null, isImport: false, isNew: false, stays: false, isSignedIn: false }
  return (await openAddress(app, address, options)).workspaceId !== null
}
