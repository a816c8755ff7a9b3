import type { CancellationToken } from '@codingame/monaco-vscode-api/vscode/vs/base/common/cancellation'
import type {
  IExtensionInfo,
  IExtensionQueryOptions,
  IGalleryExtension,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/extensionManagement/common/extensionManagement'
import { WorkbenchExtensionGalleryService } from '@codingame/monaco-vscode-extension-gallery-service-override/vscode/vs/workbench/services/extensionManagement/common/extensionGalleryService'

/** Publishers of what the editor brings itself. Its versions come with the editor. */
const OWN = /^(?:boxyard|vscode)\./i

/** The gallery, which is not asked for what the editor brings: else each visit would ask the registry, also of who looks for no extension. */
export class GalleryService extends WorkbenchExtensionGalleryService {
  override getExtensions(infos: readonly IExtensionInfo[], token: CancellationToken): Promise<IGalleryExtension[]>
  override getExtensions(
    infos: readonly IExtensionInfo[],
    options: IExtensionQueryOptions,
    token: CancellationToken,
  ): Promise<IGalleryExtension[]>
  override async getExtensions(
    infos: readonly IExtensionInfo[],
    ...rest: [CancellationToken] | [IExtensionQueryOptions, CancellationToken]
  ): Promise<IGalleryExtension[]> {
    const asked = infos.filter(({ id }) => !OWN.test(id))
    if (asked.length === 0) return []
    return rest.length === 1 ? super.getExtensions(asked, rest[0]) : super.getExtensions(asked, rest[0], rest[1])
  }
}
