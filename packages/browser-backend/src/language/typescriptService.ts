import { createLanguage, createLanguageService, createUriMap } from '@volar/language-service'
import type { LanguageService } from '@volar/language-service'
import { createLanguageServiceHost, resolveFileLanguageId } from '@volar/typescript'
import ts from 'typescript'
import { create as createTypeScriptPlugins } from 'volar-service-typescript'
import { URI } from 'vscode-uri'
import { readCompilerSettings } from './compilerSettings.ts'
import type { CompilerSettings } from './compilerSettings.ts'
import { PACKAGE_SCHEME, PACKAGES, PROJECT } from './languageFiles.ts'
import type { LanguageFiles } from './languageFiles.ts'

const SCRIPT = /\.[cm]?[jt]sx?$/
const SETTINGS = new Set([`${PROJECT}/tsconfig.json`, `${PROJECT}/jsconfig.json`])

/** Files of packages and of the language can't be opened as files of the project. */
export const addressOf = (path: string): URI =>
  path.startsWith(`${PROJECT}/`) && !path.startsWith(`${PACKAGES}/`)
    ? URI.file(path)
    : URI.from({ scheme: PACKAGE_SCHEME, path })
export const pathOf = (address: URI): string => address.path

export const isScript = (path: string): boolean => SCRIPT.test(path)

export interface TypeScriptServiceOptions {
  files: LanguageFiles
  /** Files that are looked at, whether or not they belong to the project. */
  opened(): Iterable<string>
  clientCapabilities: object
}

/** The compiler as a service in the words of the language server protocol. */
export function typescriptService({ files, opened, clientCapabilities }: TypeScriptServiceOptions): LanguageService {
  const { system } = files
  const snapshots = new Map<string, { text: string; snapshot: ts.IScriptSnapshot }>()
  const language = createLanguage<URI>(
    [{ getLanguageId: ({ path }) => resolveFileLanguageId(path) }],
    createUriMap(true),
    (address) => {
      const path = pathOf(address)
      const text = files.read(path)
      const known = snapshots.get(path)
      if (text === undefined) {
        snapshots.delete(path)
        language.scripts.delete(address)
        return
      }
      if (known?.text === text) return
      const snapshot = ts.ScriptSnapshot.fromString(text)
      snapshots.set(path, { text, snapshot })
      language.scripts.set(address, snapshot)
    },
  )
  let settings: { version: number; key: string; value: CompilerSettings } | undefined
  const currentSettings = (): CompilerSettings => {
    if (settings?.version === files.version) return settings.value
    const paths = [...files.project()].filter((path) => isScript(path) || path.endsWith('.json'))
    const texts = paths
      .filter((path) => SETTINGS.has(path) || /\/tsconfig\.[\w.]*json$/.test(path))
      .map((path) => files.read(path))
    // Only names and settings lead to other settings, not every key that is pressed.
    const key = JSON.stringify([paths, texts])
    const value = settings?.key === key ? settings.value : readCompilerSettings(system)
    settings = { version: files.version, key, value }
    return value
  }
  const ambient = () => system.readDirectory(`${PACKAGES}/@boxyard/ambient`, ['.ts'])
  const host = createLanguageServiceHost(ts, system, language, addressOf, {
    getCurrentDirectory: () => PROJECT,
    getCompilationSettings: () => currentSettings().options,
    getProjectVersion: () => `${files.version} ${[...opened()].join(' ')}`,
    getScriptFileNames: () => [
      ...new Set([...currentSettings().files, ...[...opened()].filter(isScript), ...ambient()]),
    ],
  })
  host.languageServiceHost.getDefaultLibFileName = (options) =>
    `${system.getExecutingFilePath().replace(/[^/]*$/, '')}${ts.getDefaultLibFileName(options)}`
  return createLanguageService(
    language,
    createTypeScriptPlugins(ts),
    { workspaceFolders: [URI.file(PROJECT)], clientCapabilities },
    {
      typescript: {
        configFileName: undefined,
        sys: system,
        uriConverter: { asFileName: pathOf, asUri: addressOf },
        ...host,
      },
    },
  )
}
