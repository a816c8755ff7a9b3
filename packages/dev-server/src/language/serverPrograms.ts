import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { serverIds, type ServerId } from '@boxyard/protocol'
import { typescriptParts, typescriptProgram } from './typescriptProgram.ts'

export interface ServerProgram {
  command: string
  arguments: string[]
  /** What the server is initialized with, below what a client may choose. */
  initializationOptions: Record<string, unknown>
  /** What the dev server does for it, whatever clients can. */
  capabilities?: Record<'workspace' | 'textDocument', Record<string, unknown>>
}

/**
 * What clients may choose. Everything else could name programs and files: of the servers, and through them of the box, for somebody who
 * may only read.
 */
const clientOptions = ['preferences', 'locale', 'handledSchemaProtocols', 'hostInfo'] as const

/**
 * The language servers of this installation, from the folder that the build makes: each is chosen whenever it starts. One that is not
 * there is not offered.
 */
export function findServerPrograms(folder: string, workspace: string): Map<ServerId, () => ServerProgram | undefined> {
  const programs = new Map<ServerId, () => ServerProgram | undefined>()
  for (const id of serverIds) {
    const choose = id === 'typescript' ? typescriptChoice(folder, workspace) : bundledChoice(folder, id)
    if (choose()) programs.set(id, choose)
  }
  return programs
}

function typescriptChoice(folder: string, workspace: string): () => ServerProgram | undefined {
  const parts = typescriptParts(folder)
  return () => typescriptProgram(parts, workspace)
}

function bundledChoice(folder: string, id: ServerId): () => ServerProgram | undefined {
  const path = join(folder, 'servers', id, 'dist/server.cjs')
  if (!existsSync(path)) return () => undefined
  const initializationOptions = { provideFormatter: true, embeddedLanguages: { css: true, javascript: true } }
  return () => ({ command: process.execPath, arguments: [path, '--stdio'], initializationOptions })
}

/** Parameters of `initialize` for the process: it belongs to the dev server and to its workspace. */
export function initializeParams(program: ServerProgram, workspace: string, params: unknown): Record<string, unknown> {
  const given = isRecord(params) ? params : {}
  const options = isRecord(given['initializationOptions']) ? given['initializationOptions'] : {}
  const chosen = clientOptions.filter((name) => name in options).map((name) => [name, options[name]])
  const capabilities = isRecord(given['capabilities']) ? given['capabilities'] : {}
  const { workspace: ofWorkspace, textDocument: ofTexts } = program.capabilities ?? {}
  const rootUri = fileUri(workspace)
  return {
    ...given,
    capabilities: {
      ...capabilities,
      workspace: { ...fields(capabilities['workspace']), ...ofWorkspace },
      textDocument: { ...fields(capabilities['textDocument']), ...ofTexts },
    },
    processId: process.pid,
    rootPath: workspace,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: 'workspace' }],
    initializationOptions: { ...Object.fromEntries(chosen), ...program.initializationOptions },
  }
}

/** What clients hear of a server: the dev server keeps files in step and asks for mistakes, and whole documents are formatted, not parts. */
export function adjustedResult(result: unknown): unknown {
  if (!isRecord(result) || !isRecord(result['capabilities'])) return result
  const { diagnosticProvider: _, ...capabilities } = result['capabilities']
  return { ...result, capabilities: { ...capabilities, textDocumentSync: 0, documentRangeFormattingProvider: false } }
}

export function fileUri(path: string): string {
  return `file://${path.split('/').map(encodeURIComponent).join('/')}`
}

/** The path of a `file:` address; undefined for any other. */
export function filePath(uri: unknown): string | undefined {
  if (typeof uri !== 'string' || !uri.startsWith('file:///')) return undefined
  try {
    const path = decodeURIComponent(new URL(uri).pathname)
    return path.includes('\0') ? undefined : path
  } catch {
    return undefined
  }
}

const fields = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
