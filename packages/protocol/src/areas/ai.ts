import { z } from 'zod'
import { method } from '../method.ts'

const id = z.string().min(1).max(200)
const text = z.string().max(2_000_000)
const role = z.enum(['system', 'user', 'assistant'])

const promptSchema = z.object({
  messages: z
    .array(z.object({ role, content: text }))
    .min(1)
    .max(1000),
  model: z.string().max(200).optional(),
  max_tokens: z.number().int().positive().optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  presence_penalty: z.number().min(-2).max(2).optional(),
  frequency_penalty: z.number().min(-2).max(2).optional(),
  stop: z.union([z.string(), z.array(z.string()).max(16)]).optional(),
})

export const chatFragmentSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), content: text }),
  z.object({ type: z.literal('logs'), content: text }),
  z.object({
    type: z.literal('code'),
    content: text,
    filepath: z.string().max(4096),
    startLine: z.number().int(),
    endLine: z.number().int(),
  }),
])
export type ChatFragment = z.infer<typeof chatFragmentSchema>

/** `idx` has no gaps in a chat; a client that sees one reads the history again. */
export const chatEntrySchema = z.object({
  idx: z.number().int().nonnegative(),
  role,
  username: z.string().optional(),
  messageId: id,
  message: z.string(),
  context: z.array(chatFragmentSchema),
  isFinished: z.boolean(),
})
export type ChatEntry = z.infer<typeof chatEntrySchema>

export const aiMethods = {
  'ai/suggestCommit': method(
    z.object({
      files: z.array(z.string().max(4096)).min(1, 'Need to provide at least 1 file').max(10_000),
      model: z.string().max(200).optional(),
      temperature: z.number().min(0).max(2).optional(),
    }),
    z.object({ commit: z.string() }),
    'ai.suggest',
  ),
  'ai/raw': method(promptSchema, z.object({ reply: z.string() }), 'ai.raw'),
  'ai/stream': method(promptSchema, z.object({ messageId: id }), 'ai.raw'),
  'ai/chats': method(
    z.object({}).optional(),
    z.object({ chats: z.array(z.object({ chatId: id, title: z.string() })) }),
    'ai.chat',
  ),
  'ai/chatHistory': method(z.object({ chatId: id }), z.object({ entries: z.array(chatEntrySchema) }), 'ai.chat'),
  'ai/chatMessage': method(
    z.object({ chatId: id, message: text, messageId: id, context: z.array(chatFragmentSchema).max(1000) }),
    z.object({ chatId: id, title: z.string() }),
    'ai.chat',
  ),
  'ai/messageState': method(
    z.object({ messageId: id }),
    z.object({ content: z.string(), isFinished: z.boolean() }),
    'ai.chat',
  ),
  'ai/embeddings': method(
    z.object({ query: z.string().min(1).max(10_000) }),
    z.object({
      matches: z.array(
        z.object({
          filepath: z.string(),
          filetype: z.enum(['code', 'manifest', 'doc']),
          content: z.string(),
          startLine: z.number().int(),
          endLine: z.number().int(),
          distance: z.number(),
        }),
      ),
    }),
    'ai.embeddings',
  ),
}

export const aiNotifications = {
  'ai/chatCreated': z.object({ chatId: id, title: z.string(), entries: z.array(chatEntrySchema) }),
  'ai/chatMessage': chatEntrySchema.extend({ chatId: id }),
  'ai/messageProgress': z.object({ messageId: id, chunk: z.string(), isFinished: z.boolean() }),
}
