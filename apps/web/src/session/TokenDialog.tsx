import { Button, Dialog, Input } from '@boxyard/ui'
import { useSelector } from '@xstate/react'
import { useState } from 'react'
import { useApp } from '../App.ts'

/** Shown while the command-line sign-in is under way in its window. */
export function TokenDialog() {
  const { session } = useApp()
  const isWaiting = useSelector(
    session,
    (state) => state.matches({ UNAUTHENTICATED: 'SIGNING_IN' }) && state.context.target?.provider === 'cli',
  )
  const isVerifying = useSelector(session, (state) => state.matches({ UNAUTHENTICATED: 'USING_TOKEN' }))
  const [token, setToken] = useState('')
  return (
    <Dialog
      open={isWaiting || isVerifying}
      width="sm"
      title="Waiting for token..."
      description="Let this page in in the other window, or paste the token that it shows."
      onOpenChange={() => session.send({ type: 'CANCEL' })}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (token.trim() !== '') session.send({ type: 'MESSAGE', message: { type: 'token', token: token.trim() } })
        }}
      >
        <Input label="Token" value={token} onChange={(event) => setToken(event.target.value)} />
        <div className="flex justify-end gap-2">
          <Button variant="quiet" disabled={isVerifying} onClick={() => session.send({ type: 'CANCEL' })}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" loading={isVerifying}>
            Use token
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
