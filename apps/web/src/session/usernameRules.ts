/** What is wrong with a user name, in words, or null. The server decides in the end. */
export function usernameProblem(username: string): string | null {
  if (username === '') return 'Choose a user name.'
  if (username.length < 2) return 'Use at least 2 characters.'
  if (username.length > 39) return 'Use at most 39 characters.'
  if (!/^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/i.test(username)) {
    return 'Use letters, digits, dashes and underscores, with a letter or digit first and last.'
  }
  return null
}
