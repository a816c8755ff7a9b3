import type { PersonHere } from './peopleHere.ts'
import type { FollowChoice } from './useFollowing.ts'

/** What a click on somebody does. */
export function followWords({ name, isSelf, clientId }: PersonHere, following: FollowChoice | null): string {
  if (isSelf) return `${name} (you)`
  return clientId === following?.clientId ? `Following ${name}. Click to stop.` : `Follow ${name}`
}
