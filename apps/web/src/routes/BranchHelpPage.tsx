import { Link } from '@tanstack/react-router'

/** What a person learns who edited a branch that is not theirs for the first time. */
export function BranchHelpPage() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-[560px] flex-col gap-4 p-6">
      <h1 className="text-20 font-semibold">Branches that are made for you</h1>
      <p>
        Some branches stay as they are: protected ones, and those of repositories that you may read but not write to.
        When you edit one of them, a branch of it is made for you, with a machine of its own, and what you typed goes on
        there. Nobody else sees a change before you commit and push it.
      </p>
      <p>
        In a repository that you may write to, the branch belongs to your workspace. In any other it is a contribution:
        it is yours alone, and pushing it makes a fork of the repository in your account at the git host. From there you
        open a pull request.
      </p>
      <p>The new branch can be renamed or left from the branch in the status bar, at the bottom of the editor.</p>
      <Link to="/dashboard/repositories" className="text-link">
        Go to your repositories
      </Link>
    </main>
  )
}
