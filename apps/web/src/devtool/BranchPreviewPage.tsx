import { Skeleton } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useApp } from '../App.ts'
import { EditorErrorPage } from '../editor/EditorErrorPage.tsx'
import { branchErrorCode } from '../repositories/branchErrorCode.ts'
import { openAddress } from '../repositories/openAddress.ts'
import type { BranchAddress } from '../repositories/openAddress.ts'
import { useSession } from '../session/useSession.ts'
import { StartedPreview } from './StartedPreview.tsx'

export interface BranchPreviewPageProps extends BranchAddress {
  port: number | undefined
}

/** The page that a branch serves, without the editor. */
export function BranchPreviewPage(props: BranchPreviewPageProps) {
  const session = useSession()
  if (session.kind === 'pending') return <Skeleton className="h-10" />
  return <OpenedBranchPreview key={session.user?.id ?? ''} {...props} isSignedIn={session.kind === 'in'} />
}

function OpenedBranchPreview({
  owner,
  repo,
  branch,
  port,
  isSignedIn,
}: BranchPreviewPageProps & { isSignedIn: boolean }) {
  const app = useApp()
  const { data: opened, error } = useQuery({
    queryKey: ['branch-preview', owner, repo, branch, isSignedIn],
    queryFn: () =>
      openAddress(
        app,
        { owner, repo, branch },
        { workspaceId: null, isImport: false, isNew: false, stays: false, isSignedIn },
      ),
    staleTime: Infinity,
    retry: false,
  })
  if (error) {
    return (
      <EditorErrorPage
        code={branchErrorCode(error, false)}
        id={`${owner}/${repo}/${branch}`}
        branch={branch || null}
        repository={{ owner, repo }}
        error={error}
        state="ERROR"
      />
    )
  }
  return opened ? <StartedPreview id={opened.id} port={port} /> : <Skeleton className="h-10" />
}
