/** The name that everybody without an account goes by: two who have it are not one person. */
export const ANONYMOUS_USERNAME = 'anonymous'

/** Whether two clients belong to one person with an account. */
export function isSamePerson(one: string, other: string): boolean {
  return one === other && one !== ANONYMOUS_USERNAME
}
