import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import type { ServerProgram } from './serverPrograms.ts'

/** From this version on TypeScript is its own language server, a program of the machine ([ADR 70](../../../../docs/adr/0070-typescript-speaks-for-itself.md)). */
const FIRST_NATIVE = 7
const platformPackage = `@typescript/typescript-${process.platform}-${process.arch}`

/** Where this installation has what it brings for TypeScript. */
export interface TypescriptParts {
  /** The newest TypeScript. */
  native: string
  /** What speaks with versions that are no language servers. */
  relay: string
}

export function typescriptParts(folder: string): TypescriptParts {
  return {
    native: join(folder, 'node_modules', platformPackage, 'lib/tsc'),
    relay: join(folder, 'node_modules/typescript-language-server/lib/cli.mjs'),
  }
}

/** The language server of the TypeScript that a workspace has; for a workspace without one, of ours. Undefined when neither is there. */
export function typescriptProgram({ native, relay }: TypescriptParts, workspace: string): ServerProgram | undefined {
  const manifest = join(workspace, 'node_modules/typescript/package.json')
  const major = majorVersion(manifest)
  if (major !== undefined && major < FIRST_NATIVE && existsSync(relay)) {
    return {
      command: process.execPath,
      arguments: [relay, '--stdio'],
      // Packages come with the project, not behind its back.
      initializationOptions: { disableAutomaticTypingAcquisition: true },
    }
  }
  const found = [major === undefined ? undefined : nativeOf(manifest), native].find((path) => path && existsSync(path))
  if (found === undefined) return undefined
  return {
    command: found,
    arguments: ['--lsp', '--stdio'],
    initializationOptions: {},
    // It neither looks at the disk nor tells of mistakes by itself.
    capabilities: {
      workspace: { didChangeWatchedFiles: { dynamicRegistration: true }, diagnostics: { refreshSupport: true } },
      textDocument: { diagnostic: { dynamicRegistration: false } },
    },
  }
}

function majorVersion(manifest: string): number | undefined {
  try {
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(manifest, 'utf8')))
    const major = Number.parseInt(version, 10)
    return Number.isNaN(major) ? undefined : major
  } catch {
    // It is not installed, or just being installed.
    return undefined
  }
}

/** Package managers put it beside the package that needs it, which may be elsewhere than it looks. */
function nativeOf(manifest: string): string | undefined {
  try {
    const require = createRequire(realpathSync(manifest))
    return join(require.resolve(`${platformPackage}/package.json`), '../lib/tsc')
  } catch {
    // It was installed for another platform, or without its optional parts.
    return undefined
  }
}
