import { Skeleton } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { workspaces } from '../api/queries.ts'
import { useApp } from '../App.ts'
import { EditorErrorPage } from '../editor/EditorErrorPage.tsx'
import { EditorPage } from '../editor/EditorPage.tsx'
import { useSession } from '../session/useSession.ts'
import { branchErrorCode } from './branchErrorCode.ts'
import { announceBranch } from './announceBranch.ts'
import { branchPath } from './branchPath.ts'
import { openAddress, workspaceOfAddress } from './openAddress.ts'
import { rememberBranchBox } from './branchBox.ts'
import { pendingEdit } from './pendingEdit.ts'
import { showAddress } from './showAddress.ts'

export interface BranchSearch {
  file?: string | undefined
  /** Make a branch of it. */
  create?: boolean | undefined
  /** It was just made, which is said. */
  checkout?: boolean | undefined
  /** Put the repository into the workspace. */
  import?: boolean | undefined
  workspaceId?: string | undefined
  /** Open nothing in a workspace that the address does not name. */
  preventWorkspaceRedirect?: boolean | undefined
  comment?: string | undefined
}

export interface BranchPageProps {
  owner: string
  repo: string
  /** Empty for the default branch. */
  branch: string
  search: BranchSearch
}

/** The editor at the address of a branch. */
export function BranchPage(props: BranchPageProps) {
  const session = useSession()
  if (session.kind === 'pending') return <Skeleton className="h-10" />
  return <OpenedBranchPage key={session.user?.id ?? ''} {...props} isSignedIn={session.kind === 'in'} />
}

function OpenedBranchPage({ owner, repo, branch, search, isSignedIn }: BranchPageProps & { isSignedIn: boolean }) {
  const app = useApp()
  const { create: isNew = false, import: isImport = false, checkout: isCheckout = false } = search
  const { preventWorkspaceRedirect: stays = false } = search
  const found = useQuery({
    queryKey: ['branch', owner, repo, branch, search.workspaceId, isNew, isImport, stays, isSignedIn],
    queryFn: async () => {
      const address = { owner, repo, branch }
      const workspaceId = await workspaceOfAddress({
        named: search.workspaceId,
        stays,
        isImport,
        chosen: isSignedIn ? app.workspace.current() : null,
        mine: async () => (await app.queries.fetchQuery(workspaces(app))).map(({ id }) => id),
      })
      const options = { workspaceId, isImport, isNew, stays, isSignedIn }
      const box = await openAddress(app, address, options)
      // What was typed before the person had signed in.
      if (isNew) pendingEdit(sessionStorage, address).moveTo(box.id)
      return box
    },
    // What was made once must not be made again because somebody looked away.
    staleTime: Infinity,
    retry: false,
  })
  const opened = found.data
  useEffect(() => {
    if (!opened) return
    rememberBranchBox(localStorage, branchPath(opened), opened.id)
    const announce = (workspaceName?: string) =>
      announceBranch(app, opened, { isNew: isNew || isCheckout, workspaceName })
    if (opened.imported) {
      app.queries.fetchQuery(workspaces(app)).then(
        (found) => announce(found.find(({ id }) => id === opened.workspaceId)?.name),
        () => announce(),
      )
    } else announce()
    showAddress(branchPath(opened), { create: null, checkout: null, import: null })
  }, [app, opened, isNew, isCheckout])
  if (found.isError) {
    return (
      <EditorErrorPage
        code={branchErrorCode(found.error, isNew)}
        id={`${owner}/${repo}/${branch}`}
        branch={branch || null}
        repository={{ owner, repo }}
        error={found.error}
        state="ERROR"
      />
    )
  }
  if (!opened) return <Skeleton className="h-10" />
  return (
    <EditorPage
      key={opened.id}
      id={opened.id}
      route="branch"
      file={search.file}
      comment={search.comment}
      isModuleView={false}
    />
  )
}
