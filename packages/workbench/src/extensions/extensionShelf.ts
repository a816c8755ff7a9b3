import {
  getService,
  IExtensionGalleryService,
  IWorkbenchExtensionEnablementService,
  IWorkbenchExtensionManagementService,
} from '@codingame/monaco-vscode-api'
import { CancellationToken } from '@codingame/monaco-vscode-api/vscode/vs/base/common/cancellation'
import {
  EXTENSION_INSTALL_SKIP_PUBLISHER_TRUST_CONTEXT,
  type IGalleryExtension,
  type ILocalExtension,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/extensionManagement/common/extensionManagement'
import {
  ExtensionType,
  TargetPlatform,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/extensions/common/extensions'
import { EnablementState } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/extensionManagement/common/extensionManagement'
import { Uri } from 'monaco-editor'
import { isBoxUri } from '../files/boxUri.ts'
import type { ExtensionPlace } from './extensionPlace.ts'
import type { ExtensionShelf } from './installedExtensions.ts'
import { neededExtensions, needsInRegistry, type Needs } from './neededExtensions.ts'

export interface EditorExtensions extends ExtensionShelf {
  /** Installs from the registry what an extension needs that comes as a file. Answers with what of its pack is not there. */
  installNeeds(id: string, needs: Needs): Promise<string[]>
  onDidChange(listener: () => void): void
}

/** The extensions that this browser's editor has installed. */
export async function extensionShelf({ gallery }: ExtensionPlace): Promise<EditorExtensions> {
  const management = await getService(IWorkbenchExtensionManagementService)
  const enablement = await getService(IWorkbenchExtensionEnablementService)
  const registry = await getService(IExtensionGalleryService)
  const { origin } = new URL(gallery)

  // What is installed in a box is for everybody there, and no browser's.
  const installed = async () =>
    (await management.getInstalled(ExtensionType.User)).filter(
      ({ isBuiltin, location }) => !isBuiltin && !isBoxUri(location),
    )
  const local = async (id: string): Promise<ILocalExtension> => {
    const found = (await installed()).find(({ identifier }) => identifier.id.toLowerCase() === id)
    if (!found) throw new Error(`${id} is not installed`)
    return found
  }
  /** The path of the folder of one that came as a file. */
  const fromOf = ({ location }: ILocalExtension): string | undefined => {
    const address = location.toString(true)
    return address.startsWith(`${gallery}/`) ? undefined : address.replace(origin, '')
  }

  const find = (ids: readonly string[]) =>
    registry.getExtensions(
      ids.map((id) => ({ id })),
      { targetPlatform: TargetPlatform.WEB, compatible: true },
      CancellationToken.None,
    )

  return {
    async installNeeds(id, needs) {
      const { found, missing } = await neededExtensions<IGalleryExtension>(id, needs, {
        installed: (await management.getInstalled()).map(({ identifier }) => identifier.id),
        find,
        describe: needsInRegistry,
      })
      const options = { donotIncludePackAndDependencies: true }
      await management.requestPublisherTrust(found.map((extension) => ({ extension, options })))
      const context = { [EXTENSION_INSTALL_SKIP_PUBLISHER_TRUST_CONTEXT]: true }
      for (const one of found) await management.installFromGallery(one, { ...options, context })
      return missing
    },
    async list() {
      const all = await installed()
      return new Map(
        all.map((one) => {
          const from = fromOf(one)
          const enabled = !enablement.isDisabledGlobally(one)
          return [one.identifier.id, from === undefined ? { enabled } : { enabled, from }] as const
        }),
      )
    },
    async install(id, { from }) {
      if (from !== undefined) {
        const location = new URL(from, origin)
        // What is kept with an account names files of this server alone.
        if (location.origin !== origin) throw new Error(`${from} is nothing that this server has`)
        await management.installFromLocation(Uri.parse(location.href))
        return
      }
      const [found] = await find([id])
      if (!found) throw new Error('The extension registry does not have it for the browser')
      // The person has trusted its publisher where they installed it.
      await management.installFromGallery(found, {
        context: { [EXTENSION_INSTALL_SKIP_PUBLISHER_TRUST_CONTEXT]: true },
      })
    },
    async enable(id, enabled) {
      const extension = await local(id)
      if (enablement.isDisabledGlobally(extension) !== enabled) return
      await enablement.setEnablement(
        [extension],
        enabled ? EnablementState.EnabledGlobally : EnablementState.DisabledGlobally,
      )
    },
    async remove(id) {
      await management.uninstall(await local(id))
    },
    onDidChange(listener) {
      management.onDidInstallExtensions(listener)
      management.onDidUninstallExtension(listener)
      enablement.onEnablementChanged(listener)
    },
  }
}
