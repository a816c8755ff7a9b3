import { z } from 'zod'
import { method } from '../method.ts'

export const commandSchema = z.object({ id: z.string(), displayName: z.string() })
/** Something the dev server offers for the command palette. */
export type Command = z.infer<typeof commandSchema>

const commandsSchema = z.object({ commands: z.array(commandSchema) })

export const commandMethods = {
  'command/list': method(z.object({}).optional(), commandsSchema, 'command.list'),
  'command/execute': method(z.object({ commandId: z.string().min(1).max(200) }), z.object({}), 'command.execute'),
}

export const commandNotifications = {
  'command/changed': commandsSchema,
}
