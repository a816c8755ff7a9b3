import * as z from 'zod/mini'
import { folderOf, joinPath } from '../common/projectFiles.ts'
import type { ProjectFiles } from '../common/projectFiles.ts'
import { patternAlias } from './alias.ts'
import type { Alias } from './alias.ts'
import { readJson } from './readJson.ts'

export interface TypescriptSettings {
  aliases: readonly Alias[]
  jsxImportSource: string | undefined
  /** The files that they are written in. */
  sources: readonly string[]
}

const schema = z.object({
  extends: z.optional(z.union([z.string(), z.array(z.string())])),
  references: z._default(z.array(z.object({ path: z.string() })), []),
  compilerOptions: z._default(
    z.object({
      baseUrl: z.optional(z.string()),
      paths: z.optional(z.record(z.string(), z.array(z.string()))),
      jsxImportSource: z.optional(z.string()),
    }),
    {},
  ),
})

interface Options {
  base: string | undefined
  paths: readonly Alias[]
  jsxImportSource: string | undefined
}

/** Reads tsconfig.json, or jsconfig.json, with what it extends and what it refers to. */
export function readTypescriptSettings(
  files: ProjectFiles,
  isPackage: (specifier: string) => boolean,
): TypescriptSettings {
  const sources = new Set<string>()
  const found: Options[] = []

  const optionsOf = (path: string): Options => {
    sources.add(path)
    const read = schema.parse(readJson(path, files) ?? {})
    const { baseUrl, paths, jsxImportSource } = read.compilerOptions
    const folder = folderOf(path)
    let options: Options = { base: undefined, paths: [], jsxImportSource: undefined }
    for (const name of [read.extends ?? []].flat()) {
      // Settings of packages are about types, and are not here.
      const target = fileOf(name, folder, files)
      if (name.startsWith('.') && target !== undefined && !sources.has(target)) options = optionsOf(target)
    }
    const base = baseUrl === undefined ? options.base : joinPath(folder, baseUrl)
    const ownPaths = Object.entries(paths ?? {}).map(([pattern, targets]) =>
      patternAlias(
        pattern,
        targets.map((target) => joinPath(base ?? folder, target)),
      ),
    )
    const combined: Options = {
      base,
      paths: paths === undefined ? options.paths : ownPaths,
      jsxImportSource: jsxImportSource ?? options.jsxImportSource,
    }
    for (const reference of read.references) {
      const target = fileOf(reference.path, folder, files)
      if (target !== undefined && !sources.has(target)) found.push(optionsOf(target))
    }
    return combined
  }

  const path = ['/tsconfig.json', '/jsconfig.json'].find((name) => files.has(name))
  if (path !== undefined) found.unshift(optionsOf(path))
  const bases = [...new Set(found.flatMap(({ base }) => (base === undefined ? [] : [base])))]
  const fromBase = bases.map((base): Alias => {
    const below = patternAlias('*', [joinPath(base, '*')])
    const isRelative = (specifier: string) => /^[./]/.test(specifier)
    return {
      ...below,
      matches: (specifier) => (isRelative(specifier) || isPackage(specifier) ? undefined : below.matches(specifier)),
    }
  })
  return {
    aliases: [...found.flatMap(({ paths }) => paths), ...fromBase],
    jsxImportSource: found.find(({ jsxImportSource }) => jsxImportSource !== undefined)?.jsxImportSource,
    sources: [...sources],
  }
}

function fileOf(name: string, folder: string, files: ProjectFiles): string | undefined {
  const path = joinPath(folder, name)
  return [path, `${path}.json`, joinPath(path, 'tsconfig.json')].find((candidate) => files.has(candidate))
}
