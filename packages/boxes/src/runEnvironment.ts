import path from 'node:path'
import { boxPaths, boxUser } from './boxContract.ts'
import type { SandboxLaunch } from './sandbox.ts'

/** What the dev server of a box that is kept apart from the host finds in its environment. */
export function runEnvironment(launch: SandboxLaunch, shell: string): Record<string, string> {
  const { home } = boxPaths
  return {
    PATH: `${home}/.local/bin:${path.dirname(boxPaths.node)}:/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin`,
    HOME: home,
    USER: boxUser.name,
    LOGNAME: boxUser.name,
    SHELL: shell,
    LANG: 'C.UTF-8',
    TMPDIR: '/tmp',
    // Packages installed globally go where the box may write.
    NPM_CONFIG_PREFIX: `${home}/.local`,
    ...launch.env,
    BOXYARD_WORKSPACE: boxPaths.workspace,
    BOXYARD_STATE: boxPaths.state,
    BOXYARD_SOCKET: boxPaths.devServerSocket,
    ...(launch.egressSocket === null ? {} : { BOXYARD_EGRESS_SOCKET: boxPaths.egressSocket }),
  }
}
