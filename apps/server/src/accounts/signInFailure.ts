import { gitHostName } from './gitHostName.ts'

/** What is said when a provider does not say who somebody is. */
export function signInFailure(route: string, gitHost: string | undefined): string {
  const why = 'The provider did not confirm who you are.'
  return route === 'github' ? `Sign in to ${gitHostName(gitHost) ?? 'GitHub'} failed. ${why}` : why
}
