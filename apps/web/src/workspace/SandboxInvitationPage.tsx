import { Button, EmptyState } from '@boxyard/ui'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Box } from 'lucide-react'
import { z } from 'zod'
import { useApp } from '../App.ts'

/** The way into one sandbox by the link of a mail. */
export function SandboxInvitationPage({ sandboxId, token }: { sandboxId: string; token: string }) {
  const app = useApp()
  const navigate = useNavigate()
  const redeem = useMutation({
    mutationFn: async () => {
      await app.graphql.query(
        `mutation redeemSandboxInvitation($sandboxId: ID!, $token: String!) { redeemSandboxInvitation(sandboxId: $sandboxId, invitationToken: $token) { id } }`,
        { variables: { sandboxId, token }, schema: z.unknown() },
      )
      await app.queries.invalidateQueries({ queryKey: ['sandboxes', 'shared'] })
      await navigate({ to: '/sandbox/$', params: { _splat: sandboxId } })
    },
  })
  return (
    <EmptyState
      icon={<Box aria-hidden size={28} strokeWidth={1.5} />}
      title="Somebody shares a sandbox with you"
      action={
        <Button variant="primary" size="large" loading={redeem.isPending} onClick={() => redeem.mutate()}>
          Accept and open it
        </Button>
      }
    >
      Once you accept, you find it again under “Shared with me”.
      {redeem.isError && (
        <p role="alert" className="mt-2 text-danger">
          The invitation could not be accepted: {redeem.error.message}. It may have been taken back, or used already.
        </p>
      )}
    </EmptyState>
  )
}
