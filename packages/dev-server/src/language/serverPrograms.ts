import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { serverIds, type ServerId } from './languages.ts'

export interface ServerProgram {
  /** What node runs. */
  arguments: string[]
  /** What the server is initialized with, below what a client may choose. */
  initializationOptions: Record<string, unknown>
}

/**
 * What clients may choose. Everything else could name programs and files: of the servers, and through them of the box, for somebody who
 * may only read.
 */
const clientOptions = ['preferences', 'locale', 'handledSchemaProtocols', 'hostInfo'] as const

/** The language servers of this installation, from the folder that the build makes. One that is not there is not offered. */
export function findServerPrograms(folder: string): Map<ServerId, ServerProgram> {
  const programs = new Map<ServerId, ServerProgram>()
  for (const id of serverIds) {
    const path =
      id === 'typescript'
        ? join(folder, 'node_modules/typescript-language-server/lib/cli.mjs')
        : join(folder, 'servers', id, 'dist/server.cjs')
    if (!existsSync(path)) continue
    programs.set(id, {
      arguments: [path, '--stdio'],
      initializationOptions:
        id === 'typescript'
          ? {
              // The workspace's own version comes first.
              tsserver: { fallbackPath: join(folder, 'node_modules/typescript/lib') },
              // Packages come with the project, not behind its back.
              disableAutomaticTypingAcquisition: true,
            }
          : { provideFormatter: true, embeddedLanguages: { css: true, javascript: true } },
    })
  }
  return programs
}

/** Parameters of `initialize` for the process: it belongs to the dev server and to its workspace. */
export function initializeParams(program: ServerProgram, workspace: string, params: unknown): Record<string, unknown> {
  const given = isRecord(params) ? params : {}
  const options = isRecord(given['initializationOptions']) ? given['initializationOptions'] : {}
  const chosen = clientOptions.filter((name) => name in options).map((name) => [name, options[name]])
  const rootUri = fileUri(workspace)
  return {
    ...given,
    processId: process.pid,
    rootPath: workspace,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: 'workspace' }],
    initializationOptions: { ...Object.fromEntries(chosen), ...program.initializationOptions },
  }
}

/** What clients hear of a server: files are kept in step by the dev server, and whole documents are formatted, not parts. */
export function adjustedResult(result: unknown): unknown {
  if (!isRecord(result) || !isRecord(result['capabilities'])) return result
  const { capabilities } = result
  return {
    ...result,
    capabilities: { ...capabilities, textDocumentSync: 0, documentRangeFormattingProvider: false },
  }
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

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
