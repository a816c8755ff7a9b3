import { BoxError, machineRequirements, openDriver } from '@boxyard/boxes'
import type { DriverProbe } from '@boxyard/boxes'
import { lookup } from 'node:dns/promises'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Configuration } from './configuration.ts'
import { installation } from './installation.ts'
import { findPackageRegistries } from './packageRegistries.ts'

/** One thing that was tried on this machine. */
export interface Finding {
  subject: string
  state: 'good' | 'limited' | 'missing'
  /** Sentences: what there is, and what to do about what is missing. */
  texts: readonly string[]
}

/** Tries what this machine can do for Boxyard, really and without changing anything that stays. */
export async function examineMachine(
  configuration: Configuration,
  resolve: (host: string) => Promise<unknown> = lookup,
): Promise<Finding[]> {
  return [
    await examineBoxes(configuration),
    ...(configuration.driver === 'vm' ? [] : [await examineMachines()]),
    await examineNames(configuration, resolve),
    await examineRegistries(configuration),
  ]
}

async function examineBoxes({ home, driver: wanted }: Configuration): Promise<Finding> {
  mkdirSync(home, { recursive: true, mode: 0o711 })
  // On the disk that boxes will be on: what it can do decides how they are copied.
  const folder = mkdtempSync(join(home, 'doctor-'))
  try {
    const { driver, probe } = await openDriver(wanted === 'auto' ? 'bwrap' : wanted, {
      home: folder,
      devServer: installation.devServer,
      node: process.execPath,
      machines: { images: join(home, 'machines'), guest: installation.guest },
      log: () => undefined,
    })
    await driver.dispose()
    return { subject: `Boxes (${driver.name})`, state: stateOf(probe), texts: [...probe.reasons, isolationText(probe)] }
  } catch (error) {
    if (!(error instanceof BoxError)) throw error
    return { subject: 'Boxes', state: 'missing', texts: [error.detail ?? error.message] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether boxes could be virtual machines here. Nothing is booted: that is done when they are chosen. */
async function examineMachines(): Promise<Finding> {
  const { missing, hardware } = await machineRequirements()
  const subject = 'Virtual machines'
  if (missing.length > 0) return { subject, state: 'missing', texts: missing }
  const text = hardware
    ? 'Boxes can be virtual machines: set BOXYARD_DRIVER=vm. The first start makes what they boot from.'
    : 'Without /dev/kvm, instructions are translated: BOXYARD_DRIVER=vm works, many times slower, for tests only.'
  return { subject, state: hardware ? 'good' : 'limited', texts: [text] }
}

function stateOf({ isolation, capabilities }: DriverProbe): Finding['state'] {
  return isolation === 'none' || !capabilities.has('hardLimits') ? 'limited' : 'good'
}

function isolationText({ isolation }: DriverProbe): string {
  if (isolation === 'none') return 'Nothing keeps boxes apart from this machine: run only code you trust.'
  if (isolation === 'namespace') return 'Boxes share the kernel of this machine: keep it up to date.'
  return 'Boxes have a kernel of their own.'
}

async function examineNames(
  { base, protocol }: Configuration,
  resolve: (host: string) => Promise<unknown>,
): Promise<Finding> {
  const subject = 'Names of previews'
  const { hostname } = new URL(`${protocol}://${base}`)
  const name = `probe-1.preview.${hostname}`
  try {
    await resolve(name)
    return { subject, state: 'good', texts: [`${name} is found, so previews are on this machine's names.`] }
  } catch {
    if (hostname === 'localhost' || hostname.endsWith('.localhost')) {
      const text = `Browsers on this machine find ${name} by themselves; other programs and other machines do not.`
      return { subject, state: 'limited', texts: [text, 'For others, set BOXYARD_BASE to a name of yours.'] }
    }
    const text = `${name} is not found. Add a wildcard record for *.preview.${hostname}, and one for app.${hostname}.`
    return { subject, state: 'missing', texts: [text] }
  }
}

async function examineRegistries(configuration: Configuration): Promise<Finding> {
  const { npm, pip } = await findPackageRegistries(configuration, { warn: () => undefined })
  const texts = [
    npm === null ? 'Boxes can not install npm packages: set BOXYARD_NPM_REGISTRY.' : 'Boxes install npm packages.',
    pip === null ? 'Boxes can not install Python packages: set BOXYARD_PIP_INDEX.' : 'Boxes install Python packages.',
  ]
  return { subject: 'Packages', state: npm === null ? 'missing' : pip === null ? 'limited' : 'good', texts }
}

/** What is printed: one block a subject. */
export function describeFindings(findings: readonly Finding[]): string {
  const words = { good: 'good', limited: 'works, with limits', missing: 'does not work' }
  return findings
    .map(({ subject, state, texts }) => [`${subject}: ${words[state]}`, ...texts.map((text) => `  ${text}`)].join('\n'))
    .join('\n\n')
}
