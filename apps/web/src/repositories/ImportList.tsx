import { Badge, Button, Input, Skeleton } from '@boxyard/ui'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { z } from 'zod'
import { useApp } from '../App.ts'
import { hostOrganizations, hostRepositories } from './hostRepositories.ts'
import type { HostRepository } from './hostRepositories.ts'
import { HostProblem } from './HostProblem.tsx'
import { branchSchema } from './queries.ts'
import type { Project } from './queries.ts'

const forkSchema = z.object({ owner: z.string(), repo: z.string(), branch: z.string() })

export interface ImportListProps {
  imported: readonly Project[]
  /** The account at the git host. */
  login: string
}

/** What the person and their organizations have at the git host: a page at a time, by name, to be imported, read or forked. */
export function ImportList({ imported, login }: ImportListProps) {
  const app = useApp()
  const navigate = useNavigate()
  const [owner, setOwner] = useState('')
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(1)
  const query = useDeferredValue(typed.trim())
  const organizations = useQuery(hostOrganizations(app))
  const list = useQuery(hostRepositories(app, { owner: owner || null, query, page }))
  const open = useMutation({
    mutationFn: async ({ fullName, forkTo }: { fullName: string; forkTo: string | null }) => {
      if (forkTo === null)
        return app.rest.post(`/api/beta/import/github/${fullName}`, { schema: branchSchema, body: {} })
      return app.rest.post(`/api/beta/fork/github/${fullName}`, {
        schema: forkSchema,
        body: forkTo === login ? {} : { organization: forkTo },
      })
    },
    onSuccess: ({ owner: of, repo, branch }) =>
      navigate({ to: '/github/$owner/$repo/$', params: { owner: of, repo, _splat: branch } }),
  })
  const known = new Set(imported.map(({ repository }) => `${repository.owner}/${repository.name}`.toLowerCase()))
  const owners = [login, ...(organizations.data ?? []).map((organization) => organization.login)]
  const problem = list.error ?? open.error ?? organizations.error
  return (
    <section aria-label="At the git host" className="flex flex-col gap-2">
      <h2 className="text-14 font-semibold">At the git host</h2>
      <div className="flex flex-wrap items-end gap-2">
        <label className="flex flex-col gap-1 text-12 text-quiet">
          Whose
          <select
            className="h-8 rounded-control border border-line-strong bg-ground px-2 text-13 text-text"
            value={owner}
            onChange={(event) => {
              setOwner(event.target.value)
              setPage(1)
            }}
          >
            <option value="">Mine and those I work on</option>
            {(organizations.data ?? []).map((organization) => (
              <option key={organization.id} value={organization.login}>
                {organization.login}
              </option>
            ))}
          </select>
        </label>
        <Input
          label="Search"
          value={typed}
          maxLength={100}
          onChange={(event) => {
            setTyped(event.target.value)
            setPage(1)
          }}
        />
      </div>
      {problem && <HostProblem error={problem} />}
      {list.isPending && <Skeleton className="h-20" />}
      {list.data?.repositories.length === 0 && <p className="text-quiet">There is no repository here that matches.</p>}
      <ul aria-label="Repositories" className="flex flex-col gap-1">
        {list.data?.repositories.map((repository) => (
          <RepositoryRow
            key={repository.id}
            repository={repository}
            isImported={known.has(repository.fullName.toLowerCase())}
            owners={owners}
            busy={open.isPending && open.variables.fullName === repository.fullName}
            onOpen={(forkTo) => open.mutate({ fullName: repository.fullName, forkTo })}
          />
        ))}
      </ul>
      <div className="flex gap-2">
        <Button variant="quiet" disabled={page === 1} onClick={() => setPage(page - 1)}>
          Previous page
        </Button>
        <Button variant="quiet" disabled={list.data?.hasMore !== true} onClick={() => setPage(page + 1)}>
          Next page
        </Button>
      </div>
    </section>
  )
}

interface RepositoryRowProps {
  repository: HostRepository
  isImported: boolean
  /** Whom a fork can be made for. */
  owners: readonly string[]
  busy: boolean
  /** `forkTo` is null for the repository itself. */
  onOpen: (forkTo: string | null) => void
}

function RepositoryRow({ repository, isImported, owners, busy, onOpen }: RepositoryRowProps) {
  const { fullName, private: isPrivate, authorization, appInstalled } = repository
  const [owner] = fullName.split('/')
  const targets = owners.filter((each) => each !== owner)
  const [target, setTarget] = useState(targets[0] ?? '')
  return (
    <li className="flex min-h-10 flex-wrap items-center gap-2 border-b border-line py-1">
      <span className="min-w-0 flex-1 truncate">{fullName}</span>
      {isPrivate && <Badge>Private</Badge>}
      {!appInstalled && <Badge tone="warning">App not installed</Badge>}
      {authorization === 'READ' && <Badge>Read-only</Badge>}
      {targets.length > 0 && authorization === 'READ' && (
        <>
          <select
            aria-label={`Whom to fork ${fullName} to`}
            className="h-8 rounded-control border border-line-strong bg-ground px-2 text-13"
            value={target}
            onChange={(event) => setTarget(event.target.value)}
          >
            {targets.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
          <Button loading={busy} onClick={() => onOpen(target)}>
            Fork {fullName}
          </Button>
        </>
      )}
      {isImported ? (
        <span className="text-quiet">Imported</span>
      ) : (
        authorization === 'WRITE' && (
          <Button loading={busy} onClick={() => onOpen(null)}>
            Import {fullName}
          </Button>
        )
      )}
    </li>
  )
}
