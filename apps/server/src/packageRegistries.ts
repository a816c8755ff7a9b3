import { execFile } from 'node:child_process'
import type { Configuration } from './configuration.ts'

/** Where boxes install packages from, without a trailing slash. Null: not known, so those installs are off. */
export interface PackageRegistries {
  npm: string | null
  pip: string | null
}

const TIMEOUT_MS = 15_000

/** The registries of the settings, else those that the package managers of this machine use. */
export async function findPackageRegistries(
  configuration: Pick<Configuration, 'npmRegistry' | 'pipIndex'>,
  log: { warn(message: string): void },
  ask: (command: string, args: string[]) => Promise<string | null> = askProgram,
): Promise<PackageRegistries> {
  const [npm, pip] = await Promise.all([
    configuration.npmRegistry ?? ask('npm', ['config', 'get', 'registry']).then(addressIn),
    configuration.pipIndex ?? ask('pip', ['config', 'get', 'global.index-url']).then(addressIn),
  ])
  if (npm === null) log.warn('npm names no registry, so boxes can not install npm packages; set BOXYARD_NPM_REGISTRY')
  return { npm, pip }
}

function addressIn(output: string | null): string | null {
  const text = output?.trim() ?? ''
  return /^https?:\/\//.test(text) && URL.canParse(text) ? text.replace(/\/+$/, '') : null
}

/** What a program prints, or null when it is not there or has no answer. */
function askProgram(command: string, args: string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: TIMEOUT_MS }, (error, stdout) => resolve(error ? null : stdout))
  })
}
