import { z } from 'zod'

/** Files that only a machine has a use for. */
const machineFiles =
  /^(?:Dockerfile|docker-compose\.ya?ml|\.devcontainer\/.*|go\.mod|Cargo\.toml|requirements\.txt|pyproject\.toml|Gemfile|pom\.xml)$/
/** Packages whose servers or native parts do not run in a browser. */
const machinePackages =
  /^(?:next|nuxt|astro|gatsby|electron|prisma|@prisma\/client|sharp|sqlite3|better-sqlite3|pg|mysql2|mongodb|mongoose|bcrypt|canvas|puppeteer|playwright|@remix-run\/.*|@react-router\/dev|@sveltejs\/kit|@angular\/.*|@nestjs\/.*|@solidjs\/start|react-scripts|react-native|expo)$/

const names = z.record(z.string(), z.unknown()).catch({})
const manifestSchema = z.object({ dependencies: names, devDependencies: names, workspaces: z.unknown() }).partial()

/** Whether a project, by its files, is one for a machine rather than for the browser of whoever opens it. */
export function needsMachine(files: Readonly<Record<string, { content: string }>>): boolean {
  const paths = Object.keys(files)
  if (paths.some((path) => machineFiles.test(path))) return true
  const manifest = files['package.json']
  // A page without packages, or nothing that anything could run.
  if (!manifest) return !paths.some((path) => path.endsWith('.html'))
  let value: unknown
  try {
    value = JSON.parse(manifest.content)
  } catch (error) {
    // It is put right in the editor, and either kind can become the other.
    if (error instanceof SyntaxError) return false
    throw error
  }
  const { dependencies, devDependencies, workspaces } = manifestSchema.catch({}).parse(value)
  if (workspaces !== undefined) return true
  return Object.keys({ ...dependencies, ...devDependencies }).some((name) => machinePackages.test(name))
}
