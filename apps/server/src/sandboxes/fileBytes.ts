import { ApiError } from '@boxyard/api'
import { buffer } from 'node:stream/consumers'
import type { Queryable } from '../database/database.ts'
import { decodeDataUrl } from '../uploads/dataUrl.ts'
import { findUpload, uploadIdIn } from '../uploads/uploads.ts'
import type { UploadStore } from '../uploads/uploadStore.ts'
import type { SandboxModule } from './sandboxFiles.ts'

/** What a file of a browser-only sandbox holds. A binary file is a data URL, or the address of an upload. */
export async function fileBytes(
  { database, uploads }: { database: Queryable; uploads: UploadStore },
  path: string,
  { code, isBinary }: SandboxModule,
): Promise<Buffer> {
  if (!isBinary) return Buffer.from(code)
  if (code.startsWith('data:')) return decodeDataUrl(code) ?? Buffer.alloc(0)
  const id = uploadIdIn(code)
  const upload = id === null ? null : await findUpload(database, id)
  if (!upload) {
    throw new ApiError('CONFLICT', {
      detail: `The content of ${path} is not kept here, or was removed. Upload it again, or delete the file`,
    })
  }
  return buffer(uploads.read(upload.sha256))
}
