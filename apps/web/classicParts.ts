import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Script } from 'node:vm'
import type { Plugin, Rolldown } from 'vite'
import { classicPart, moduleOfPart } from './classicPart.ts'
import { moduleFacts, type ModuleFacts } from './moduleFacts.ts'
import { isEditorPart } from './splitEditor.ts'

/** Chunks are named after what they are made of, and of ours that is this, too. */
const ownHash = ['classicPart.ts', 'moduleFacts.ts']
  .reduce((hash, file) => hash.update(readFileSync(new URL(file, import.meta.url))), createHash('sha256'))
  .digest('hex')

/** The path of the script that a chunk of the editor becomes, if it is one. */
export const scriptOfPart = (chunk: Rolldown.OutputChunk): string | undefined =>
  isEditorPart(chunk) ? chunk.fileName.replace(/\.js$/, '.part.js') : undefined

/**
 * Makes scripts of the large chunks of the editor, with a small module in the place of each: Chromium keeps what it has compiled of a script, and uses it on later visits;
 * modules it parses anew.
 */
export function classicParts(): Plugin {
  return {
    name: 'boxyard:classic-parts',
    apply: 'build',
    augmentChunkHash: (chunk) => (isEditorPart(chunk) ? ownHash : undefined),
    generateBundle: {
      // When Vite has filled in what dynamic imports need.
      order: 'post',
      handler(_options, bundle) {
        if (this.environment.name !== 'client') return
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const parts = new Set(chunks.filter(isEditorPart).map(({ fileName }) => fileName))
        if (parts.size === 0) throw new Error('The editor has no chunks of its own; see apps/web/splitEditor.ts')
        const facts = new Map<string, ModuleFacts>()
        const factsOf = (fileName: string) => {
          const known = facts.get(fileName) ?? moduleFacts((bundle[fileName] as Rolldown.OutputChunk).code)
          facts.set(fileName, known)
          return known
        }
        const fileNames = new Map(chunks.map(({ fileName }) => [basename(fileName), fileName]))
        const fileOf = (from: string) => fileNames.get(basename(from))!
        const changes = (from: string, imported: string) =>
          factsOf(fileOf(from)).exports.get(imported)?.changes ?? false
        // All of them are read before any is replaced.
        for (const { fileName, imports } of chunks) {
          if (parts.has(fileName)) for (const imported of imports) factsOf(imported)
          else if (imports.some((imported) => parts.has(imported)))
            refuseChanging(fileName, factsOf(fileName), { changes, isPart: (from) => parts.has(fileOf(from)) })
        }
        for (const fileName of parts) {
          const chunk = bundle[fileName] as Rolldown.OutputChunk
          const name = basename(fileName)
          const script = scriptOfPart(chunk)!
          const source = classicPart(chunk.code, name, factsOf(fileName), changes)
          // Reads it without running it: a page would only say that the part is missing.
          void new Script(source, { filename: script })
          this.emitFile({ type: 'asset', fileName: script, source })
          chunk.code = moduleOfPart(name, `./${basename(script)}`, factsOf(fileName), (from) => parts.has(fileOf(from)))
        }
      },
    },
  }
}

/** A module in place of a part can't tell of what changes in it. */
function refuseChanging(
  fileName: string,
  { imports }: ModuleFacts,
  { changes, isPart }: { changes: (from: string, imported: string) => boolean; isPart: (from: string) => boolean },
): void {
  for (const { from, names } of imports)
    for (const { imported } of names)
      if (isPart(from) && changes(from, imported))
        throw new Error(`${fileName} imports ${imported} of ${from}, which changes when it has run`)
}
