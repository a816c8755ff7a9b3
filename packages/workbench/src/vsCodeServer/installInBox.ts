import {
  getService,
  IExtensionGalleryService,
  IExtensionManagementServerService,
  IFileService,
  IWorkbenchExtensionManagementService,
} from '@codingame/monaco-vscode-api'
import { VSBuffer } from '@codingame/monaco-vscode-api/vscode/vs/base/common/buffer'
import { CancellationToken } from '@codingame/monaco-vscode-api/vscode/vs/base/common/cancellation'
import { generateUuid } from '@codingame/monaco-vscode-api/vscode/vs/base/common/uuid'
import {
  InstallOperation,
  type IGalleryExtension,
  type InstallExtensionInfo,
  type InstallExtensionResult,
  type InstallOptions,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/extensionManagement/common/extensionManagement'
import type { IExtensionManagementService } from '@codingame/monaco-vscode-api/vscode/vs/platform/extensionManagement/common/extensionManagement.service'
import type { Uri } from 'monaco-editor'
import { neededExtensions, needsInRegistry, needsOf, type Needs } from '../extensions/neededExtensions.ts'
import { boxUri } from '../files/boxUri.ts'

/** The part of a management service that asks the VS Code server, which knows no gallery of ours and has no network of its own. */
type ServerExtensions = Pick<
  IExtensionManagementService,
  'install' | 'getManifest' | 'installFromGallery' | 'installGalleryExtensions' | 'getTargetPlatform'
>

async function serverExtensions(): Promise<ServerExtensions> {
  const { remoteExtensionManagementServer } = await getService(IExtensionManagementServerService)
  if (!remoteExtensionManagementServer) throw new Error('The VS Code server of the box is not connected')
  return remoteExtensionManagementServer.extensionManagementService
}

/**
 * Installs an extension from a file (.vsix) into the box, with what it needs from the registry. Answers with what of its pack the registry does not
 * have.
 */
export async function installFileInBox(content: Uint8Array): Promise<string[]> {
  return withFileInBox(content, async (vsix) => {
    const service = await serverExtensions()
    const manifest = await service.getManifest(vsix)
    const missing = await installNeeds(`${manifest.publisher}.${manifest.name}`, needsOf(manifest), {}, askForTrust)
    await service.install(vsix, { donotIncludePackAndDependencies: true })
    return missing
  })
}

/** Where the server finds a file of the person's. */
async function withFileInBox<T>(content: Uint8Array, use: (vsix: Uri) => Promise<T>): Promise<T> {
  const files = await getService(IFileService)
  const vsix = boxUri(`/tmp/${generateUuid()}.vsix`)
  await files.writeFile(vsix, VSBuffer.wrap(content))
  try {
    return await use(vsix)
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
    if (!options.donotIncludePackAndDependencies)
      await installNeeds(extension.identifier.id, needsInRegistry(extension), options)
    const { uri } = extension.assets.download
    const answer = await fetch(uri)
    if (!answer.ok) throw new Error(`${extension.displayName || extension.name} could not be fetched: ${answer.status}`)
    const content = new Uint8Array(await answer.arrayBuffer())
    return withFileInBox(content, (vsix) =>
      service.install(vsix, { ...options, donotIncludePackAndDependencies: true }),
    )
  }
  service.installFromGallery = install
  service.installGalleryExtensions = (infos) => Promise.all(infos.map((info) => settled(install, info)))
}

/** Installs what an extension depends on and what is in its pack, and answers with what of the pack the registry does not have. */
async function installNeeds(
  id: string,
  needs: Needs,
  options: InstallOptions,
  agree: (found: IGalleryExtension[]) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const service = await serverExtensions()
  const gallery = await getService(IExtensionGalleryService)
  // What runs in the page can be depended on too.
  const installed = await (await getService(IWorkbenchExtensionManagementService)).getInstalled()
  const targetPlatform = await service.getTargetPlatform()
  const { found, missing } = await neededExtensions<IGalleryExtension>(id, needs, {
    installed: installed.map(({ identifier }) => identifier.id),
    find: (ids) =>
      gallery.getExtensions(
        ids.map((one) => ({ id: one })),
        { targetPlatform, compatible: true },
        CancellationToken.None,
      ),
    describe: needsInRegistry,
  })
  await agree(found)
  for (const one of found) {
    await service.installFromGallery(one, { ...options, donotIncludePackAndDependencies: true })
  }
  return missing
}

/** Who installs something of the registry has been asked already; a file says nothing of publishers. */
async function askForTrust(found: IGalleryExtension[]): Promise<void> {
  const management = await getService(IWorkbenchExtensionManagementService)
  const options = { donotIncludePackAndDependencies: true }
  await management.requestPublisherTrust(found.map((extension) => ({ extension, options })))
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
