import type { PersonHere } from './peopleHere.ts'
import type { FollowChoice } from './useFollowing.ts'

/** What a click on somebody does. */
export function followWords(person: PersonHere, following: FollowChoice | null): string {
  const name = person.name || person.username
  if (person.isSelf) return `${name} (you)`
  return person.clientId === following?.clientId ? `Following ${name}. Click to stop.` : `Follow ${name}`
}
