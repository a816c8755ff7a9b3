/** What people call the git host of this installation; null: GitHub itself. */
export function gitHostName(url: string | undefined): string | null {
  if (url === undefined) return 'Boxyard'
  return url === 'https://github.com' ? null : new URL(url).host
}
