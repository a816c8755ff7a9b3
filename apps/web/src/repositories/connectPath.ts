/** Where a person lets the platform work with their repositories at the git host; they come back to this page. */
export function connectPath(scope: 'public_repos' | 'private_repos'): string {
  const { pathname, search } = window.location
  return `/auth/github/connect?${new URLSearchParams({ scope, return_to: pathname + search })}`
}
