/** What a package manager asks a registry for. */
export type RegistryRequest = { kind: 'metadata'; name: string } | { kind: 'tarball'; name: string; file: string }

const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~_-][a-zA-Z0-9._~-]*$/i
const FILE = /^[a-zA-Z0-9][a-zA-Z0-9._+~-]*\.tgz$/

/** Whether this is a name that a registry path may be made of: no traversal, no query, at most one scope. */
export function isPackageName(name: string): boolean {
  return name.length <= 214 && NAME.test(name) && !name.includes('..')
}

/** Reads a registry path such as `/react`, `/@scope%2fname` or `/@scope/name/-/name-1.0.0.tgz`; undefined for anything else. */
export function parseRegistryPath(path: string): RegistryRequest | undefined {
  let decoded: string
  try {
    decoded = decodeURIComponent(path.split('?', 1)[0] ?? '')
  } catch {
    return undefined
  }
  const [name, file, ...rest] = decoded.replace(/^\/+/, '').split('/-/')
  if (name === undefined || rest.length > 0 || !isPackageName(name)) return undefined
  if (file === undefined) return { kind: 'metadata', name }
  return FILE.test(file) ? { kind: 'tarball', name, file } : undefined
}
