import { Badge, Button, buttonClass, EmptyState, ErrorState, Input, Skeleton } from '@boxyard/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { GitBranch } from 'lucide-react'
import { useState } from 'react'
import { useApp } from '../App.ts'
import { branchSchema, gitProfile, hostRepositories, projects } from './queries.ts'
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
      {profile.data ? <ImportList imported={mine.data} /> : <Connect />}
    </div>
  )
}

function Connect() {
  return (
    <EmptyState
      icon={<GitBranch aria-hidden size={28} strokeWidth={1.5} />}
      title="Connect your account at the git host"
      action={
        <a
          className={buttonClass('primary')}
          href="/auth/github/connect?scope=private_repos&return_to=/dashboard/repositories"
        >
          Allow access to repositories
        </a>
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

function ImportList({ imported }: { imported: readonly Project[] }) {
  const app = useApp()
  const navigate = useNavigate()
  const [page, setPage] = useState(1)
  const list = useQuery(hostRepositories(app, page))
  const [filter, setFilter] = useState('')
  const importing = useMutation({
    mutationFn: (fullName: string) =>
      app.rest.post(`/api/beta/import/github/${fullName}`, { schema: branchSchema, body: {} }),
    onSuccess: ({ owner, repo, branch }) =>
      navigate({ to: '/github/$owner/$repo/$', params: { owner, repo, _splat: branch } }),
  })
  const known = new Set(imported.map(({ repository }) => `${repository.owner}/${repository.name}`.toLowerCase()))
  const shown = (list.data ?? []).filter(({ fullName }) => fullName.toLowerCase().includes(filter.trim().toLowerCase()))
  return (
    <section aria-label="At the git host" className="flex flex-col gap-2">
      <h2 className="text-14 font-semibold">At the git host</h2>
      <Input label="Search" value={filter} onChange={(event) => setFilter(event.target.value)} />
      {list.isPending && <Skeleton className="h-20" />}
      {(list.error ?? importing.error) && (
        <p role="alert" className="text-danger">
          {(list.error ?? importing.error)?.message}
        </p>
      )}
      {list.data && shown.length === 0 && <p className="text-quiet">There is no repository here that matches.</p>}
      <ul className="flex flex-col gap-1">
        {shown.map(({ id, fullName, private: isPrivate, authorization }) => (
          <li key={id} className="flex h-10 items-center gap-2 border-b border-line">
            <span className="min-w-0 flex-1 truncate">{fullName}</span>
            {isPrivate && <Badge>Private</Badge>}
            {known.has(fullName.toLowerCase()) ? (
              <span className="text-quiet">Imported</span>
            ) : (
              <Button
                disabled={authorization === 'READ'}
                loading={importing.isPending && importing.variables === fullName}
                onClick={() => importing.mutate(fullName)}
              >
                Import {fullName}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div className="flex gap-2">
        <Button variant="quiet" disabled={page === 1} onClick={() => setPage(page - 1)}>
          Newer
        </Button>
        <Button variant="quiet" disabled={(list.data?.length ?? 0) < 30} onClick={() => setPage(page + 1)}>
          Older
        </Button>
      </div>
    </section>
  )
}
