import { z } from 'zod'
import { method } from '../method.ts'
import { portSchema } from './port.ts'
import { commandShellSchema } from './shell.ts'

const taskId = z.string().min(1).max(200)

export const taskDefinitionSchema = z.object({
  name: z.string().min(1).max(200),
  command: z.string().min(1).max(10_000),
  runAtStart: z.boolean().optional(),
  preview: z
    .object({
      port: z.number().int().min(1).max(65_535).optional(),
      'pr-link': z.enum(['direct', 'redirect', 'devtool']).optional(),
    })
    .optional(),
})
export type TaskDefinition = z.infer<typeof taskDefinitionSchema>

export const taskSchema = taskDefinitionSchema.extend({
  id: z.string(),
  /** True for a command started by hand and not in the configuration. */
  unconfigured: z.boolean().optional(),
  shell: commandShellSchema.nullable(),
  ports: z.array(portSchema),
})
export type Task = z.infer<typeof taskSchema>

export const taskListSchema = z.object({
  tasks: z.record(z.string(), taskSchema),
  setupTasks: z.array(taskDefinitionSchema),
  validationErrors: z.array(z.string()),
})
export type TaskList = z.infer<typeof taskListSchema>

export const taskMethods = {
  'task/list': method(z.object({}).optional(), taskListSchema, 'task.list'),
  'task/run': method(z.object({ taskId }), taskSchema, 'task.run'),
  'task/runCommand': method(
    z.object({
      command: z.string().min(1).max(10_000),
      name: z.string().max(200).optional(),
      saveToConfig: z.boolean().optional(),
    }),
    taskSchema,
    'task.runCommand',
  ),
  'task/stop': method(z.object({ taskId }), taskSchema.nullable(), 'task.stop'),
  'task/create': method(
    z.object({ taskFields: taskDefinitionSchema, startTask: z.boolean().optional() }),
    taskListSchema,
    'task.create',
  ),
  'task/update': method(z.object({ taskId, taskFields: taskDefinitionSchema.partial() }), taskSchema, 'task.update'),
  'task/saveToConfig': method(z.object({ taskId }), taskSchema, 'task.saveToConfig'),
  'task/generateConfig': method(z.object({}).optional(), z.null(), 'task.generateConfig'),
  'task/createSetupTasks': method(
    z.object({ tasks: z.array(taskDefinitionSchema).max(100) }),
    z.null(),
    'task.createSetupTasks',
  ),
}

export const taskNotifications = {
  'task/listUpdate': taskListSchema,
  'task/update': taskSchema,
  'task/configParseError': z.object({ error: z.string() }),
  'task/unassignedPortOpened': portSchema,
  'task/unassignedPortClosed': portSchema,
}
