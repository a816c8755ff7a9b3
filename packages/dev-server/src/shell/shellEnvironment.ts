import type { Configuration } from '../configuration.ts'
import { EGRESS_VARIABLE, WORKSPACE_VARIABLE } from '../install/egressVariable.ts'

/** Variables of the dev server's own process that would change what a person's programs do. */
const ownVariables = new Set([
  'NODE_ENV',
  'NODE_CHANNEL_FD',
  'NODE_UNIQUE_ID',
  'NODE_V8_COVERAGE',
  'OLDPWD',
  'PWD',
  'SHLVL',
  '_',
])

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * The environment of everything a shell starts: the dev server's own (with its proxy and registry settings), without what is
 * addressed to the dev server, plus what describes a terminal and this box.
 */
export function shellEnvironment(
  inherited: NodeJS.ProcessEnv,
  configuration: Pick<Configuration, 'boxId' | 'previewHost' | 'home' | 'workspace' | 'programs' | 'egressSocket'>,
  person: { username: string; shell: string },
): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const [name, value] of Object.entries(inherited)) {
    if (value === undefined || name.startsWith('BOXYARD_') || ownVariables.has(name)) continue
    environment[name] = value
  }
  const host = configuration.previewHost.replace('{id}', configuration.boxId).replace('{port}', '$PORT')
  return {
    ...environment,
    PATH: withPrograms(inherited['PATH'] ?? DEFAULT_PATH, configuration),
    LANG: inherited['LANG'] ?? 'C.UTF-8',
    HOME: configuration.home,
    USER: person.username,
    LOGNAME: person.username,
    SHELL: person.shell,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    ...(configuration.egressSocket !== undefined && {
      [EGRESS_VARIABLE]: configuration.egressSocket,
      [WORKSPACE_VARIABLE]: configuration.workspace,
    }),
    CSB_BASE_PREVIEW_HOST: configuration.previewHost.replace(/^\{id\}-\{port\}\./, ''),
    CODESANDBOX_HOST: host,
  }
}

/** Our programs come before the machine's, and after what a person has installed in their home. */
function withPrograms(path: string, { home, programs }: Pick<Configuration, 'home' | 'programs'>): string {
  const folders = path.split(':')
  const first = folders.findIndex((folder) => folder !== home && !folder.startsWith(`${home}/`))
  return folders.toSpliced(first === -1 ? folders.length : first, 0, programs).join(':')
}
