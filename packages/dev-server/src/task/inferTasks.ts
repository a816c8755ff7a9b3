import { z } from 'zod'
import type { TaskConfiguration } from './taskConfiguration.ts'

type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

const lockFiles: Readonly<Record<string, PackageManager>> = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'package-lock.json': 'npm',
}

const packageSchema = z.object({
  packageManager: z.string().optional().catch(undefined),
  scripts: z.record(z.string(), z.unknown()).optional().catch(undefined),
})

const MAX_TASKS = 100
/** Scripts that package managers run by themselves. */
const lifecycle = /^(pre|post)|^(install|prepare|prepublish|prepublishOnly|prepack|dependencies)$/

/**
 * The tasks of a project that has no tasks.json: its package.json's scripts, and installing its dependencies as set-up.
 *
 * @param packageJson the text of package.json, or undefined without one
 * @param fileNames the names in the workspace's folder
 */
export function inferTasks(packageJson: string | undefined, fileNames: ReadonlySet<string>): TaskConfiguration {
  const found = packageJson === undefined ? undefined : parsePackage(packageJson)
  if (!found) return { tasks: {}, setupTasks: [] }
  const manager = managerOf(found.packageManager, fileNames)
  const scripts = Object.entries(found.scripts ?? {})
    .filter(([name, script]) => typeof script === 'string' && /^[\w:.@/-]{1,200}$/.test(name) && !lifecycle.test(name))
    .map(([name]) => name)
    .slice(0, MAX_TASKS)
  const first = ['dev', 'start'].find((name) => scripts.includes(name))
  return {
    tasks: Object.fromEntries(
      scripts.map((name) => [
        name,
        { name, command: `${manager} run ${name}`, ...(name === first ? { runAtStart: true } : {}) },
      ]),
    ),
    setupTasks: [{ name: 'Install dependencies', command: `${manager} install` }],
  }
}

function managerOf(packageManager: string | undefined, fileNames: ReadonlySet<string>): PackageManager {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(packageManager ?? '')?.[1]
  if (named) return named as PackageManager
  const lockFile = Object.keys(lockFiles).find((name) => fileNames.has(name))
  return lockFile === undefined ? 'npm' : lockFiles[lockFile]!
}

function parsePackage(text: string): z.output<typeof packageSchema> | undefined {
  try {
    return packageSchema.safeParse(JSON.parse(text)).data
  } catch {
    // A package.json that is being typed is not JSON yet; the next change is read again.
    return undefined
  }
}
