import type { Headers } from 'tar-stream'
import { PackerError } from '../errors.ts'

/** What file systems and those who walk through them can do; packages of people are far below. */
const MAX_PATH_BYTES = 1_000
const MAX_NAME_BYTES = 255
const MAX_DEPTH = 64
const MAX_SAID = 100

/**
 * The path of an entry in its package, without the folder that archives have around everything. Undefined: nothing to write, which links,
 * devices and, but for a bundle, packages inside of the package are. Throws UNSAFE_ARCHIVE for a path that leads elsewhere.
 */
export function pathInPackage({ name, type }: Headers, { isBundle }: { isBundle: boolean }): string | undefined {
  if (type !== 'file' && type !== 'contiguous-file') return undefined
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..') || name.startsWith('/') || /[\0\\]/.test(name))
    throw new PackerError('UNSAFE_ARCHIVE', JSON.stringify(name.slice(0, MAX_SAID)))
  if (
    Buffer.byteLength(name) > MAX_PATH_BYTES ||
    parts.length > MAX_DEPTH ||
    parts.some((part) => Buffer.byteLength(part) > MAX_NAME_BYTES)
  )
    throw new PackerError('UNSAFE_ARCHIVE', `a path that is too long: ${JSON.stringify(name.slice(0, MAX_SAID))}`)
  const inside = parts.slice(1)
  // What a package brings inside of itself would stand in the way of what was resolved.
  if (inside.length === 0 || (inside.includes('node_modules') && !isBundle)) return undefined
  return inside.join('/')
}
