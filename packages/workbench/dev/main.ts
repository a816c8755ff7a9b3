import { FileSystem } from '../src/files/fileSystem.ts'
import { start } from '../src/startup/start.ts'
import { TerminalBackend } from '../src/terminal/terminalBackend.ts'
import { MemoryFiles } from './memoryFiles.ts'

const element = document.querySelector<HTMLElement>('#workbench')
if (!element) throw new Error('no #workbench')
const files = new MemoryFiles({
  '/project/workspace/README.md': '# Playground\n\nSome text.\n',
  '/project/workspace/package.json': '{\n  "name": "playground"\n}\n',
  '/project/workspace/src/App.tsx': 'export function App() {\n  const name: string = "world"\n  return <h1>Hello {name}</h1>\n}\n',
})
await start({
  element,
  workspacePath: '/project/workspace',
  title: 'Playground',
  colorScheme: 'dark',
  files: new FileSystem(files, { readonly: false, boundFile: () => undefined }),
  terminals: new TerminalBackend({
    shells: {
      list: async () => [],
      create: async () => Promise.reject(new Error('no shells here')),
      open: async () => Promise.reject(new Error('no shells here')),
    },
    cwd: '/project/workspace',
    canWrite: true,
  }),
  defaultLayout: undefined,
  windowIndicator: undefined,
})
