import { z } from 'zod'

/** The largest page that is asked for at once. */
const LARGEST_PAGE = 100

/** What the editor's gallery service asks: filters with criteria, and which parts of an answer it wants. */
export const galleryQuerySchema = z.object({
  filters: z
    .array(
      z.object({
        criteria: z
          .array(z.object({ filterType: z.number().int().min(0).max(100), value: z.string().max(1000).optional() }))
          .max(200),
        pageNumber: z.number().int().min(1).max(1000).default(1),
        pageSize: z
          .number()
          .int()
          .min(1)
          .max(1000)
          .default(10)
          .transform((size) => Math.min(size, LARGEST_PAGE)),
        sortBy: z.number().int().min(0).max(100).default(0),
        sortOrder: z.number().int().min(0).max(2).default(0),
      }),
    )
    .min(1)
    .max(10),
  assetTypes: z.array(z.string().max(200)).max(50).default([]),
  flags: z.number().int().min(0).max(0xff_ff_ff).default(0),
})

export type GalleryQuery = z.output<typeof galleryQuerySchema>
