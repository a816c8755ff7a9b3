import { z } from 'zod'

/** What a dev server is told whose box is the copy of another one, processes included: which box it is now, and in which run. */
export const adoptionSchema = z.object({
  boxId: z.string().min(1).max(100),
  epoch: z.int().nonnegative(),
})
export type Adoption = z.infer<typeof adoptionSchema>
