import { getService, IExtensionManagementServerService } from '@codingame/monaco-vscode-api'
import { MarkdownString } from '@codingame/monaco-vscode-api/vscode/vs/base/common/htmlContent'
import { TargetPlatform } from '@codingame/monaco-vscode-api/vscode/vs/platform/extensions/common/extensions'

/** Has the editor say why an extension without a part for browsers can not be installed; its own text points to pages of another product. */
export async function explainMachines(): Promise<void> {
  const { webExtensionManagementServer } = await getService(IExtensionManagementServerService)
  if (!webExtensionManagementServer) throw new Error('This editor has no extensions that run in the browser')
  const { extensionManagementService: service } = webExtensionManagementServer
  const canInstall = service.canInstall.bind(service)
  service.canInstall = async (extension) => {
    const answer = await canInstall(extension)
    if (answer === true || extension.allTargetPlatforms.includes(TargetPlatform.WEB)) return answer
    const name = extension.displayName || extension.name
    return new MarkdownString()
      .appendText(name)
      .appendMarkdown(
        ' needs a machine: it has no part that runs in the browser, and extensions of this editor run there.',
      )
  }
}
