import { z } from 'zod'

const flags = <const K extends readonly string[]>(keys: K) =>
  z.object(
    Object.fromEntries(keys.map((key) => [key, z.boolean().optional()])) as {
      [P in K[number]]: z.ZodOptional<z.ZodBoolean>
    },
  )

/** What the server can do. A missing group or flag means it can't. */
export const capabilitiesSchema = z.object({
  client: flags(['status', 'list']).optional(),
  file: flags(['status', 'openClose', 'openByPath', 'save', 'ot', 'selection']).optional(),
  fs: flags(['raw', 'read', 'operations', 'search', 'streamingSearch', 'pathSearch']).optional(),
  git: flags(['status', 'targetDiff', 'pull', 'discard', 'commit', 'renameBranch']).optional(),
  language: flags(['list', 'pitcherLsp']).optional(),
  port: flags(['list', 'status']).optional(),
  setup: flags(['get', 'skip', 'skipAll', 'setStep', 'progress']).optional(),
  shell: flags(['io', 'list', 'openClose', 'createTerminate', 'restart', 'resize', 'status']).optional(),
  task: flags([
    'list',
    'run',
    'stop',
    'runCommand',
    'create',
    'update',
    'saveToConfig',
    'generateConfig',
    'createSetupTasks',
  ]).optional(),
  channel: flags(['subscribe', 'message']).optional(),
  system: z
    .object({
      metrics: z.boolean(),
      hibernation: z.boolean().optional(),
      update: z.boolean().optional(),
      containers: z.boolean().optional(),
    })
    .optional(),
  command: flags(['list', 'execute']).optional(),
  ai: z
    .object({
      raw: z.number().optional(),
      suggestCommit: z.number().optional(),
      chat: z.number().optional(),
      embeddings: z.number().optional(),
    })
    .optional(),
  box: flags(['installDependencies', 'installedDependencies']).optional(),
})
export type Capabilities = z.infer<typeof capabilitiesSchema>

const permissionGroups = {
  file: ['open', 'documentOperation', 'documentSelection', 'save', 'documentAck', 'close'],
  fs: ['read', 'operation', 'search', 'pathSearch', 'upload', 'download'],
  language: ['list', 'lspRead', 'lspWrite'],
  git: ['status', 'pull', 'commit', 'discard', 'renameBranch', 'remoteContent', 'diffStatus', 'remotes', 'push'],
  setup: ['get', 'skip', 'skipAll', 'setStep', 'enable', 'disable', 'init'],
  shell: ['create', 'write', 'list', 'open', 'close', 'restart', 'terminate', 'resize'],
  task: ['list', 'run', 'stop', 'runCommand', 'create', 'update', 'saveToConfig', 'generateConfig', 'createSetupTasks'],
  command: ['list', 'execute'],
  system: ['update', 'hibernate', 'metrics', 'containers'],
  ai: ['suggest', 'explain', 'raw', 'chat', 'embeddings'],
} as const

const permissionFlags = <const K extends readonly string[]>(keys: K) =>
  z.object(Object.fromEntries(keys.map((key) => [key, z.boolean()])) as { [P in K[number]]: z.ZodBoolean })

/** What one client may do. The dev server enforces every flag; clients use them to hide what would be refused. */
export const permissionsSchema = z.object({
  file: permissionFlags(permissionGroups.file),
  fs: permissionFlags(permissionGroups.fs),
  language: permissionFlags(permissionGroups.language),
  git: permissionFlags(permissionGroups.git),
  setup: permissionFlags(permissionGroups.setup),
  shell: permissionFlags(permissionGroups.shell),
  task: permissionFlags(permissionGroups.task),
  command: permissionFlags(permissionGroups.command),
  system: permissionFlags(permissionGroups.system),
  /** Missing at servers that know nothing of it. */
  ai: flags(permissionGroups.ai).optional(),
})
export type Permissions = z.infer<typeof permissionsSchema>
export type PermissionFlag = {
  [G in keyof Permissions]-?: `${G}.${Extract<keyof NonNullable<Permissions[G]>, string>}`
}[keyof Permissions]

/** The access levels a box token can carry. */
export const accessLevels = ['read', 'write'] as const
export type AccessLevel = (typeof accessLevels)[number]

const readable: ReadonlySet<string> = new Set([
  'file.open',
  'file.close',
  'file.documentAck',
  'file.documentSelection',
  'fs.read',
  'fs.search',
  'fs.pathSearch',
  'fs.download',
  'language.list',
  'language.lspRead',
  'git.status',
  'git.remoteContent',
  'git.diffStatus',
  'git.remotes',
  'setup.get',
  'shell.list',
  'shell.open',
  'shell.close',
  'task.list',
  'command.list',
  'system.metrics',
])

/** The permission set of an access level: `write` may do everything, `read` may look but not change or run anything. */
export function permissionsFor(level: AccessLevel): Permissions {
  const groups = Object.entries(permissionGroups).map(([group, keys]) => [
    group,
    Object.fromEntries(keys.map((key) => [key, level === 'write' || readable.has(`${group}.${key}`)])),
  ])
  // Once a client: making a validator in code of its own would take longer than all it is used for.
  return permissionsSchema.parse(Object.fromEntries(groups), { jitless: true })
}
