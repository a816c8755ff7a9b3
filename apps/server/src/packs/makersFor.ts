import { ApiError, mayDo } from '@boxyard/api'
import type { Database } from '../database/database.ts'
import { findRegistries } from '../registries/registries.ts'
import type { SandboxAccess } from '../sandboxes/index.ts'
import { readFiles } from '../sandboxes/sandboxFiles.ts'
import { declaredDependencies } from './declaredDependencies.ts'
import { privateOnes } from './packMakers.ts'
import type { Makers, PackMakers } from './packMakers.ts'

/**
 * What makes these dependencies of a sandbox ready. Packages of the private registry of its workspace are there for whoever may change it;
 * everybody else gets those that its saved package.json names, and can't look for others.
 */
export async function makersFor(
  database: Database,
  makers: PackMakers,
  { sandbox, role }: SandboxAccess,
  dependencies: Readonly<Record<string, string>>,
): Promise<Makers> {
  const [registry] = await findRegistries(database, [sandbox.teamId])
  const wanted = registry === undefined ? [] : privateOnes(registry, dependencies)
  if (wanted.length > 0 && !mayDo(role, 'edit')) {
    const saved = await savedDependencies(database, sandbox.id)
    const other = wanted.find(([name, range]) => saved[name] !== range)
    if (other) {
      const detail = `${other[0]} is a private package that this sandbox is not saved with. Whoever may change it can add it`
      throw new ApiError('FORBIDDEN', { detail })
    }
  }
  return makers.for(registry, dependencies)
}

async function savedDependencies(database: Database, sandboxId: string): Promise<Readonly<Record<string, string>>> {
  const { modules } = await readFiles(database, sandboxId)
  const text = modules.find(
    ({ title, directoryShortid }) => title === 'package.json' && directoryShortid === null,
  )?.code
  return declaredDependencies(text ?? '{}')
}
