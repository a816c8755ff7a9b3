/**
 * Stands before npm in a box: what the platform has laid out already is taken from there. Ends with NOT_FOR_ME, and nothing done, when npm has
 * to do it. Arguments: the program of npm, then what npm was given.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { EGRESS_VARIABLE, WORKSPACE_VARIABLE } from './egressVariable.ts'
import { layOutTree } from './layOutTree.ts'
import { plainInstall } from './plainInstall.ts'

/** EX_TEMPFAIL of sysexits.h; the script `npm` beside this one knows it. */
const NOT_FOR_ME = 75

async function install(npm: string, given: readonly string[]): Promise<number> {
  const project = process.cwd()
  const file = (name: string): string => join(project, name)
  const egressSocket = process.env[EGRESS_VARIABLE]
  if (egressSocket === undefined || !existsSync(file('package.json')) || existsSync(file('npm-shrinkwrap.json')))
    return NOT_FOR_ME
  const plain = plainInstall({
    arguments: given,
    environment: process.env,
    manifest: readFileSync(file('package.json'), 'utf8'),
    lockfile: readFileSync(file('package-lock.json'), 'utf8'),
    hasSettings: existsSync(file('.npmrc')) || existsSync(join(homedir(), '.npmrc')),
    hasModules: existsSync(file('node_modules')) && readdirSync(file('node_modules')).length > 0,
  })
  if (plain === null) return NOT_FOR_ME
  const began = performance.now()
  const installed = await layOutTree({
    project,
    lockfile: plain.lockfile,
    egressSocket,
    workspace: process.env[WORKSPACE_VARIABLE],
  })
  if (installed === null) return NOT_FOR_ME
  const { packages } = plain.lockfile
  const scripted = installed.filter((path) => packages[path]?.hasInstallScript === true)
  if (scripted.length > 0) {
    const names = [...new Set(scripted.map((path) => path.split('node_modules/').at(-1)!))]
    const rebuilt = spawnSync(npm, ['rebuild', ...names], { stdio: plain.isSilent ? 'ignore' : 'inherit' })
    if (rebuilt.status !== 0) return rebuilt.status ?? 1
  }
  if (!plain.isSilent) {
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    process.stdout.write(
      `\nadded ${installed.length} packages in ${seconds}s, from what this installation has checked\n`,
    )
  }
  return 0
}

const [npm = 'npm', ...given] = process.argv.slice(2)
try {
  process.exitCode = await install(npm, given)
} catch (error) {
  process.stderr.write(`npm installs everything itself: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = NOT_FOR_ME
}
