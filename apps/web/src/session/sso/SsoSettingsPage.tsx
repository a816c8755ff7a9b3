import { Button, ErrorState, Skeleton } from '@boxyard/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { useApp } from '../../App.ts'
import { ConnectionForm } from './ConnectionForm.tsx'
import { DomainList } from './DomainList.tsx'
import type { SsoChange } from './ssoApi.ts'
import { ssoSchema } from './ssoApi.ts'

/** Single sign-on of a workspace: its domains, and the identity provider its people use. */
export function SsoSettingsPage({ teamId }: { teamId: string }) {
  const { rest } = useApp()
  const queries = useQueryClient()
  const path = `/teams/${encodeURIComponent(teamId)}/sso`
  const sso = useQuery({
    queryKey: ['sso', teamId],
    queryFn: ({ signal }) => rest.get(path, { schema: ssoSchema, signal }),
  })
  const refresh = () => queries.invalidateQueries({ queryKey: ['sso', teamId] })
  const save = useMutation({
    mutationFn: (body: SsoChange) => rest.put(path, { schema: ssoSchema, body }),
    onSettled: refresh,
  })
  const add = useMutation({
    mutationFn: (domain: string) => rest.post(`${path}/domains`, { schema: ssoSchema, body: { domain } }),
    onSettled: refresh,
  })
  const verify = useMutation({
    mutationFn: (id: string) => rest.post(`${path}/domains/${id}/verify`, { schema: ssoSchema }),
    onSettled: refresh,
  })
  const remove = useMutation({
    mutationFn: (id: string) => rest.delete(`${path}/domains/${id}`, { schema: z.unknown() }),
    onSettled: refresh,
  })

  if (sso.isPending) return <Skeleton className="h-10 w-full" />
  if (sso.isError) {
    return (
      <ErrorState
        title="Single sign-on of this workspace could not be loaded"
        actions={<Button onClick={() => void sso.refetch()}>Try again</Button>}
      >
        {sso.error.message}
      </ErrorState>
    )
  }
  return (
    <div className="flex max-w-[640px] flex-col gap-8">
      <DomainList
        domains={sso.data.domains}
        busy={add.isPending || verify.isPending || remove.isPending}
        error={add.error ?? verify.error ?? remove.error}
        onAdd={(domain) => add.mutate(domain)}
        onVerify={(id) => verify.mutate(id)}
        onRemove={(id) => remove.mutate(id)}
      />
      <ConnectionForm
        key={sso.data.connection?.callbackUrl}
        connection={sso.data.connection}
        canEnforce={sso.data.domains.some(({ verifiedAt }) => verifiedAt !== null)}
        busy={save.isPending}
        saved={save.isSuccess}
        error={save.error}
        onSave={(change) => save.mutate(change)}
      />
    </div>
  )
}
