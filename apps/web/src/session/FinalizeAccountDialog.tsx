import { Avatar, Button, Dialog, Input, Select } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useSelector } from '@xstate/react'
import { useDeferredValue, useState } from 'react'
import { z } from 'zod'
import type { PendingUser } from '../api/schemas.ts'
import { useApp } from '../App.ts'
import { usernameProblem } from './usernameRules.ts'

const roles = [
  { value: 'unsaid', label: 'Rather not say' },
  ...['Frontend developer', 'Backend developer', 'Full-stack developer', 'Designer', 'Student or teacher', 'Other'].map(
    (role) => ({ value: role, label: role }),
  ),
]

/** Shown once to a new person: choose the name that others see. */
export function FinalizeAccountDialog() {
  const { session } = useApp()
  const pending = useSelector(session, (state) => state.context.pendingUser)
  if (!pending) return null
  return (
    <Dialog
      open
      width="sm"
      title="Choose your user name"
      description="Others see it beside what you share. You can change your full name later."
      dismissible={false}
      onOpenChange={() => {}}
    >
      <FinalizeForm key={pending.id} pending={pending} />
    </Dialog>
  )
}

function FinalizeForm({ pending }: { pending: PendingUser }) {
  const { rest, session } = useApp()
  const [username, setUsername] = useState(pending.username)
  const [name, setName] = useState(pending.name ?? '')
  const [role, setRole] = useState('unsaid')
  const isSending = useSelector(session, (state) => state.matches({ UNAUTHENTICATED: 'FINALIZING' }))
  const failure = useSelector(session, (state) => state.context.finalizeError)
  const asked = useDeferredValue(username)
  const problem = usernameProblem(username)
  const availability = useQuery({
    queryKey: ['username-available', asked],
    queryFn: ({ signal }) =>
      rest.get(`/users/available/${encodeURIComponent(asked)}`, {
        schema: z.object({ available: z.boolean() }),
        signal,
      }),
    enabled: usernameProblem(asked) === null,
    staleTime: 10_000,
  })
  const taken = !problem && asked === username && availability.data?.available === false

  const hint = () => {
    if (problem) return problem
    if (taken) return 'This name is taken.'
    if (failure) return failure
    if (availability.data?.available) return 'This name is free.'
    return availability.isError ? 'Whether it is free is checked when you continue.' : 'Looking whether it is free.'
  }

  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (problem || taken) return
        session.send({
          type: 'FINALIZE',
          username,
          name: name.trim() || null,
          role: role === 'unsaid' ? null : role,
        })
      }}
    >
      <div className="flex justify-center">
        <Avatar src={pending.avatarUrl} name={name || username} size="l" />
      </div>
      <Input
        label="User name"
        value={username}
        autoFocus
        autoCapitalize="none"
        variant={problem || taken || failure ? 'error' : 'base'}
        hint={hint()}
        onChange={(event) => setUsername(event.target.value)}
      />
      <Input
        label="Full name (optional)"
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.target.value)}
      />
      <Select label="What do you do?" value={role} onValueChange={setRole} options={roles} />
      <div className="flex justify-end gap-2">
        <Button variant="quiet" disabled={isSending} onClick={() => session.send({ type: 'CANCEL' })}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" loading={isSending} disabled={problem !== null || taken}>
          Continue
        </Button>
      </div>
    </form>
  )
}
