import { buttonClass, EmptyState } from '@boxyard/ui'
import { Radio } from 'lucide-react'

/** What a guest sees when the session is over. */
export function LiveEndPage({ vmId }: { vmId: string }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-[560px] items-center justify-center p-3">
      <EmptyState
        icon={<Radio aria-hidden size={28} strokeWidth={1.5} />}
        title="This live session has ended"
        action={
          // The editor's services live as long as the page does, so what comes is a new page.
          <div className="flex flex-wrap justify-center gap-2">
            <a className={buttonClass('primary')} href="/dashboard/recent">
              Back to the dashboard
            </a>
            <a className={buttonClass('quiet')} href={`/devbox/${encodeURIComponent(vmId)}`}>
              Open the devbox
            </a>
          </div>
        }
      >
        What you wrote is saved in the devbox. It opens for you again if it is shared with you, or when its owner starts
        another session.
      </EmptyState>
    </main>
  )
}
