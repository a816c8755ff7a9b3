import type { IExtensionGalleryManifest } from '@codingame/monaco-vscode-extension-gallery-service-override'
import { ExtensionGalleryResourceType } from '@codingame/monaco-vscode-api/vscode/vs/platform/extensionManagement/common/extensionGalleryManifest'
import type { ExtensionPlace } from './extensionPlace.ts'

/** What the product says of its gallery; nothing is asked for before the person looks for an extension. */
export function galleryProduct({ gallery }: ExtensionPlace) {
  return {
    serviceUrl: gallery,
    resourceUrlTemplate: `${gallery}/packages/{publisher}/{name}/{version}/{path}`,
    extensionUrlTemplate: '',
    controlUrl: '',
    nlsBaseUrl: '',
  }
}

const ours: ReadonlySet<string> = new Set([
  ExtensionGalleryResourceType.ExtensionQueryService,
  ExtensionGalleryResourceType.ExtensionResourceUri,
])

/** Of what a gallery can do ours has queries and files. Open registries sign nothing that the editor could check. */
export function galleryManifest(manifest: IExtensionGalleryManifest | null): IExtensionGalleryManifest | null {
  if (!manifest) return null
  const { signing: _signing, ...capabilities } = manifest.capabilities
  return { ...manifest, capabilities, resources: manifest.resources.filter(({ type }) => ours.has(type)) }
}
