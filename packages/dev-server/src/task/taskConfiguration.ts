import type { TaskDefinition } from '@boxyard/protocol'
import type { ParseError } from 'jsonc-parser'
import { applyEdits, modify, parse, printParseErrorCode } from 'jsonc-parser'
import { z } from 'zod'
import { restartOnSchema, type RestartOn } from './restartOn.ts'

/** The folder and the file of the configuration, in the workspace. */
export const CONFIGURATION_FOLDER = '.codesandbox'
export const CONFIGURATION_FILE = 'tasks.json'
const CONFIGURATION_SCHEMA = 'https://codesandbox.io/schemas/tasks.json'

export interface TaskConfiguration {
  /** By task id, in the order of the file. */
  tasks: Record<string, TaskDefinition>
  setupTasks: TaskDefinition[]
}

export interface ParsedConfiguration extends TaskConfiguration {
  /** By task id, for those tasks that have it. It is no part of a task on the wire. */
  restartOn: Record<string, RestartOn>
  /** One sentence for each thing that is wrong. What is right is used all the same. */
  errors: string[]
  /** False when the text is not JSON, so that nothing is known of the tasks. */
  isReadable: boolean
}

const command = z.string().min(1).max(10_000)
const prLink = z.enum(['direct', 'redirect', 'devtool'])

const fileTaskSchema = z.object({
  name: z.string().min(1).max(200),
  command,
  runAtStart: z.boolean().optional(),
  preview: z
    .object({
      port: z.number().int().min(1).max(65_535).optional(),
      prLink: prLink.optional(),
      'pr-link': prLink.optional(),
    })
    .optional(),
  restartOn: restartOnSchema.optional(),
})
const fileSetupTaskSchema = z.union([
  command.transform((text) => ({ name: text.slice(0, 200), command: text })),
  z.object({ name: z.string().min(1).max(200).optional(), command }).transform((task) => ({
    name: task.name ?? task.command.slice(0, 200),
    command: task.command,
  })),
])
const taskIdSchema = z.string().min(1).max(200)

/** Parses the text of a tasks.json: JSON with comments and trailing commas. */
export function parseTaskConfiguration(text: string): ParsedConfiguration {
  const parseErrors: ParseError[] = []
  const root: unknown = parse(text, parseErrors, { allowTrailingComma: true })
  const messages = parseErrors.map(
    ({ error, offset }) => `Line ${lineOf(text, offset)}: ${sentence(printParseErrorCode(error))}`,
  )
  const errors = [...new Set(messages)]
  const configuration: Omit<ParsedConfiguration, 'errors' | 'isReadable'> = { tasks: {}, setupTasks: [], restartOn: {} }
  if (errors.length > 0) return { ...configuration, errors, isReadable: false }
  if (!isRecord(root)) {
    return { ...configuration, errors: ['The file must hold an object with tasks and setupTasks'], isReadable: false }
  }
  const { tasks, setupTasks } = root
  if (Array.isArray(setupTasks)) {
    setupTasks.forEach((task, index) => {
      const parsed = fileSetupTaskSchema.safeParse(task)
      if (parsed.success) configuration.setupTasks.push(parsed.data)
      else errors.push(`setupTasks[${index}] must be a command or an object with name and command`)
    })
  } else if (setupTasks !== undefined) errors.push('setupTasks must be a list')
  if (isRecord(tasks)) {
    for (const [id, task] of Object.entries(tasks)) {
      const parsed = fileTaskSchema.safeParse(task)
      if (parsed.success && taskIdSchema.safeParse(id).success) {
        configuration.tasks[id] = toDefinition(parsed.data)
        if (parsed.data.restartOn) configuration.restartOn[id] = parsed.data.restartOn
      } else errors.push(...taskErrors(id, parsed.error))
    }
  } else if (tasks !== undefined) errors.push('tasks must be an object of tasks by their id')
  return { ...configuration, errors, isReadable: true }
}

/** The text of a new tasks.json. */
export function printTaskConfiguration(configuration: TaskConfiguration): string {
  const file = {
    $schema: CONFIGURATION_SCHEMA,
    setupTasks: configuration.setupTasks.map(({ name, command }) => ({ name, command })),
    tasks: Object.fromEntries(Object.entries(configuration.tasks).map(([id, task]) => [id, fromDefinition(task)])),
  }
  return `${JSON.stringify(file, null, 2)}\n`
}

/** Sets one task in the text of a tasks.json. Comments and everything else stay; what is next to it may be laid out anew. */
export function setTask(text: string, taskId: string, task: TaskDefinition): string {
  return edit(text, ['tasks', taskId], { ...restOf(text, taskId), ...fromDefinition(task) })
}

/** Replaces the set-up tasks in the text of a tasks.json. */
export function setSetupTasks(text: string, tasks: readonly TaskDefinition[]): string {
  return edit(
    text,
    ['setupTasks'],
    tasks.map(({ name, command }) => ({ name, command })),
  )
}

/** An id for a new task, made of its name and not among `taken`. */
export function newTaskId(name: string, taken: ReadonlySet<string>): string {
  const base =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60) || 'task'
  for (let count = 1; ; count++) {
    const id = count === 1 ? base : `${base}-${count}`
    if (!taken.has(id)) return id
  }
}

function toDefinition(task: z.output<typeof fileTaskSchema>): TaskDefinition {
  const { name, command, runAtStart, preview } = task
  const link = preview?.['pr-link'] ?? preview?.prLink
  return {
    name,
    command,
    ...(runAtStart === undefined ? {} : { runAtStart }),
    ...(preview
      ? {
          preview: {
            ...(preview.port === undefined ? {} : { port: preview.port }),
            ...(link === undefined ? {} : { 'pr-link': link }),
          },
        }
      : {}),
  }
}

/** What the file says of a task beside its definition, such as when it starts anew. */
function restOf(text: string, taskId: string): Record<string, unknown> {
  const root: unknown = parse(text, [], { allowTrailingComma: true })
  const known = isRecord(root) && isRecord(root['tasks']) ? root['tasks'][taskId] : undefined
  if (!isRecord(known)) return {}
  const { name: _name, command: _command, runAtStart: _runAtStart, preview: _preview, ...rest } = known
  return rest
}

/** The shape of the file, where the key is `prLink`. */
function fromDefinition(task: TaskDefinition): z.input<typeof fileTaskSchema> {
  const { name, command, runAtStart, preview } = task
  const { 'pr-link': link, port } = preview ?? {}
  return {
    name,
    command,
    ...(runAtStart === undefined ? {} : { runAtStart }),
    ...(preview
      ? { preview: { ...(port === undefined ? {} : { port }), ...(link === undefined ? {} : { prLink: link }) } }
      : {}),
  }
}

function edit(text: string, path: string[], value: unknown): string {
  return applyEdits(
    text,
    modify(text, path, value, { formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' } }),
  )
}

function taskErrors(id: string, error: z.ZodError | undefined): string[] {
  if (!error) return [`tasks.${id.slice(0, 200)}: the id must be 1 to 200 characters long`]
  return error.issues.map((issue) => `${['tasks', id, ...issue.path].map(String).join('.')}: ${issue.message}`)
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

function sentence(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
