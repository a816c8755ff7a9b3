import * as z from 'zod/mini'
import { normalizePath } from '../common/projectFiles.ts'
import type { ProjectFiles } from '../common/projectFiles.ts'
import { patternAlias } from './alias.ts'
import type { Alias } from './alias.ts'
import { readPostcssSettings } from './postcssSettings.ts'
import type { PostcssSettings } from './postcssSettings.ts'
import { readJson } from './readJson.ts'
import { readTypescriptSettings } from './typescriptSettings.ts'
import { readViteSettings } from './viteSettings.ts'

export interface ProjectSettings {
  /** Ranges by package name. */
  dependencies: Readonly<Record<string, string>>
  /** Path of the file that package.json calls its main one. */
  main: string | null
  aliases: readonly Alias[]
  /** What `import.meta.env` has. */
  env: Readonly<Record<string, string | boolean>>
  /** Where JSX comes from: `react`, `preact`, `solid-js`. */
  jsxImportSource: string
  /** What stands for names in scripts: expressions. */
  define: Readonly<Record<string, string>>
  /** Where files are that the page gets as they are. */
  publicDir: string
  /** What changes its style sheets. */
  postcss: PostcssSettings
  /** What of them is not followed here, each as a sentence. */
  notices: readonly string[]
  /** Files that they are written in beside those whose names say so. */
  sources: readonly string[]
}

const ranges = z._default(z.record(z.string(), z.string()), {})
const packageSchema = z.object({
  main: z.optional(z.string()),
  dependencies: ranges,
  devDependencies: ranges,
  peerDependencies: ranges,
  imports: z._default(z.record(z.string(), z.unknown()), {}),
})
const BUILT_IN_ENV = { MODE: 'development', DEV: true, PROD: false, SSR: false, BASE_URL: '/' }

/** What takes in new versions of components of Solid; its plug-in of Vite brings it along. */
const SOLID_REFRESH = { 'solid-refresh': '0.7.8' }

/** Reads package.json, tsconfig.json (or jsconfig.json), vite.config, settings of PostCSS and the environment files of a project. Nothing of it is run. */
export function readProjectSettings(files: ProjectFiles): ProjectSettings {
  const manifest = packageSchema.parse(readJson('/package.json', files) ?? {})
  const declared = { ...manifest.peerDependencies, ...manifest.devDependencies, ...manifest.dependencies }
  const typescript = readTypescriptSettings(
    files,
    (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/') in declared,
  )
  const vite = readViteSettings(files)
  const postcss = readPostcssSettings(files)
  const jsxImportSource = typescript.jsxImportSource ?? jsxSourceOf(manifest)
  return {
    dependencies: { ...(jsxImportSource === 'solid-js' ? SOLID_REFRESH : {}), ...declared },
    main: manifest.main === undefined ? null : normalizePath(manifest.main),
    aliases: [
      ...vite.aliases,
      ...Object.entries(manifest.imports).map(([pattern, target]) => patternAlias(pattern, targetsOf(target), true)),
      ...typescript.aliases,
    ],
    env: { ...BUILT_IN_ENV, ...readEnvironment(files, vite.envPrefixes) },
    jsxImportSource,
    define: vite.define,
    publicDir: vite.publicDir,
    postcss,
    notices: [...vite.notices, ...postcss.notices],
    sources: typescript.sources,
  }
}

/** The conditions under which a page gets something. */
const CONDITIONS = new Set(['browser', 'development', 'module', 'import', 'default'])

/** What `imports` of package.json give to a page, as Node reads them. */
function targetsOf(target: unknown): string[] {
  if (typeof target === 'string') return [target.startsWith('.') ? normalizePath(target) : target]
  if (Array.isArray(target)) return target.flatMap(targetsOf)
  if (typeof target !== 'object' || target === null) return []
  for (const [condition, inner] of Object.entries(target)) {
    const found = CONDITIONS.has(condition) ? targetsOf(inner) : []
    if (found.length > 0) return found
  }
  return []
}

function jsxSourceOf({ dependencies }: { dependencies: Readonly<Record<string, string>> }): string {
  if ('react' in dependencies) return 'react'
  return ['preact', 'solid-js'].find((name) => name in dependencies) ?? 'react'
}

/** Only what is meant for browsers, by its prefix. */
function readEnvironment(files: ProjectFiles, prefixes: readonly string[]): Record<string, string> {
  const env: Record<string, string> = {}
  for (const name of ['/.env', '/.env.local', '/.env.development', '/.env.development.local']) {
    const text = files.get(name)
    if (typeof text !== 'string') continue
    for (const line of text.split('\n')) {
      const match = /^\s*(?:export\s+)?(\w+)\s*=\s*(.*?)\s*$/.exec(line)
      if (match && prefixes.some((prefix) => match[1]!.startsWith(prefix)))
        env[match[1]!] = match[2]!.replace(/^(['"])(.*)\1$/, '$2')
    }
  }
  return env
}
