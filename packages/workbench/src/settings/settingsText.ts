import { parse, type ParseError } from '@codingame/monaco-vscode-api/vscode/vs/base/common/json'
import { applyEdits, setProperty } from '@codingame/monaco-vscode-api/vscode/vs/base/common/jsonEdit'

const formatting = { insertSpaces: true, tabSize: 4, eol: '\n' }

/** The settings in a settings file, as JSON by name; undefined while it is not well-formed, as when somebody is just typing into it. */
export function settingsIn(text: string): ReadonlyMap<string, string> | undefined {
  if (text.trim() === '') return new Map()
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  if (errors.length > 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return new Map(Object.entries(value).map(([name, setting]) => [name, JSON.stringify(setting)]))
}

/** The file with some settings changed, or removed (undefined); its comments and its order stay. */
export function withSettings(text: string, changes: ReadonlyMap<string, string | undefined>): string {
  let changed = text.trim() === '' ? '{}' : text
  for (const [name, json] of changes) {
    const value: unknown = json === undefined ? undefined : JSON.parse(json)
    changed = applyEdits(changed, setProperty(changed, [name], value, formatting))
  }
  return changed
}
