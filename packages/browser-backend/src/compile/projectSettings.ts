import * as z from 'zod/mini'
import { normalizePath } from '../common/projectFiles.ts'
import type { ProjectFiles } from '../common/projectFiles.ts'
import { CompileError } from './errors.ts'

/** A rule that gives imports another meaning. */
export interface Alias {
  /** What stands for the `*` of the targets when the rule applies, or undefined. */
  matches(specifier: string): string | undefined
  targets: readonly string[]
}

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
}

const ranges = z._default(z.record(z.string(), z.string()), {})
const packageSchema = z.object({
  main: z.optional(z.string()),
  dependencies: ranges,
  devDependencies: ranges,
  peerDependencies: ranges,
})
const tsconfigSchema = z.object({
  compilerOptions: z._default(
    z.object({
      baseUrl: z.optional(z.string()),
      paths: z._default(z.record(z.string(), z.array(z.string())), {}),
      jsxImportSource: z.optional(z.string()),
    }),
    { paths: {} },
  ),
})

const BUILT_IN_ENV = { MODE: 'development', DEV: true, PROD: false, SSR: false, BASE_URL: '/' }

/** What takes in new versions of components of Solid; its plug-in of Vite brings it along. */
const SOLID_REFRESH = { 'solid-refresh': '0.7.8' }

/** Reads package.json, tsconfig.json (or jsconfig.json) and the environment files of a project. */
export function readProjectSettings(files: ProjectFiles): ProjectSettings {
  const manifest = packageSchema.parse(readJson('/package.json', files) ?? {})
  const { compilerOptions } = tsconfigSchema.parse(
    readJson('/tsconfig.json', files) ?? readJson('/jsconfig.json', files) ?? {},
  )
  const jsxImportSource = compilerOptions.jsxImportSource ?? jsxSourceOf(manifest)
  return {
    dependencies: {
      ...(jsxImportSource === 'solid-js' ? SOLID_REFRESH : {}),
      ...manifest.peerDependencies,
      ...manifest.devDependencies,
      ...manifest.dependencies,
    },
    main: manifest.main === undefined ? null : normalizePath(manifest.main),
    aliases: Object.entries(compilerOptions.paths).map(([pattern, targets]) =>
      aliasOf(pattern, targets, compilerOptions.baseUrl ?? '.'),
    ),
    env: { ...BUILT_IN_ENV, ...readEnvironment(files) },
    jsxImportSource,
  }
}

function jsxSourceOf({ dependencies }: { dependencies: Readonly<Record<string, string>> }): string {
  if ('react' in dependencies) return 'react'
  return ['preact', 'solid-js'].find((name) => name in dependencies) ?? 'react'
}

function aliasOf(pattern: string, targets: readonly string[], baseUrl: string): Alias {
  const [before = '', after] = pattern.split('*', 2)
  const matches = (specifier: string) => {
    if (after === undefined) return specifier === pattern ? '' : undefined
    const isMatch =
      specifier.length >= before.length + after.length && specifier.startsWith(before) && specifier.endsWith(after)
    return isMatch ? specifier.slice(before.length, specifier.length - after.length) : undefined
  }
  return { matches, targets: targets.map((target) => `/${baseUrl}/${target}`) }
}

/** Only what is meant for browsers, by its prefix. */
function readEnvironment(files: ProjectFiles): Record<string, string> {
  const env: Record<string, string> = {}
  for (const name of ['/.env', '/.env.local', '/.env.development', '/.env.development.local']) {
    const text = files.get(name)
    if (typeof text !== 'string') continue
    for (const line of text.split('\n')) {
      const match = /^\s*(?:export\s+)?(VITE_\w+)\s*=\s*(.*?)\s*$/.exec(line)
      if (match) env[match[1]!] = match[2]!.replace(/^(['"])(.*)\1$/, '$2')
    }
  }
  return env
}

function readJson(path: string, files: ProjectFiles): unknown {
  const text = files.get(path)
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(withoutComments(text))
  } catch (cause) {
    throw new CompileError({ message: `${path.slice(1)} is not valid JSON: ${(cause as Error).message}`, file: path })
  }
}

/** JSON as people write it in settings: with comments and commas at the end. */
export function withoutComments(text: string): string {
  return text.replace(
    /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=\s*(?:(?:\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)\s*)*[}\]])/g,
    (_, string: string | undefined) => string ?? '',
  )
}
