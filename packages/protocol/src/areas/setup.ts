import { z } from 'zod'
import { method } from '../method.ts'

export const setupStepSchema = z.object({
  name: z.string(),
  command: z.string(),
  shellId: z.string().nullable(),
  finishStatus: z.enum(['SUCCEEDED', 'FAILED', 'SKIPPED']).nullable(),
})
export type SetupStep = z.infer<typeof setupStepSchema>

/** `steps` is never empty: public clients wait for the first step before they call themselves connected. */
export const setupProgressSchema = z.object({
  state: z.enum(['IDLE', 'IN_PROGRESS', 'FINISHED', 'STOPPED']),
  currentStepIndex: z.number().int().nonnegative(),
  steps: z.array(setupStepSchema),
})
export type SetupProgress = z.infer<typeof setupProgressSchema>

const none = z.unknown()

export const setupMethods = {
  'setup/get': method(none, setupProgressSchema, 'setup.get'),
  'setup/skip': method(
    z.object({ stepIndexToSkip: z.number().int().nonnegative() }),
    setupProgressSchema,
    'setup.skip',
  ),
  'setup/skipAll': method(none, setupProgressSchema, 'setup.skipAll'),
  'setup/setStep': method(
    z.object({ stepIndex: z.number().int().nonnegative() }),
    setupProgressSchema,
    'setup.setStep',
  ),
  'setup/disable': method(none, setupProgressSchema, 'setup.disable'),
  'setup/enable': method(none, setupProgressSchema, 'setup.enable'),
  'setup/init': method(none, setupProgressSchema, 'setup.init'),
}

export const setupNotifications = {
  'setup/progress': setupProgressSchema,
}
