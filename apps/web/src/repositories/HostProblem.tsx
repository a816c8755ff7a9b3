import { connectPath } from './connectPath.ts'

/** What the git host refused, in its words, with the way to allow it. */
export function HostProblem({ error }: { error: Error }) {
  // The query API has no codes in its answers here, and its words name the scope that is missing.
  const isAboutScopes = /scope|not connected|not allow/i.test(error.message)
  return (
    <p role="alert" className="text-danger">
      {error.message}{' '}
      {isAboutScopes && (
        <a className="text-link" href={connectPath('private_repos')}>
          Review GitHub permissions
        </a>
      )}
    </p>
  )
}
