import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'

const ranges = z.record(z.string(), z.string()).default({})
const dependencyFields = {
  dependencies: ranges,
  devDependencies: ranges,
  optionalDependencies: ranges,
  peerDependencies: ranges,
}
const manifestSchema = z.looseObject({
  ...dependencyFields,
  scripts: z.record(z.string(), z.unknown()).default({}),
})
const lockfileSchema = z.looseObject({
  lockfileVersion: z.union([z.literal(2), z.literal(3)]),
  packages: z
    .record(z.string(), z.looseObject({ version: z.string().optional(), hasInstallScript: z.boolean().optional() }))
    .refine((packages) => packages[''] !== undefined),
})
export type Lockfile = z.infer<typeof lockfileSchema>

/** Scripts of the project that npm runs around an install. */
const PROJECT_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare']
/** Options that change nothing about what is installed. */
const HARMLESS = new Set(['--no-audit', '--no-fund', '--prefer-offline', '--silent', '-s', '--no-progress'])
/** Settings that the platform itself gives every box. */
const PLATFORM_SETTINGS = new Set([
  'npm_config_registry',
  'npm_config_audit',
  'npm_config_fund',
  'npm_config_update_notifier',
  'npm_config_prefix',
  // What npm tells its own scripts.
  'npm_config_user_agent',
  'npm_config_noproxy',
  'npm_config_node_gyp',
  'npm_config_npm_version',
  'npm_config_cache',
  'npm_config_globalconfig',
  'npm_config_init_module',
  'npm_config_local_prefix',
  'npm_config_userconfig',
  'npm_config_global_prefix',
])

export interface InstallQuestion {
  arguments: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
  /** Texts of package.json and package-lock.json. */
  manifest: string
  lockfile: string
  /** Whether a .npmrc of the project or the person, or something that is installed already, is there. */
  hasSettings: boolean
  hasModules: boolean
}

export interface PlainInstall {
  command: 'install' | 'ci'
  lockfile: Lockfile
  isSilent: boolean
}

/**
 * What is asked for, when it is the plain case: everything of a lockfile that fits package.json, with no settings, workspaces or scripts of
 * the project. Null for all else, which npm itself does.
 */
export function plainInstall(question: InstallQuestion): PlainInstall | null {
  const [name = '', ...options] = question.arguments
  const command = ['install', 'i'].includes(name) ? 'install' : ['ci', 'clean-install'].includes(name) ? 'ci' : null
  if (command === null || !options.every((option) => HARMLESS.has(option))) return null
  if (question.hasSettings || (command === 'install' && question.hasModules)) return null
  if (question.environment['NODE_ENV'] === 'production') return null
  for (const [variable, value] of Object.entries(question.environment)) {
    const isSetting = /^npm_config_/i.test(variable) && value !== undefined && value !== ''
    if (isSetting && !PLATFORM_SETTINGS.has(variable.toLowerCase())) return null
  }
  const manifest = readAs(manifestSchema, question.manifest)
  const lockfile = readAs(lockfileSchema, question.lockfile)
  if (manifest === null || lockfile === null) return null
  if ('workspaces' in manifest || 'overrides' in manifest || 'bundleDependencies' in manifest) return null
  if (PROJECT_SCRIPTS.some((script) => script in manifest.scripts)) return null
  const locked = z.looseObject(dependencyFields).safeParse(lockfile.packages[''])
  if (!locked.success) return null
  for (const field of Object.keys(dependencyFields) as (keyof typeof dependencyFields)[]) {
    if (!isDeepStrictEqual({ ...manifest[field] }, { ...locked.data[field] })) return null
  }
  return { command, lockfile, isSilent: options.includes('--silent') || options.includes('-s') }
}

function readAs<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
