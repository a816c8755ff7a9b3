import { z } from 'zod'
import { assetTypes } from './assetTypes.ts'
import { extensionNameSchema, extensionVersionSchema, publisherSchema, targetPlatformSchema } from './extensionName.ts'

/** More than a page of the extension view can show. */
const MOST_FOUND = 200
const MOST_VERSIONS = 500

const text = z.string().max(20_000)
const versionSchema = z.object({
  version: extensionVersionSchema,
  lastUpdated: text.optional(),
  targetPlatform: targetPlatformSchema.optional(),
  files: z.array(z.object({ assetType: text })).optional(),
  properties: z.array(z.object({ key: text, value: text.catch('') })).optional(),
})
const extensionSchema = z.object({
  extensionId: text,
  extensionName: extensionNameSchema,
  displayName: text.nullish(),
  shortDescription: text.nullish(),
  publisher: z.object({
    publisherId: text,
    publisherName: publisherSchema,
    displayName: text.nullish(),
    domain: text.nullish(),
    isDomainVerified: z.boolean().nullish(),
  }),
  versions: z.array(versionSchema).max(MOST_VERSIONS),
  statistics: z.array(z.object({ statisticName: text, value: z.number() })).nullish(),
  tags: z.array(text).nullish(),
  categories: z.array(text).nullish(),
  flags: text.nullish(),
  releaseDate: text.nullish(),
  publishedDate: text.nullish(),
  lastUpdated: text.nullish(),
})
const countsSchema = z.array(
  z.object({ metadataType: text, metadataItems: z.array(z.object({ name: text, count: z.number() })) }),
)
const answerSchema = z.object({
  results: z
    .array(z.object({ extensions: z.array(z.unknown()).max(MOST_FOUND), resultMetadata: countsSchema.nullish() }))
    .max(10),
})

/** What the editor's gallery service reads: the answer to a query, with addresses of ours. */
export const galleryAnswerSchema = z.object({
  results: z.array(
    z.object({
      extensions: z.array(
        extensionSchema.omit({ versions: true }).extend({
          versions: z.array(
            versionSchema.omit({ files: true }).extend({
              assetUri: z.string(),
              fallbackAssetUri: z.string(),
              files: z.array(z.object({ assetType: z.string(), source: z.string() })),
            }),
          ),
        }),
      ),
      resultMetadata: countsSchema,
    }),
  ),
})

export type GalleryAnswer = z.output<typeof galleryAnswerSchema>

/**
 * The answer of a registry to a query, with its addresses replaced by ours: whatever it names, the editor asks us alone. `assetsAt` is where
 * `{publisher}/{name}/{version}/{type}` is served. Extensions whose names or versions are none are left out.
 * @throws ZodError when it is no such answer at all
 */
export function galleryAnswer(answer: unknown, assetsAt: string): GalleryAnswer {
  const { results } = answerSchema.parse(answer)
  return {
    results: results.map(({ extensions, resultMetadata }) => ({
      extensions: extensions.flatMap((one) => {
        const { success, data } = extensionSchema.safeParse(one)
        return success ? [withAddresses(data, assetsAt)] : []
      }),
      resultMetadata: resultMetadata ?? [],
    })),
  }
}

function withAddresses(extension: z.output<typeof extensionSchema>, assetsAt: string) {
  const { publisher, extensionName, versions } = extension
  return {
    ...extension,
    versions: versions.map(({ files = [], ...version }) => {
      const at = `${assetsAt}/${[publisher.publisherName, extensionName, version.version].map(encodeURIComponent).join('/')}`
      return {
        ...version,
        assetUri: at,
        fallbackAssetUri: at,
        files: files
          .filter(({ assetType }) => assetType in assetTypes)
          .map(({ assetType }) => ({ assetType, source: `${at}/${assetType}` })),
      }
    }),
  }
}
