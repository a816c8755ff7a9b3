import { Mark } from '../shell/Mark.tsx'
import { signInSubtitle, signInTitle } from './SignInDialog.tsx'
import { SignInPanel } from './SignInPanel.tsx'

/** The sign-in dialog as a page of its own. */
export function SignInPage() {
  return (
    <main className="flex min-h-dvh items-center justify-center p-3">
      <section className="w-full max-w-[320px] rounded-dialog border border-line-strong bg-panel p-6">
        <Mark size={28} />
        <h1 className="mt-3 text-20 font-semibold">{signInTitle}</h1>
        <p className="mt-1 mb-5 text-quiet">{signInSubtitle}</p>
        <SignInPanel />
      </section>
    </main>
  )
}
