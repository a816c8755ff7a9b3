import { ProtocolError } from '@boxyard/protocol'
import { z } from 'zod'

/** The one command that needs no machine: it changes what package.json depends on. */
export type DependencyCommand = { kind: 'add'; name: string; range: string | null } | { kind: 'remove'; name: string }

/** As npm allows it, and never the name of something that every object has. */
const NAME = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i
/** A version, a range, a tag, or another package under this name. */
const RANGE = /^(?:npm:(?:@[\w.-]{1,100}\/)?[\w.-]{1,100}@)?[\w.^~<>=*|+-]{1,100}$/
const GROUPS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const

const manifestSchema = z.looseObject(
  Object.fromEntries(GROUPS.map((group) => [group, z.record(z.string(), z.string()).optional()])),
)

/** `dependency add NAME`, `dependency add NAME@RANGE` or `dependency remove NAME`; null for every other command. */
export function parseDependencyCommand(command: string): DependencyCommand | null {
  const [word, kind, given, ...rest] = command.trim().split(/\s+/)
  if (word !== 'dependency' || given === undefined || rest.length > 0) return null
  const cut = given.indexOf('@', 1)
  const name = cut < 0 ? given : given.slice(0, cut)
  const range = cut < 0 ? null : given.slice(cut + 1)
  if (!NAME.test(name) || name.length > 214) return null
  if (kind === 'remove') return range === null ? { kind, name } : null
  if (kind !== 'add' || (range !== null && !RANGE.test(range))) return null
  return { kind, name, range }
}

/** The text of package.json with a dependency on `range`, or without it when that is null. The layout of the file stays. */
export function changeDependency(text: string, name: string, range: string | null): string {
  const manifest = readManifest(text)
  const group = GROUPS.find((one) => Object.hasOwn((manifest[one] ?? {}) as object, name))
  if (range === null && !group)
    throw new ProtocolError('INVALID_PARAMS', `package.json does not depend on ${name}. Nothing was changed.`)
  const target = group ?? 'dependencies'
  const entries = Object.entries({ ...((manifest[target] ?? {}) as Record<string, string>), [name]: range })
  const kept = entries.filter((entry): entry is [string, string] => entry[1] !== null)
  const changed = { ...manifest, [target]: Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1))) }
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? '  '
  return JSON.stringify(changed, null, indent) + (text.endsWith('\n') || text === '' ? '\n' : '')
}

function readManifest(text: string): z.infer<typeof manifestSchema> {
  try {
    const manifest: unknown = text === '' ? {} : JSON.parse(text)
    manifestSchema.parse(manifest)
    // As it is written: parsing would give the members another order.
    return manifest as z.infer<typeof manifestSchema>
  } catch {
    // What is wrong with it the editor shows at its place.
    const message = 'package.json is not what npm reads. Nothing was changed; correct it and try again.'
    throw new ProtocolError('INVALID_PARAMS', message)
  }
}
