/** The color of somebody in lists of who is there: one for people with an account, one for everybody else. */
export function personColor(userId: string | null): string {
  return userId === null ? 'red' : '#FFE500'
}
