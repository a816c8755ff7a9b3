import { ApiError } from '@boxyard/api'
import { and, eq } from 'drizzle-orm'
import { uploads } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { addUpload, type Upload } from '../uploads/uploads.ts'
import { hashOf, type UploadStore } from '../uploads/uploadStore.ts'
import { ExtensionPackage, LARGEST_PACKAGE, type ExtensionManifest } from './extensionPackage.ts'

/**
 * Keeps an extension that somebody brings as a file with their uploads. The same one again is the one that is kept.
 * @throws ApiError INVALID_INPUT when it is none, or runs on no web page; LIMIT_REACHED; PAYLOAD_TOO_LARGE
 */
export async function addExtension(
  work: Work,
  store: UploadStore,
  { userId, content }: { userId: string; content: Buffer },
): Promise<{ upload: Upload; manifest: ExtensionManifest }> {
  const archive = await ExtensionPackage.open(content)
  archive.close()
  const { manifest } = archive
  if (manifest.main !== undefined && manifest.browser === undefined) {
    const name = manifest.displayName ?? `${manifest.publisher}.${manifest.name}`
    const detail = `${name} needs a machine: it has no part that runs in the browser. Nothing was kept.`
    throw new ApiError('INVALID_INPUT', { detail })
  }
  const [kept] = await work.tx
    .select()
    .from(uploads)
    .where(and(eq(uploads.userId, userId), eq(uploads.sha256, hashOf(content))))
  const name = `${manifest.publisher}.${manifest.name}-${manifest.version}.vsix`
  const upload = kept ?? (await addUpload(work.tx, store, { userId, name, content, largest: LARGEST_PACKAGE }))
  return { upload, manifest }
}
