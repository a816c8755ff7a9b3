import type { Connection } from '@boxyard/dev-server-client'
import type { ServerLink } from './ServerLink.ts'

/**
 * Tells, now and after each change, whether the person can have the VS Code server: they may use the shell of the box, and the page is not connected
 * to one. One that has ended is not connected any more.
 */
export function watchEnabling(
  connection: Pick<Connection, 'joined' | 'onDidJoin' | 'onDidChangePermissions'>,
  link: Pick<ServerLink, 'state' | 'onDidChange'> | undefined,
  tell: (isOffered: boolean) => void,
): void {
  const update = () => {
    const { permissions, capabilities } = connection.joined ?? {}
    const isUsable = capabilities?.shell?.createTerminate === true && permissions?.shell?.create === true
    tell(isUsable && (link === undefined || link.state === 'ended'))
  }
  update()
  connection.onDidJoin(update)
  connection.onDidChangePermissions(update)
  link?.onDidChange(update)
}
