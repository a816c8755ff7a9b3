import { VSBuffer } from '@codingame/monaco-vscode-api/vscode/vs/base/common/buffer'
import {
  FileOperationError,
  FileOperationResult,
} from '@codingame/monaco-vscode-api/vscode/vs/platform/files/common/files'
import type { IFileService } from '@codingame/monaco-vscode-api/vscode/vs/platform/files/common/files.service'
import type { IUserDataProfile } from '@codingame/monaco-vscode-api/vscode/vs/platform/userDataProfile/common/userDataProfile'
import type { Uri } from 'monaco-editor'
import { settingsIn, withSettings } from './settingsText.ts'
import type { LocalSettings } from './settingsSync.ts'

const SETTING = 'setting/'
const KEY_BINDINGS = 'keybindings'
const SNIPPETS = 'snippets/'

export interface SettingsFiles extends LocalSettings {
  onDidChange(listener: () => void): void
}

/** The settings, key bindings and snippets of the editor: files in the browser, the settings one key each, the others one key a file. */
export function settingsFiles(
  files: IFileService,
  {
    settingsResource,
    keybindingsResource,
    snippetsHome,
  }: Pick<IUserDataProfile, 'settingsResource' | 'keybindingsResource' | 'snippetsHome'>,
): SettingsFiles {
  const read = async (file: Uri): Promise<string | undefined> => {
    try {
      return (await files.readFile(file)).value.toString()
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }
  const write = async (file: Uri, text: string | undefined) => {
    if (text !== undefined) await files.writeFile(file, VSBuffer.fromString(text))
    else if (await files.exists(file)) await files.del(file)
  }
  const snippetFiles = async (): Promise<Uri[]> => {
    if (!(await files.exists(snippetsHome))) return []
    const { children = [] } = await files.resolve(snippetsHome)
    return children.filter(({ isFile }) => isFile).map(({ resource }) => resource)
  }
  const fileOf = (key: string): Uri =>
    key === KEY_BINDINGS
      ? keybindingsResource
      : snippetsHome.with({ path: `${snippetsHome.path}/${key.slice(SNIPPETS.length)}` })
  const readSettings = async () => {
    const text = (await read(settingsResource)) ?? ''
    const settings = settingsIn(text)
    // To take it for empty would remove everything everywhere.
    if (!settings) throw new Error('The file with your settings is not well-formed. Mend it to have them kept again.')
    return { text, settings }
  }

  const values = async (): Promise<Map<string, string>> => {
    const { settings } = await readSettings()
    const found = new Map([...settings].map(([name, json]) => [SETTING + name, json]))
    const bindings = await read(keybindingsResource)
    if (bindings !== undefined && bindings.trim() !== '') found.set(KEY_BINDINGS, JSON.stringify(bindings))
    for (const file of await snippetFiles()) {
      const text = await read(file)
      const key = SNIPPETS + file.path.slice(file.path.lastIndexOf('/') + 1)
      if (text !== undefined && isSnippet(key)) found.set(key, JSON.stringify(text))
    }
    return found
  }
  return {
    owns: (key) => key.startsWith(SETTING) || key === KEY_BINDINGS || isSnippet(key),
    read: values,
    async write(changes, known) {
      const present = await values()
      const wanted = [...changes].filter(([key]) => present.get(key) === known.get(key))
      const changed = new Map(
        wanted.filter(([key]) => key.startsWith(SETTING)).map(([key, value]) => [key.slice(SETTING.length), value]),
      )
      if (changed.size > 0) {
        const { text } = await readSettings()
        await write(settingsResource, withSettings(text, changed))
      }
      for (const [key, value] of wanted) {
        if (key.startsWith(SETTING)) continue
        await write(fileOf(key), value === undefined ? undefined : (JSON.parse(value) as string))
      }
    },
    onDidChange(listener) {
      files.watch(settingsResource)
      files.watch(keybindingsResource)
      files.watch(snippetsHome)
      files.onDidFilesChange((event) => {
        if ([settingsResource, keybindingsResource, snippetsHome].some((one) => event.affects(one))) listener()
      })
    },
  }
}

/** A name that stays in its folder. */
function isSnippet(key: string): boolean {
  return key.startsWith(SNIPPETS) && /^[^/\\]+\.(?:json|code-snippets)$/.test(key.slice(SNIPPETS.length))
}

function isMissing(error: unknown): boolean {
  return error instanceof FileOperationError && error.fileOperationResult === FileOperationResult.FILE_NOT_FOUND
}
