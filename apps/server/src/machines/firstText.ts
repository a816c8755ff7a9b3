import { BoxError } from '@boxyard/boxes'
import { z } from 'zod'
import type { MachineGateway } from '../edge/machineGateway.ts'
import { readDevServerText } from '../edge/boxHttp.ts'
import { codeColors } from './codeColors.ts'
import type { Scheme } from './codeColors.ts'

/** The beginning of an editor's life: a text with its colors, shown and edited before the editor is there. */
export const firstTextSchema = z.object({
  path: z.string(),
  text: z.string(),
  can_write: z.boolean(),
  colors: z.array(z.string()),
  lines: z.array(z.array(z.number())),
})
export type FirstText = z.infer<typeof firstTextSchema>

export interface FirstTextQuery {
  boxId: string
  /** Relative to the workspace. */
  path: string
  scheme: Scheme
  canWrite: boolean
}

/** The text of a file in a box that runs, or null: this is a courtesy, which neither wakes a box nor fails. */
export async function firstText(machines: MachineGateway, query: FirstTextQuery): Promise<FirstText | null> {
  const { boxId, path, scheme, canWrite } = query
  if (machines.epochOf(boxId) === undefined) return null
  try {
    const text = await readDevServerText(await machines.connect(boxId), path)
    // The early view knows one kind of line end; the editor knows them all.
    if (text === null || text.includes('\r')) return null
    return { path, text, can_write: canWrite, ...(await codeColors(path, text, scheme)) }
  } catch (error) {
    // The box stopped at this moment; the editor that follows says so.
    if (error instanceof BoxError) return null
    throw error
  }
}
