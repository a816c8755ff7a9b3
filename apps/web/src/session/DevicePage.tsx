import { Button, Input } from '@boxyard/ui'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import type { CurrentUser } from '../api/schemas.ts'
import { useApp } from '../App.ts'
import { CenteredPage } from './CenteredPage.tsx'

/** Lets a program in that shows a code somewhere else. */
export function DevicePage({ user, code: given }: { user: CurrentUser; code: string }) {
  const { rest } = useApp()
  const [code, setCode] = useState(given)
  const [asked, setAsked] = useState<string | null>(null)
  const waiting = useQuery({
    queryKey: ['device', asked],
    queryFn: () =>
      rest.get(`/auth/device/${encodeURIComponent(asked ?? '')}`, {
        schema: z.object({ program: z.string(), address: z.string() }),
      }),
    enabled: asked !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const answer = useMutation({
    mutationFn: (allow: boolean) =>
      rest.post(`/auth/device/${encodeURIComponent(asked ?? '')}`, { schema: z.unknown(), body: { allow } }),
  })

  if (answer.isSuccess) {
    return (
      <CenteredPage title={answer.variables ? 'The program is signed in' : 'The program was turned away'}>
        <p className="text-quiet">You can close this page and go back to it.</p>
      </CenteredPage>
    )
  }
  if (waiting.data) {
    const { program, address } = waiting.data
    return (
      <CenteredPage title={`Let ${program} in?`}>
        <p className="text-quiet">
          It asks from {address}. It will act as <strong>{user.username}</strong> for 30 days, or until you sign it out.
          Go on only when you started this yourself and it shows the code {code}.
        </p>
        <div className="flex gap-2">
          <Button variant="primary" size="large" disabled={answer.isPending} onClick={() => answer.mutate(true)}>
            Let it in
          </Button>
          <Button variant="quiet" size="large" disabled={answer.isPending} onClick={() => answer.mutate(false)}>
            Turn it away
          </Button>
        </div>
        {answer.isError && (
          <p role="alert" className="text-12 text-danger">
            {answer.error.message}
          </p>
        )}
      </CenteredPage>
    )
  }
  return (
    <CenteredPage title="Which code does the program show?">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (asked === code) void waiting.refetch()
          setAsked(code)
        }}
      >
        <Input
          label="Code"
          value={code}
          required
          autoFocus
          variant={waiting.isError ? 'error' : 'base'}
          hint={waiting.isError ? waiting.error.message : 'Eight letters.'}
          onChange={(event) => setCode(event.target.value)}
        />
        <Button type="submit" variant="primary" size="large" loading={waiting.isFetching}>
          Continue
        </Button>
      </form>
    </CenteredPage>
  )
}
