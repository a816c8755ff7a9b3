import { z } from 'zod'

export const uploadListSchema = z.object({
  uploads: z.array(
    z.object({
      id: z.string(),
      url: z.string(),
      object_size: z.number().int(),
      name: z.string(),
      path: z.string(),
    }),
  ),
  /** In bytes. */
  max_size: z.number().int(),
  current_size: z.number().int(),
})

export const newUploadSchema = z.object({
  name: z.string().min(1, 'Give the file a name.').max(1000),
  /** A data URL. */
  content: z.string().min(1, 'The file is empty.'),
})
