const camel = (key: string) => key.replace(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
const snake = (key: string) => key.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function convert(value: unknown, rename: (key: string) => string, untouched: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((entry) => convert(entry, rename, untouched))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      rename(key),
      untouched.has(key) ? entry : convert(entry, rename, untouched),
    ]),
  )
}

/** What is below this key are names of packages. */
const untouchedOnTheWire = new Set(['npm_dependencies'])
/** What is below these keys of bodies has names of its own: paths of files, packages. */
const untouchedInBodies = new Set(['files', 'npmDependencies'])

/** Keys of a JSON value from snake_case to camelCase, at every depth. */
export const toCamelCase = (value: unknown): unknown => convert(value, camel, untouchedOnTheWire)

/** Keys of a JSON value from camelCase to snake_case, at every depth. */
export const toSnakeCase = (value: unknown): unknown => convert(value, snake, untouchedInBodies)
