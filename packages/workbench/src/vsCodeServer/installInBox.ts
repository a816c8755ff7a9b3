import { getService, IExtensionManagementServerService, IFileService } from '@codingame/monaco-vscode-api'
import { VSBuffer } from '@codingame/monaco-vscode-api/vscode/vs/base/common/buffer'
import { generateUuid } from '@codingame/monaco-vscode-api/vscode/vs/base/common/uuid'
import type {
  IGalleryExtension,
  ILocalExtension,
  InstallOptions,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/extensionManagement/common/extensionManagement'
import { boxUri } from '../files/boxUri.ts'

/** The part of a management service that asks the VS Code server, which knows no gallery of ours and has no network of its own. */
interface ServerExtensions {
  install(vsix: ReturnType<typeof boxUri>, options?: InstallOptions): Promise<ILocalExtension>
  installFromGallery(extension: IGalleryExtension, options?: InstallOptions): Promise<ILocalExtension>
}

async function serverExtensions(): Promise<ServerExtensions> {
  const { remoteExtensionManagementServer } = await getService(IExtensionManagementServerService)
  if (!remoteExtensionManagementServer) throw new Error('The VS Code server of the box is not connected')
  return remoteExtensionManagementServer.extensionManagementService
}

/** Installs an extension from a file (.vsix) into the box. */
export async function installInBox(content: Uint8Array, options?: InstallOptions): Promise<ILocalExtension> {
  const files = await getService(IFileService)
  const vsix = boxUri(`/tmp/${generateUuid()}.vsix`)
  await files.writeFile(vsix, VSBuffer.wrap(content))
  try {
    return await (await serverExtensions()).install(vsix, options)
  } finally {
    await files.del(vsix)
  }
}

/** Has the editor fetch what is installed from the gallery, as it does all else of it, and bring it into the box. */
export async function installFromOurGallery(): Promise<void> {
  const service = await serverExtensions()
  service.installFromGallery = async (extension, options) => {
    const { uri } = extension.assets.download
    const answer = await fetch(uri)
    if (!answer.ok) throw new Error(`${extension.displayName || extension.name} could not be fetched: ${answer.status}`)
    return installInBox(new Uint8Array(await answer.arrayBuffer()), options)
  }
}
