import { Link, useLocation } from '@tanstack/react-router'
import { useSession } from '../session/useSession.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { Mark } from './Mark.tsx'

/** The top of pages that everybody may see: whose site it is, and the way to one's own work or in. */
export function PublicHeader() {
  const session = useSession()
  const { pathname } = useLocation()
  return (
    <header className="border-b border-line bg-panel">
      <div className="mx-auto flex h-12 max-w-[1100px] items-center gap-3 px-4 wide:px-8">
        {/* The start page sends whoever is signed in on to the dashboard. */}
        <Link to="/" className="flex items-center gap-2 font-semibold text-text no-underline">
          <Mark />
          Boxyard
        </Link>
        <nav aria-label="Your account" className="ml-auto flex items-center gap-3">
          {session.kind === 'in' && (
            <>
              <Link to="/dashboard/recent" className="text-link">
                Your dashboard
              </Link>
              <AccountMenu user={session.user} />
            </>
          )}
          {session.kind === 'out' && (
            <Link to="/signin" search={{ continue: pathname }} className="text-link">
              Sign in
            </Link>
          )}
        </nav>
      </div>
    </header>
  )
}
