import { z } from 'zod'

/** A name of one file or folder: never a path. */
const title = z
  .string()
  .min(1)
  .max(255)
  .refine((value) => !/[/\0]/.test(value) && value !== '.' && value !== '..', 'It must be a plain file name.')
const shortid = z.string().min(1).max(40)

const moduleFields = z.object({
  title,
  directory_shortid: shortid.nullish(),
  code: z.string().nullish(),
  is_binary: z.boolean().nullish(),
})
const directoryFields = z.object({ title, directory_shortid: shortid.nullish() })

/** The first version of the calls nests what others send flat. */
const nested = <T extends z.ZodType>(key: string, schema: T) =>
  z.preprocess(
    (body) =>
      typeof body === 'object' && body !== null && key in body ? (body as Record<string, unknown>)[key] : body,
    schema,
  )

export const moduleCreationSchema = nested('module', moduleFields)
export const moduleChangeSchema = nested('module', moduleFields.partial())
export const moduleChangesSchema = z.object({
  modules: z.array(moduleFields.partial().extend({ shortid })).max(1000),
})
/** Files and folders at once. A folder may carry the shortid that others of them name as theirs. */
export const entriesCreationSchema = z.object({
  /** Where those go that name no folder. */
  directory_shortid: shortid.nullish(),
  modules: z.array(moduleFields).max(1000).default([]),
  directories: z
    .array(directoryFields.extend({ shortid: shortid.optional() }))
    .max(1000)
    .default([]),
})
export type EntriesCreation = z.output<typeof entriesCreationSchema>
export const directoryCreationSchema = nested('directory', directoryFields)
export const directoryChangeSchema = nested('directory', directoryFields.partial())
export type ModuleCreation = z.output<typeof moduleFields>
export type ModuleChange = Partial<ModuleCreation>
export type DirectoryCreation = z.output<typeof directoryFields>
export type DirectoryChange = Partial<DirectoryCreation>

export const moduleSchema = z.object({
  id: z.string(),
  shortid: z.string(),
  title: z.string(),
  code: z.string(),
  directory_shortid: z.string().nullable(),
  is_binary: z.boolean(),
  source_id: z.string(),
  upload_id: z.string().nullable(),
  sha: z.string().nullable(),
  inserted_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})
export type ModuleAnswer = z.infer<typeof moduleSchema>

export const directorySchema = z.object({
  id: z.string(),
  shortid: z.string(),
  title: z.string(),
  directory_shortid: z.string().nullable(),
  source_id: z.string(),
  inserted_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})
export type DirectoryAnswer = z.infer<typeof directorySchema>
