import { VSBuffer } from '@codingame/monaco-vscode-api/vscode/vs/base/common/buffer'
import { URI } from '@codingame/monaco-vscode-api/vscode/vs/base/common/uri'
import { InMemoryFileSystemProvider } from '@codingame/monaco-vscode-api/vscode/vs/platform/files/common/inMemoryFilesystemProvider'
import { NullLogService } from '@codingame/monaco-vscode-api/vscode/vs/platform/log/common/log'
import { FileService } from '@codingame/monaco-vscode-files-service-override/vscode/vs/platform/files/common/fileService'
import { expect, it } from 'vitest'
import { settingsFiles } from './settingsFiles.ts'

const at = (path: string) => URI.from({ scheme: 'memory', path: `/user/${path}` })

/** The files of one browser. */
function browser() {
  const files = new FileService(new NullLogService())
  files.registerProvider('memory', new InMemoryFileSystemProvider())
  return {
    local: settingsFiles(files, {
      settingsResource: at('settings.json'),
      keybindingsResource: at('keybindings.json'),
      snippetsHome: at('snippets'),
    }),
    exists: (path: string) => files.exists(at(path)),
    put: (path: string, text: string) => files.writeFile(at(path), VSBuffer.fromString(text)),
    text: async (path: string) => (await files.readFile(at(path))).value.toString(),
  }
}

const SNIPPET = '{\n  // A greeting\n  "Greet": { "prefix": "greet", "body": ["Hello"] }\n}'

it('WB800: snippets of one browser are those of the next, a file as it is, and are removed with it', async () => {
  const [one, next] = [browser(), browser()]
  await one.put('snippets/html.json', SNIPPET)
  await one.put('snippets/ours.code-snippets', '{}')
  await one.put('snippets/notes.txt', 'no snippet')
  const kept = await one.local.read()
  expect([...kept.keys()]).toEqual(['snippets/html.json', 'snippets/ours.code-snippets'])
  expect([...kept.keys()].every((key) => one.local.owns(key))).toBe(true)
  await next.local.write(kept, new Map())
  expect(await next.text('snippets/html.json')).toBe(SNIPPET)
  expect(await next.local.read()).toEqual(kept)
  await next.local.write(new Map([['snippets/html.json', undefined]]), kept)
  expect(await next.exists('snippets/html.json')).toBe(false)
  expect(await next.exists('snippets/ours.code-snippets')).toBe(true)
})

it('WB800: what was changed meanwhile stays, and no name leads out of the folder of the snippets', async () => {
  const { local, put, text } = browser()
  await put('snippets/html.json', 'mine')
  await local.write(new Map([['snippets/html.json', '"theirs"']]), new Map([['snippets/html.json', '"older"']]))
  expect(await text('snippets/html.json')).toBe('mine')
  expect(local.owns('snippets/../settings.json')).toBe(false)
  expect(local.owns('snippets/inner/html.json')).toBe(false)
})
