import { Button } from '@boxyard/ui'
import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import type { CurrentUser } from '../api/schemas.ts'
import { useApp } from '../App.ts'
import { CenteredPage } from './CenteredPage.tsx'

/** Gives a program a token, by a code that works once. */
export function CliLoginPage({ user }: { user: CurrentUser }) {
  const { notices, rest } = useApp()
  const give = useMutation({
    mutationFn: () => rest.post('/auth/cli-code', { schema: z.object({ code: z.string() }) }),
    onSuccess({ code }) {
      const opener: Window | null = window.opener
      if (!opener) return
      opener.postMessage({ type: 'token', token: code }, window.location.origin)
      window.close()
    },
  })
  const copy = async (code: string) => {
    await navigator.clipboard.writeText(code)
    notices.add({ uniqueName: 'copied', tone: 'info', title: 'Copied' })
  }
  if (give.data) {
    const { code } = give.data
    return (
      <CenteredPage title="Paste this where you were asked for it">
        <p className="text-quiet">It works once, within ten minutes. Keep it to yourself.</p>
        <code data-code className="rounded-control border border-line bg-ground p-2 font-mono text-12 break-all">
          {code}
        </code>
        <Button variant="primary" size="large" onClick={() => void copy(code)}>
          Copy
        </Button>
      </CenteredPage>
    )
  }
  return (
    <CenteredPage title="Let a program in?">
      <p className="text-quiet">
        You are signed in as <strong>{user.username}</strong>. The program will act as you for 30 days, or until you
        sign it out under “Sessions and tokens”. Go on only when you started this yourself.
      </p>
      <Button variant="primary" size="large" loading={give.isPending} onClick={() => give.mutate()}>
        Let it in
      </Button>
      {give.isError && (
        <p role="alert" className="text-12 text-danger">
          {give.error.message}
        </p>
      )}
    </CenteredPage>
  )
}
