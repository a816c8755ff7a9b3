import { z } from 'zod'
import { method } from '../method.ts'

const shellId = z.string().min(1).max(200)
export const shellSizeSchema = z.object({
  cols: z.number().int().min(1).max(1000),
  rows: z.number().int().min(1).max(1000),
})
export type ShellSize = z.infer<typeof shellSizeSchema>

export const shellStatuses = ['RUNNING', 'FINISHED', 'ERROR', 'KILLED', 'RESTARTING'] as const
export type ShellStatus = (typeof shellStatuses)[number]

const shellBase = { shellId, name: z.string(), status: z.enum(shellStatuses), exitCode: z.number().int().optional() }
export const commandShellSchema = z.object({ ...shellBase, shellType: z.literal('COMMAND'), startCommand: z.string() })
export const terminalShellSchema = z.object({
  ...shellBase,
  shellType: z.literal('TERMINAL'),
  ownerUsername: z.string(),
  isSystemShell: z.boolean(),
})
export const shellSchema = z.discriminatedUnion('shellType', [commandShellSchema, terminalShellSchema])
export type CommandShell = z.infer<typeof commandShellSchema>
export type TerminalShell = z.infer<typeof terminalShellSchema>
export type Shell = z.infer<typeof shellSchema>

/** `buffer` holds the scrollback as one string, or nothing: clients join the parts with line breaks. */
export const openShellSchema = z.discriminatedUnion('shellType', [
  commandShellSchema.extend({ buffer: z.array(z.string()) }),
  terminalShellSchema.extend({ buffer: z.array(z.string()) }),
])
export type OpenShell = z.infer<typeof openShellSchema>

export const shellMethods = {
  'shell/create': method(
    z.object({
      command: z.string().max(1_000_000).optional(),
      cwd: z.string().max(4096).optional(),
      /** An older name of `cwd`. */
      projectPath: z.string().max(4096).optional(),
      size: shellSizeSchema.optional(),
      type: z.enum(['TERMINAL', 'COMMAND']).optional(),
      isSystemShell: z.boolean().optional(),
    }),
    openShellSchema,
    'shell.create',
  ),
  'shell/list': method(z.object({}).optional(), z.object({ shells: z.array(shellSchema) }), 'shell.list'),
  'shell/open': method(z.object({ shellId, size: shellSizeSchema.optional() }), openShellSchema, 'shell.open'),
  'shell/close': method(z.object({ shellId }), z.null(), 'shell.close'),
  'shell/in': method(
    z.object({ shellId, input: z.string().max(8_000_000), size: shellSizeSchema.optional() }),
    z.null(),
    'shell.write',
  ),
  'shell/resize': method(z.object({ shellId, size: shellSizeSchema }), z.null(), 'shell.resize'),
  'shell/restart': method(z.object({ shellId }), z.null(), 'shell.restart'),
  'shell/terminate': method(z.object({ shellId }), shellSchema, 'shell.terminate'),
  'shell/rename': method(z.object({ shellId, name: z.string().max(1_100_000) }), z.null(), 'shell.write'),
}

export const shellNotifications = {
  'shell/create': shellSchema,
  'shell/out': z.object({ shellId, out: z.string() }),
  'shell/exit': z.object({ shellId, shellType: z.enum(['COMMAND', 'TERMINAL']), exitCode: z.number().int() }),
  'shell/restart': z.object({ shellId }),
  'shell/terminate': z.object({ shellId, author: z.string() }),
  'shell/rename': z.object({ shell: shellSchema }),
}
