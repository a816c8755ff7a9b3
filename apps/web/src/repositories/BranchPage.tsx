import { ErrorState, Skeleton } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useApp } from '../App.ts'
import { branchSchema } from './queries.ts'

export interface BranchPageProps {
  owner: string
  repo: string
  /** Empty for the default branch. */
  branch: string
  file: string | undefined
}

/** Finds the box of a branch and opens the editor on it. */
export function BranchPage({ owner, repo, branch, file }: BranchPageProps) {
  const app = useApp()
  const found = useQuery({
    queryKey: ['branch', owner, repo, branch],
    queryFn: () =>
      branch === ''
        ? app.rest.post(`/api/beta/import/github/${owner}/${repo}`, { schema: branchSchema, body: {} })
        : app.rest.get(`/api/beta/github/${owner}/${repo}/${encodeURIComponent(branch)}`, { schema: branchSchema }),
  })
  if (found.isError) {
    return (
      <ErrorState title="Repository or branch not found" safe="Nothing was changed.">
        {found.error.message}
      </ErrorState>
    )
  }
  if (!found.data) return <Skeleton className="h-10" />
  return <Navigate to="/devbox/$" params={{ _splat: found.data.id }} search={{ file }} replace />
}
