import { DevServerClient, type TextFile } from '@boxyard/dev-server-client'
import { openLightEditor, openWorkbench, type ColorScheme, type LightLayout } from '../src/index.ts'
import { editor } from 'monaco-editor'
import { MemoryDevServer } from './memoryDevServer.ts'

const parameters = new URLSearchParams(location.search)
/** Address and token of a real dev server to use instead of the one in memory. */
const address = parameters.get('server')
const token = parameters.get('token') ?? ''
const WORKSPACE = parameters.get('workspace') ?? '/project/workspace'
const FILES = {
  'README.md':
    '# Playground\n\nThis box lives in the page. Everything is real but the box.\n\n- `src/App.tsx` is the app\n',
  'package.json': '{\n  "name": "playground",\n  "private": true\n}\n',
  'src/App.tsx':
    "import { greeting } from './greeting'\n\n/** The whole app. */\nexport function App({ name = 'world' }: { name?: string }) {\n  const count: number = 42\n  return (\n    <h1 className=\"title\">\n      {greeting(name)} {count}\n    </h1>\n  )\n}\n",
  'src/greeting.ts': 'export function greeting(name: string): string {\n  return `Hello ${name}`\n}\n',
  'src/style.css': '.title {\n  color: rebeccapurple;\n}\n',
}
const server = new MemoryDevServer(WORKSPACE, FILES, {
  losingAt: parameters.getAll('lose'),
  holding: parameters.getAll('hold'),
  isRepository: parameters.has('git'),
})
server.refusesShells = parameters.has('refuse-shells')
server.mayCreateShells = !parameters.has('no-shells')
for (const name of parameters.getAll('refuse')) server.refusedNames.add(name)
if (parameters.has('dev-container')) server.makeDevContainer()

function client(name: string, color: string): DevServerClient {
  return new DevServerClient({
    appId: 'playground',
    resolveInstance: async () => ({
      id: 'memory',
      url: address ?? 'ws://memory/',
      token,
      workspacePath: WORKSPACE,
      bootType: 'RUNNING',
    }),
    createSocket: (url) =>
      address === null
        ? server.connect({ name, color, access: name === 'Ada' && parameters.has('readonly') ? 'read' : 'write' })
        : new WebSocket(url),
  })
}

const ada = client('Ada', '#F2A33A')
const grace = client('Grace', '#84B2FD')
await Promise.all([ada.connect(), grace.connect()])
const element = document.querySelector<HTMLElement>('#workbench')
if (!element) throw new Error('There is no #workbench')

const given = {
  element,
  client: ada,
  project: {
    id: parameters.get('id') ?? 'playground',
    title: 'Playground',
    kind: 'devbox' as const,
    workspacePath: WORKSPACE,
  },
  previewUrl: async () => `${location.origin}/preview.html`,
  colorScheme: (parameters.get('scheme') ?? 'dark') as ColorScheme,
  canWrite: !parameters.has('readonly'),
  onReady: () => performance.mark('workbench-ready'),
}
const openWorkbenchPage = () => {
  const address = new URL(location.href)
  address.searchParams.delete('mode')
  location.assign(address)
}
const isLight = parameters.get('mode') === 'integrated'
const workbench = await (isLight
  ? openLightEditor({
      ...given,
      layout: (parameters.get('layout') ?? 'split') as LightLayout,
      openWorkbench: openWorkbenchPage,
    })
  : openWorkbench({
      ...given,
      mayDownload: true,
      vsCodeServer: {
        isWanted: () => false,
        setWanted: () => undefined,
        start: async () => ({ result: 'error', error: 'This box has none' }),
      },
    }))

// It is made with parts of the workbench alone.
if (!isLight) (await import('./contributeAi.ts')).contributeAi()

/** The files of the other person, opened once each. */
const others = new Map<string, Promise<TextFile>>()
function other(path: string): Promise<TextFile> {
  const known = others.get(path)
  if (known) return known
  const opening = grace.files.open(path).then((file) => {
    if (file.kind === 'binary') throw new Error(`${path} is binary`)
    return file
  })
  others.set(path, opening)
  return opening
}

function model(path: string): editor.ITextModel {
  const found = editor.getModels().find(({ uri }) => uri.path === path)
  if (!found) throw new Error(`${path} is not open`)
  return found
}

/** What the tests reach through the page. */
const playground = {
  workbench,
  server,
  isShown: (path: string) =>
    server.isOpenBy(path, 'Ada') && editor.getEditors().some((one) => one.getModel()?.uri.path === path),
  modelText: (path: string) => model(path).getValue(),
  remoteEdit: async (path: string, at: number, inserted: string, removed: number) => {
    const file = await other(path)
    const operation = [at, inserted, -removed, file.text.length - at - removed].filter(
      (part) => part !== 0 && part !== '',
    )
    file.edit(operation, {})
    while (file.syncState !== 'SYNCED') await new Promise<void>((resolve) => void file.onDidChangeSync(() => resolve()))
  },
  remoteSelect: async (path: string, anchor: number, head: number) =>
    (await other(path)).setSelection([{ anchor, head }]),
  remoteRename: async (from: string, to: string) => {
    const shell = grace.shells.all.find(({ name }) => name === from)
    if (!shell) throw new Error(`No shell is called ${from}`)
    await grace.shells.rename(shell.shellId, to)
  },
  remoteSave: async (path: string) => (await other(path)).save(),
}

declare global {
  interface Window {
    playground: typeof playground
  }
}
window.playground = playground
