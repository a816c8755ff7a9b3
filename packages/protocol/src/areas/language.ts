import { z } from 'zod'
import { method } from '../method.ts'

export const languageSchema = z.object({
  id: z.string(),
  /** With the dot. What stands here is in `globs` too. */
  extensions: z.array(z.string()),
  globs: z.array(z.string()),
  hasLanguageServer: z.boolean(),
  languageServerIds: z.array(z.string()),
})
export type Language = z.infer<typeof languageSchema>

const server = { languageId: z.string().min(1).max(100), serverId: z.string().min(1).max(100) }
const lspMethod = z.string().min(1).max(200)
/** A message that has no answer, or one whose answer is the answer of the request it travels in. */
const lspMessageSchema = z.object({ method: lspMethod, params: z.unknown().optional() })
const lspRequestId = z.union([z.number(), z.string().max(200)])

export const languageMethods = {
  'language/list': method(z.object({}).optional(), z.object({ languages: z.array(languageSchema) }), 'language.list'),
  /** Failures of the language server are protocol errors with its own code. Notifications to it are answered null at once. */
  'language/lspRequest': method(z.object({ ...server, message: lspMessageSchema }), z.unknown(), 'language.lspRead'),
  'language/lspServerResponse': method(
    z.object({
      ...server,
      message: z.object({
        id: lspRequestId,
        result: z.unknown().optional(),
        error: z
          .object({ code: z.number().int(), message: z.string().max(100_000), data: z.unknown().optional() })
          .optional(),
      }),
    }),
    z.unknown(),
    'language.lspRead',
  ),
}

export const languageNotifications = {
  'language/lspNotification': z.object({ ...server, message: lspMessageSchema }),
  /** Answered by `language/lspServerResponse` with the same id. */
  'language/lspServerRequest': z.object({ ...server, message: lspMessageSchema.extend({ id: lspRequestId }) }),
}
