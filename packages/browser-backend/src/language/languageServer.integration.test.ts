import { describe, expect, it, vi } from 'vitest'
import type * as lsp from 'vscode-languageserver-protocol'
import { LanguageServer } from './languageServer.ts'
import { libraries } from './libraries.ts'

const react = {
  'react/package.json': '{"name":"react","version":"19.0.0","types":"index.d.ts"}',
  'react/index.d.ts':
    'export function useState<S>(initial: S): [S, (next: S) => void]\nexport namespace JSX { interface IntrinsicElements { h1: { title?: string; children?: unknown } } interface ElementChildrenAttribute { children: object } }',
  'react/jsx-runtime.d.ts': "export { JSX } from './'\nexport function jsx(): void\nexport function jsxs(): void",
}
const project = {
  '/package.json': '{"dependencies":{"react":"19.0.0"}}',
  '/tsconfig.json':
    '{"compilerOptions":{"strict":true,"jsx":"react-jsx","moduleResolution":"bundler","module":"esnext","lib":["es2022","dom"]},"include":["src"]}',
  '/src/shape.ts':
    'export interface Shape { width: number; height: number }\nexport const unit: Shape = { width: 1, height: 1 }\n',
  '/src/App.tsx': `import { useState } from 'react'
import './App.css'
import logo from './logo.svg'
import { unit } from './shape'
export function App() {
  const [count, setCount] = useState<number>('one')
  return <h1 title={logo}>{count}{unit.width}</h1>
}
`,
}

async function start(files: Record<string, string> = project, loadTypes = async () => react as Record<string, string>) {
  const told = new Map<string, readonly lsp.Diagnostic[]>()
  const said: string[] = []
  const server = new LanguageServer({
    libraries,
    loadTypes,
    onNotification: (_method, params) => {
      const { uri, diagnostics } = params as lsp.PublishDiagnosticsParams
      told.set(uri, diagnostics)
    },
    onSaid: (_level, text) => said.push(text),
  })
  server.change(new Map(Object.entries(files)))
  await server.request('initialize', { capabilities: {} })
  const textOf = new Map(Object.entries(files))
  const edit = (path: string, text: string) => {
    textOf.set(path, text)
    server.change(new Map([[path, text]]))
  }
  /** What is asked at the place behind `before` in a file. */
  const at = (path: string, before: string) => {
    const text = textOf.get(path)!
    const lines = text.slice(0, text.indexOf(before) + before.length).split('\n')
    return {
      textDocument: { uri: `file:///nodebox${path}` },
      position: { line: lines.length - 1, character: lines.at(-1)!.length },
    }
  }
  const problems = (path: string) =>
    told.get(`file:///nodebox${path}`)?.map(({ code, range }) => [code, range.start.line]) ?? null
  return { server, said, edit, at, problems }
}

describe('languages', () => {
  it('BB700: tells what is wrong with the types of a text that is open, and that it is corrected', async () => {
    const { server, edit, problems } = await start()
    server.open(['/src/App.tsx'])
    await vi.waitFor(
      () =>
        expect(problems('/src/App.tsx')).toEqual([
          [2345, 5],
          [6133, 5],
        ]),
      { timeout: 60_000 },
    )
    edit('/src/App.tsx', project['/src/App.tsx'].replace("'one'", '1').replace('{count}', '{setCount(count)}'))
    await vi.waitFor(() => expect(problems('/src/App.tsx')).toEqual([]), { timeout: 60_000 })
  })

  it('BB701: offers members of packages and of other files, as they are edited', async () => {
    const { server, edit, at } = await start()
    const labels = async (place: object) =>
      ((await server.request('textDocument/completion', place)) as lsp.CompletionList).items.map(({ label }) => label)
    expect(await labels(at('/src/App.tsx', 'unit.'))).toEqual(expect.arrayContaining(['width', 'height']))
    edit('/src/shape.ts', project['/src/shape.ts'].replace('height: number', 'height: number; depth?: number'))
    expect(await labels(at('/src/App.tsx', 'unit.'))).toContain('depth?')
    expect(await labels(at('/src/App.tsx', 'import { use'))).toContain('useState')
  })

  it('BB702: leads to the place where something is made, in another file or in a package that can be read', async () => {
    const { server, at } = await start()
    const definition = async (place: object) =>
      (await server.request('textDocument/definition', place)) as lsp.LocationLink[]
    const [own] = await definition(at('/src/App.tsx', 'import { un'))
    expect(own).toMatchObject({
      targetUri: 'file:///nodebox/src/shape.ts',
      targetSelectionRange: { start: { line: 1 } },
    })
    const [packaged] = await definition(at('/src/App.tsx', '] = use'))
    expect(packaged?.targetUri).toBe('boxyard-package:/nodebox/node_modules/react/index.d.ts')
    expect(await server.request('workspace/textDocumentContent', { uri: packaged!.targetUri })).toEqual({
      text: react['react/index.d.ts'],
    })
    await expect(
      server.request('workspace/textDocumentContent', { uri: 'file:///nodebox/package.json' }),
    ).rejects.toThrow('is not there')
  })

  it('BB703: shows what something is, finds its uses, renames it everywhere', async () => {
    const { server, at } = await start()
    const hover = (await server.request('textDocument/hover', at('/src/App.tsx', '{un'))) as lsp.Hover
    expect(JSON.stringify(hover.contents)).toContain('Shape')
    const used = (await server.request('textDocument/references', {
      ...at('/src/shape.ts', 'const un'),
      context: { includeDeclaration: true },
    })) as lsp.Location[]
    expect(new Set(used.map(({ uri }) => uri))).toEqual(
      new Set(['file:///nodebox/src/shape.ts', 'file:///nodebox/src/App.tsx']),
    )
    const edit = (await server.request('textDocument/rename', {
      ...at('/src/shape.ts', 'const un'),
      newName: 'one',
    })) as lsp.WorkspaceEdit
    expect(JSON.stringify(edit)).toContain('file:///nodebox/src/App.tsx')
  })

  it('BB986: finds what the project makes by its name, and nothing of packages', async () => {
    const { server, edit } = await start()
    const named = async (query: string) =>
      ((await server.request('workspace/symbol', { query })) as lsp.WorkspaceSymbol[]).map(
        ({ name, location }) => `${name} ${location.uri}`,
      )
    expect(await named('unit')).toEqual(['unit file:///nodebox/src/shape.ts'])
    expect(await named('useState')).toEqual([])
    expect(await named('Array')).toEqual([])
    edit('/src/shape.ts', `${project['/src/shape.ts']}export class Circle {}\n`)
    expect(await named('circ')).toEqual(['Circle file:///nodebox/src/shape.ts'])
  })

  it('BB704: without the types of packages judges the syntax alone, says why, and asks again with package.json', async () => {
    let isAway = true
    const { server, said, edit, problems } = await start(project, async () => {
      if (isAway) throw new Error('The registry is away.')
      return react
    })
    server.open(['/src/App.tsx'])
    edit('/src/App.tsx', `${project['/src/App.tsx']}const = 1\n`)
    await vi.waitFor(() => expect(new Set(problems('/src/App.tsx')?.map(([code]) => code))).toEqual(new Set([1134])), {
      timeout: 60_000,
    })
    expect(said).toEqual([expect.stringContaining('The registry is away.')])
    isAway = false
    edit('/package.json', '{"dependencies":{"react":"^19.0.0"}}')
    await vi.waitFor(() => expect(problems('/src/App.tsx')).toContainEqual([2345, 5]), { timeout: 60_000 })
  })

  it('BB705: takes a project without settings as the preview does, and settings that only refer to others', async () => {
    const plain = await start({
      '/package.json': '{}',
      '/main.js': 'import { unit } from "./shape.js"\nimport text from "./x.txt?raw"\nunit.\n',
      '/shape.js': 'export const unit = { width: 1 }\n',
    })
    const { items } = (await plain.server.request(
      'textDocument/completion',
      plain.at('/main.js', 'unit.'),
    )) as lsp.CompletionList
    expect(items.map(({ label }) => label)).toContain('width')
    const referring = await start({
      '/package.json': '{}',
      '/tsconfig.json': '{"files":[],"references":[{"path":"./tsconfig.node.json"},{"path":"./tsconfig.app.json"}]}',
      '/tsconfig.node.json': '{"include":["vite.config.ts"]}',
      '/tsconfig.app.json': '{"compilerOptions":{"strict":true},"include":["src"]}',
      '/src/a.ts': 'export function of(x) { return x }\n',
    })
    referring.server.open(['/src/a.ts'])
    await vi.waitFor(() => expect(referring.problems('/src/a.ts')).toEqual([[7006, 0]]), { timeout: 60_000 })
  })

  it('BB706: refuses what it does not know', async () => {
    const { server } = await start()
    await expect(server.request('textDocument/unknown', {})).rejects.toMatchObject({ code: -32601 })
  })
})
