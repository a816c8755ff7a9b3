import { Dialog } from '@boxyard/ui'
import { useSelector } from '@xstate/react'
import { useApp } from '../App.ts'
import { SignInPanel } from './SignInPanel.tsx'

export const signInTitle = 'Sign in to Boxyard'
export const signInSubtitle = 'Login or register to start building your projects today.'

export function SignInDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { session } = useApp()
  // A new person goes on in the dialog that asks for a name.
  const isNew = useSelector(session, (state) => state.context.pendingUser !== null)
  const isElsewhere = useSelector(
    session,
    (state) =>
      state.matches({ UNAUTHENTICATED: 'USING_TOKEN' }) ||
      (state.matches({ UNAUTHENTICATED: 'SIGNING_IN' }) && state.context.target?.provider === 'cli'),
  )
  return (
    <Dialog
      open={open && !isNew && !isElsewhere}
      width="sm"
      title={signInTitle}
      description={signInSubtitle}
      onOpenChange={(next) => {
        if (next) return
        session.send({ type: 'CANCEL' })
        onClose()
      }}
    >
      <SignInPanel />
    </Dialog>
  )
}
