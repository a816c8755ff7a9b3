import type { GitCredentials } from '@boxyard/protocol'

/** Reads the pipe that runGit opens. Git asks its helpers to keep and to forget passwords too; this one only answers. */
const HELPER = '!f() { test "$1" = get && cat <&3; }; f'

/**
 * The environment of a git that the dev server runs: nobody can answer a question, messages are in English so that they can be told
 * apart, and what is written is on disk when git ends. With credentials every other helper is off, so that none of them writes them
 * down, and the one that is left is asked for this origin alone.
 */
export function gitEnvironment(
  inherited: Readonly<Record<string, string>>,
  credentials?: GitCredentials,
): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const [name, value] of Object.entries(inherited)) if (!name.startsWith('GIT_')) environment[name] = value
  const settings: [string, string][] = [
    ['core.fsync', 'all'],
    ['http.lowSpeedLimit', '1000'],
    ['http.lowSpeedTime', '60'],
    ['core.quotePath', 'false'],
  ]
  if (credentials) {
    settings.push(['credential.helper', ''])
    settings.push([`credential.${credentials.origin}.helper`, HELPER])
  }
  settings.forEach(([key, value], index) => {
    environment[`GIT_CONFIG_KEY_${index}`] = key
    environment[`GIT_CONFIG_VALUE_${index}`] = value
  })
  return {
    ...environment,
    GIT_CONFIG_COUNT: String(settings.length),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_SSH_COMMAND: inherited['GIT_SSH_COMMAND'] ?? 'ssh -o BatchMode=yes -o ConnectTimeout=20',
    GIT_EDITOR: 'true',
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C.UTF-8',
  }
}
