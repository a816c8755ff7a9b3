const TEXT_BYTES = 2 * 1024 * 1024
const ICON_BYTES = 1024 * 1024

/** What the editor shows of an extension that is not installed, and how many bytes it may have. */
export const assetTypes: Readonly<Record<string, { contentType: string | null; mostBytes: number }>> = {
  'Microsoft.VisualStudio.Code.Manifest': { contentType: 'application/json; charset=utf-8', mostBytes: TEXT_BYTES },
  'Microsoft.VisualStudio.Services.Content.Details': {
    contentType: 'text/plain; charset=utf-8',
    mostBytes: TEXT_BYTES,
  },
  'Microsoft.VisualStudio.Services.Content.Changelog': {
    contentType: 'text/plain; charset=utf-8',
    mostBytes: TEXT_BYTES,
  },
  'Microsoft.VisualStudio.Services.Content.License': {
    contentType: 'text/plain; charset=utf-8',
    mostBytes: TEXT_BYTES,
  },
  // The bytes say what kind of image they are.
  'Microsoft.VisualStudio.Services.Icons.Default': { contentType: null, mostBytes: ICON_BYTES },
  'Microsoft.VisualStudio.Services.Icons.Small': { contentType: null, mostBytes: ICON_BYTES },
}

/** The whole extension, as an archive. */
export const PACKAGE_ASSET = 'Microsoft.VisualStudio.Services.VSIXPackage'
