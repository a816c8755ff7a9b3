import { z } from 'zod'
import { method } from '../method.ts'
import { taskSchema } from './task.ts'

const name = z.string().min(1).max(500)
const values = z.record(z.string().max(200), z.string().max(10_000))

export const containerMethods = {
  /** Sets the box up as a dev container of this template, by a task whose shell shows how it goes. */
  'container/setup': method(
    z.object({
      templateId: name,
      templateArgs: values,
      features: z
        .array(z.object({ id: name, options: values }))
        .max(100)
        .optional(),
    }),
    taskSchema,
    'system.containers',
  ),
}

export const containerNotifications = {
  /** Asks the client to show the set-up, which could not do without these. */
  'container/openSetupDevtool': z.object({ dependencies: z.array(z.string()) }),
}
