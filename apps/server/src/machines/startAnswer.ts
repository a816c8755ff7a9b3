import { z } from 'zod'

/** The answer to a start, in the form that public clients of the protocol read. */
export const startAnswerSchema = z.object({
  id: z.string(),
  bootup_type: z.enum(['RUNNING', 'RESUME', 'CLEAN', 'FORK']),
  cluster: z.string(),
  /** Address of the dev server's socket, without a trailing slash or query. */
  pitcher_url: z.string(),
  pitcher_token: z.string(),
  reconnect_token: z.string(),
  workspace_path: z.string(),
  user_workspace_path: z.string(),
  pitcher_version: z.string(),
  latest_pitcher_version: z.string(),
  pitcher_manager_version: z.string(),
  use_pint: z.literal(false),
  /** Boxyard's addition: how well the box is kept apart from its host. */
  isolation: z.enum(['none', 'namespace', 'userspace-kernel', 'vm']),
})
export type StartAnswer = z.infer<typeof startAnswerSchema>

/**
 * The answer to a start that failed: what happened, in which phase, and what to do about it. Without `phase` it was refused before
 * anything was tried.
 */
export const startFailureSchema = z.object({
  errors: z.array(z.string()),
  code: z.string(),
  phase: z.string().optional(),
  detail: z.string().nullish(),
  next: z.string(),
})
export type StartFailure = z.infer<typeof startFailureSchema>
