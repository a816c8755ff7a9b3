import {
  getService,
  IExtensionGalleryService,
  IExtensionManagementServerService,
  IFileService,
} from '@codingame/monaco-vscode-api'
import { VSBuffer } from '@codingame/monaco-vscode-api/vscode/vs/base/common/buffer'
import { CancellationToken } from '@codingame/monaco-vscode-api/vscode/vs/base/common/cancellation'
import { generateUuid } from '@codingame/monaco-vscode-api/vscode/vs/base/common/uuid'
import {
  InstallOperation,
  type IGalleryExtension,
  type ILocalExtension,
  type InstallExtensionInfo,
  type InstallExtensionResult,
  type InstallOptions,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/extensionManagement/common/extensionManagement'
import type { IExtensionManagementService } from '@codingame/monaco-vscode-api/vscode/vs/platform/extensionManagement/common/extensionManagement.service'
import { boxUri } from '../files/boxUri.ts'

/** The part of a management service that asks the VS Code server, which knows no gallery of ours and has no network of its own. */
type ServerExtensions = Pick<
  IExtensionManagementService,
  'install' | 'installFromGallery' | 'installGalleryExtensions' | 'getInstalled' | 'getTargetPlatform'
>

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

/**
 * Has the editor fetch what is installed from the gallery, as it does all else of it, and bring it into the box, with what it needs. To be called
 * before anybody can install something: the server in the box would look for a gallery of its own.
 */
export async function installFromOurGallery(): Promise<void> {
  const service = await serverExtensions()
  const install = async (extension: IGalleryExtension, options: InstallOptions = {}) => {
    if (!options.donotIncludePackAndDependencies) await installNeeds(service, extension, options)
    const { uri } = extension.assets.download
    const answer = await fetch(uri)
    if (!answer.ok) throw new Error(`${extension.displayName || extension.name} could not be fetched: ${answer.status}`)
    const content = new Uint8Array(await answer.arrayBuffer())
    return installInBox(content, { ...options, donotIncludePackAndDependencies: true })
  }
  service.installFromGallery = install
  service.installGalleryExtensions = (infos) => Promise.all(infos.map((info) => settled(install, info)))
}

/** Installs what `extension` depends on and what is in its pack, those that need something themselves too, each once. */
async function installNeeds(service: ServerExtensions, extension: IGalleryExtension, options: InstallOptions) {
  const gallery = await getService(IExtensionGalleryService)
  const platform = await service.getTargetPlatform()
  const seen = new Set((await service.getInstalled()).map(({ identifier }) => identifier.id.toLowerCase()))
  seen.add(extension.identifier.id.toLowerCase())
  const missing = ({ properties }: IGalleryExtension) =>
    [...(properties.dependencies ?? []), ...(properties.extensionPack ?? [])].filter(
      (id) => !seen.has(id.toLowerCase()) && seen.add(id.toLowerCase()),
    )
  const needed: IGalleryExtension[] = []
  for (let ids = missing(extension); ids.length > 0;) {
    const found = await gallery.getExtensions(
      ids.map((id) => ({ id })),
      { targetPlatform: platform, compatible: true },
      CancellationToken.None,
    )
    needed.unshift(...found)
    ids = found.flatMap(missing)
  }
  for (const one of needed) {
    await service.installFromGallery(one, { ...options, donotIncludePackAndDependencies: true })
  }
}

async function settled(
  install: ServerExtensions['installFromGallery'],
  { extension, options }: InstallExtensionInfo,
): Promise<InstallExtensionResult> {
  const result = {
    identifier: extension.identifier,
    operation: InstallOperation.Install,
    source: extension,
    profileLocation: options.profileLocation ?? boxUri('/'),
  }
  return install(extension, options).then(
    (local) => ({ ...result, local }),
    (error: unknown) => ({ ...result, error: error instanceof Error ? error : new Error(String(error)) }),
  )
}
