const HOME = '/nodebox'

/** What a terminal shows where the next command is typed. */
export function promptFor(cwd: string): string {
  const place = cwd === HOME ? '~' : cwd.startsWith(`${HOME}/`) ? `~${cwd.slice(HOME.length)}` : cwd
  return `\u001b[1;34m${place}\u001b[0m $ `
}
