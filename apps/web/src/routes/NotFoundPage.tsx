import { buttonClass } from '@boxyard/ui'
import { Link } from '@tanstack/react-router'
import { Mark } from '../shell/Mark.tsx'

export function NotFoundPage() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-[500px] flex-col items-start justify-center gap-4 p-6">
      <Mark size={28} />
      <h1 className="text-20 font-semibold">Page not found</h1>
      <p className="text-quiet">
        Nothing is at this address. It may have been moved or deleted, or the link may be incomplete.
      </p>
      <Link to="/" className={buttonClass('primary')}>
        Go to the dashboard
      </Link>
    </main>
  )
}
