import { Button, buttonClass, EmptyState, ErrorState, Input, Skeleton } from '@boxyard/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { GitBranch } from 'lucide-react'
import { useState } from 'react'
import { useApp } from '../App.ts'
import { connectPath } from './connectPath.ts'
import { ImportList } from './ImportList.tsx'
import { branchSchema, gitProfile, projects } from './queries.ts'
import type { Project } from './queries.ts'

/** Repositories of the person's workspaces, and those at the git host that can be imported. */
export function RepositoriesPage() {
  const app = useApp()
  const profile = useQuery(gitProfile(app))
  const mine = useQuery(projects(app))
  const failed = profile.error ?? mine.error
  if (failed) {
    return (
      <ErrorState
        title="Your repositories could not be loaded"
        safe="The repositories themselves are safe."
        actions={
          <Button variant="primary" onClick={() => void Promise.all([profile.refetch(), mine.refetch()])}>
            Try again
          </Button>
        }
      >
        {failed.message}
      </ErrorState>
    )
  }
  if (!profile.isSuccess || !mine.isSuccess) return <Skeleton className="h-40" />
  return (
    <div className="flex flex-col gap-6">
      {mine.data.length > 0 && (
        <section aria-label="In your workspaces" className="flex flex-col gap-2">
          <h2 className="text-14 font-semibold">In your workspaces</h2>
          {mine.data.map((project) => (
            <ProjectRow key={project.id} project={project} />
          ))}
        </section>
      )}
      {profile.data ? (
        <>
          {!profile.data.scopes.includes('repo') && (
            <p className="flex flex-wrap items-center gap-2 text-quiet">
              Private repositories are not shown: your account allows access to public ones.
              <a className="text-link" href={connectPath('private_repos')}>
                Allow access to private repositories
              </a>
            </p>
          )}
          <ImportList imported={mine.data} login={profile.data.login} />
        </>
      ) : (
        <Connect />
      )}
    </div>
  )
}

function Connect() {
  return (
    <EmptyState
      icon={<GitBranch aria-hidden size={28} strokeWidth={1.5} />}
      title="Connect your account at the git host"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <a className={buttonClass('primary')} href={connectPath('private_repos')}>
            Allow access to all repositories
          </a>
          <a className={buttonClass('quiet')} href={connectPath('public_repos')}>
            Public repositories only
          </a>
        </div>
      }
    >
      Boxyard opens branches of your repositories on machines of their own. Pulls, pushes and reviews are done in your
      name; your access never enters a machine.
    </EmptyState>
  )
}

function ProjectRow({ project }: { project: Project }) {
  const app = useApp()
  const queries = useQueryClient()
  const { owner, name, defaultBranch } = project.repository
  const [wanted, setWanted] = useState('')
  const create = useMutation({
    mutationFn: () =>
      app.rest.post(`/api/beta/sandboxes/github/${owner}/${name}`, {
        schema: branchSchema,
        body: { sourceBranch: defaultBranch, ...(wanted === '' ? {} : { newBranch: wanted }) },
      }),
    onSuccess: () => {
      setWanted('')
      return queries.invalidateQueries({ queryKey: ['projects'] })
    },
  })
  return (
    <div className="flex flex-col gap-2 rounded-panel border border-line bg-panel p-3">
      <h3 className="text-13 font-semibold">
        {owner}/{name}
      </h3>
      <ul aria-label={`Branches of ${owner}/${name}`} className="flex flex-wrap gap-2">
        {project.branches.map((branch) => (
          <li key={branch.id}>
            <Link
              to="/github/$owner/$repo/$"
              params={{ owner, repo: name, _splat: branch.name }}
              className={buttonClass('quiet')}
            >
              <GitBranch aria-hidden size={16} strokeWidth={1.5} />
              {branch.name}
            </Link>
          </li>
        ))}
      </ul>
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <Input label="New branch" value={wanted} maxLength={240} onChange={(event) => setWanted(event.target.value)} />
        <Button type="submit" loading={create.isPending}>
          Create branch
        </Button>
      </form>
      {create.isError && (
        <p role="alert" className="text-danger">
          {create.error.message}
        </p>
      )}
    </div>
  )
}
