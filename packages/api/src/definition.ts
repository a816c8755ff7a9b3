import { z } from 'zod'

const definedFile = z
  .object({
    /** Text; the content of a JSON file may also be given as an object. Of a binary file its data URL or its address. */
    content: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    isBinary: z.boolean().optional(),
    is_binary: z.boolean().optional(),
  })
  .transform(({ content, isBinary, is_binary: snake }) => ({
    content: typeof content === 'string' ? content : content == null ? '' : `${JSON.stringify(content, null, 2)}\n`,
    isBinary: isBinary ?? snake ?? false,
  }))

/** The files of a sandbox that a page or a program makes up. */
export const definitionSchema = z.object({
  files: z
    .record(z.string().min(1).max(1000), definedFile)
    .refine((files) => Object.keys(files).length > 0, 'Give it at least one file.')
    .refine((files) => Object.keys(files).length <= 1000, 'At most 1000 files.'),
  /** What it runs on, one word. */
  template: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
    .nullish(),
})
export type Definition = z.infer<typeof definitionSchema>
export type DefinedFile = Definition['files'][string]
