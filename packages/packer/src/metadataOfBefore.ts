import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'

const unzip = promisify(gunzip)

const fileSchema = z.object({
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  archives: z.record(z.string(), z.object({ url: z.string() })),
  body: z.string(),
})
const documentSchema = z.looseObject({
  versions: z.record(z.string(), z.looseObject({ dist: z.looseObject({ tarball: z.string() }) })),
})

/**
 * Metadata as versions of Boxyard before November 2026 have kept it. Who has no registry to ask has nothing else.
 * Undefined for what is no such file.
 */
export async function metadataOfBefore(
  file: Buffer,
): Promise<{ answer: unknown; etag: string | undefined; lastModified: string | undefined } | undefined> {
  try {
    const { archives, body, etag, lastModified } = fileSchema.parse(JSON.parse(file.toString()))
    const answer = documentSchema.parse(JSON.parse((await unzip(Buffer.from(body, 'base64'))).toString()))
    for (const { dist } of Object.values(answer.versions)) {
      const name = dist.tarball.split('/').at(-1) ?? ''
      if (Object.hasOwn(archives, name)) dist.tarball = archives[name]!.url
    }
    return { answer, etag, lastModified }
  } catch (error) {
    const isDamaged = error instanceof SyntaxError || error instanceof z.ZodError || isZipError(error)
    if (!isDamaged) throw error
    return undefined
  }
}

const isZipError = (error: unknown): boolean => String((error as NodeJS.ErrnoException).code).startsWith('Z_')
