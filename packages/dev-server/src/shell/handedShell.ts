import { z } from 'zod'
import { shellRecordSchema } from './ShellStore.ts'

/** What a dev server that makes way for another one hands over of a shell that runs. */
export const handedShellSchema = z.object({
  record: shellRecordSchema,
  /** The leader of its session. */
  pid: z.number().int().positive(),
  /** The controlling side of its terminal; null where that is closed and the program runs on. */
  descriptor: z.number().int().nonnegative().nullable(),
  /** Its exit code, where it ended while the dev server made way. */
  exitCode: z.number().int().optional(),
  /** What was read of its terminal and is not in the scrollback yet. */
  tail: z.string(),
  /** The beginning of a character of which the rest has not come, as base64. */
  partial: z.base64(),
  /** What was typed and waits for the program to read it, as base64. */
  input: z.base64(),
  /** What an SDK client that is away has missed. */
  missed: z.string(),
})
export type HandedShell = z.infer<typeof handedShellSchema>

/** What is handed over of all shells. */
export const handedShellsSchema = z.object({
  running: z.array(handedShellSchema),
  /** Exits that SDK clients that are away have missed, oldest first, each with the output they missed. */
  missedExits: z.array(z.object({ record: shellRecordSchema, missed: z.string(), exitCode: z.number().int() })),
})
export type HandedShells = z.infer<typeof handedShellsSchema>
