import { getService, IRemoteAuthorityResolverService } from '@codingame/monaco-vscode-api'
import { PersistentConnection } from '@codingame/monaco-vscode-api/vscode/vs/platform/remote/common/remoteAgentConnection'
import type { ServerLink } from './ServerLink.ts'

/**
 * Has the workbench connect to the VS Code server again when it is there, and not try before: a box that sleeps is no failure, and its tries end in a
 * dialog over everything. One that has ended it gives up at once, without a word of its own.
 */
export async function keepServerLink(link: ServerLink): Promise<void> {
  const resolver = await getService(IRemoteAuthorityResolverService)
  const resolve = resolver.resolveAuthority.bind(resolver)
  resolver.resolveAuthority = async (authority) => {
    await link.whenConnected()
    return resolve(authority)
  }
  link.onDidEnd(() => PersistentConnection.triggerPermanentFailure(0, 0, true))
}
