import { z } from 'zod'
import { globSource, isPlainGlob } from '../fs/glob.ts'

/** When a task that runs is started anew, and in which boxes it starts by itself, as tasks.json says it. */
export const restartOnSchema = z.object({
  /** Globs of files of the workspace; one that changes restarts the task. */
  files: z.array(z.string().min(1).max(1000).refine(isPlainGlob, 'must be a plain glob')).max(100).optional(),
  /** Another branch is checked out. */
  branch: z.boolean().optional(),
  /** The box is a copy of another one. */
  clone: z.boolean().optional(),
  /** The box has slept. */
  resume: z.boolean().optional(),
})
export type RestartOn = z.infer<typeof restartOnSchema>

/** Whether one of the globs means this path of the workspace. */
export function isAmong(globs: readonly string[], path: string): boolean {
  return globs.some((glob) => new RegExp(globSource(glob.replace(/^\.?\//, '')), 'u').test(path))
}
