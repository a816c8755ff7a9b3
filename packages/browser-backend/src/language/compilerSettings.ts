import ts from 'typescript'
import { PROJECT } from './languageFiles.ts'

export interface CompilerSettings {
  options: ts.CompilerOptions
  /** Files that belong to the project by its settings. */
  files: readonly string[]
}

/** True for every project here: it is bundled, and nothing is written. */
const FIXED: ts.CompilerOptions = {
  noEmit: true,
  skipLibCheck: true,
  allowNonTsExtensions: true,
  composite: false,
  // JavaScript is part of every project, though not always checked.
  allowJs: true,
}

/** Where a project says nothing, it is meant as the preview takes it. */
const DEFAULTS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.ReactJSX,
  resolveJsonModule: true,
  esModuleInterop: true,
}

/**
 * The settings of tsconfig.json or jsconfig.json. Where the first one only refers to others, as Vite's templates have it, those of the
 * first that has files.
 */
export function readCompilerSettings(system: ts.System): CompilerSettings {
  const path = [`${PROJECT}/tsconfig.json`, `${PROJECT}/jsconfig.json`].find((name) => system.fileExists(name))
  const parse = (name: string | undefined) => {
    const config: unknown =
      name === undefined ? {} : (ts.readConfigFile(name, (file) => system.readFile(file)).config ?? {})
    return ts.parseJsonConfigFileContent(config, { ...system, fileExists: system.fileExists }, PROJECT, FIXED, name)
  }
  let parsed = parse(path)
  for (const { path: reference } of parsed.fileNames.length === 0 ? (parsed.projectReferences ?? []) : []) {
    const name = system.fileExists(reference) ? reference : `${reference}/tsconfig.json`
    if (!system.fileExists(name)) continue
    const referred = parse(name)
    if (referred.fileNames.length === 0) continue
    parsed = referred
    break
  }
  return { options: { ...DEFAULTS, ...parsed.options }, files: parsed.fileNames }
}
