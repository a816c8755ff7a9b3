import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

function LegalPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-[560px] flex-col gap-4 p-6">
      <h1 className="text-20 font-semibold">{title}</h1>
      {children}
      <Link to="/" className="text-link">
        Go to the start page
      </Link>
    </main>
  )
}

export function TermsPage() {
  return (
    <LegalPage title="Terms of service">
      <p>
        This server is run by somebody who decides who may use it and for what. Ask them for their rules; where they
        gave you none, the law of where you and they are holds.
      </p>
      <p>The program itself is open source, under the MIT licence, and comes without any warranty.</p>
    </LegalPage>
  )
}

export function PrivacyPage() {
  return (
    <LegalPage title="Privacy policy">
      <p>
        Everything stays on this server: your account, your projects, and what you type. It keeps your user name, name
        and email address, what your sign-in provider says about you, and for each session the program it was begun with
        and when it was last used.
      </p>
      <p>
        The only cookies are the one of your session and one that says whether you are signed in. Nothing is sent to
        anybody for analysis. Whoever runs this server can read what is on it.
      </p>
    </LegalPage>
  )
}
