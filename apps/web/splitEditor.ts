import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** The module that the workbench is reached by. */
const editor = fileURLToPath(new URL('../../packages/workbench/src/open.ts', import.meta.url))

/** The module that the light editor is reached by: what it shares with the workbench is apart, so that it brings nothing else of it. */
const light = fileURLToPath(new URL('../../packages/workbench/src/light/openLight.ts', import.meta.url))

/** What is loaded before the editor and shared with it stays where it is. */
const pages = [
  fileURLToPath(new URL('src/main.tsx', import.meta.url)),
  fileURLToPath(new URL('src/embed/main.ts', import.meta.url)),
  fileURLToPath(new URL('src/embed/CodeEditor.ts', import.meta.url)),
  fileURLToPath(new URL('src/editor/editorParts.ts', import.meta.url)),
  fileURLToPath(new URL('src/editor/firstText/start.ts', import.meta.url)),
]

/** A browser parses each file in a thread of its own; more files than that only cost bytes. */
const SHARED_PARTS = 2
const OWN_PARTS = 2

/** What `chunksOf` calls them. */
const PART_NAME = /^(?:editor|workbench)\d+$/

export interface ModuleOfGraph {
  /** Characters. */
  size: number
  /** What it imports statically, in order. */
  imports: readonly string[]
}

/**
 * Cuts modules into parts of about the same size, each of which imports earlier parts only: in the order in which they run, and never through
 * a circle of imports. So every one of them runs in the order it would run in without parts.
 */
export function partsByOrder(
  order: readonly string[],
  { graph, parts }: { graph: (id: string) => ModuleOfGraph | undefined; parts: number },
): Map<string, number> {
  const places = new Map(order.map((id, place) => [id, place]))
  // A circle goes from its earliest to its latest module; no part may end in between.
  const opened = new Int32Array(order.length + 1)
  let total = 0
  for (const [place, id] of order.entries()) {
    const { size, imports } = graph(id)!
    total += size
    for (const imported of imports) {
      const to = places.get(imported)
      if (to === undefined || to <= place) continue
      opened[place]! += 1
      opened[to]! -= 1
    }
  }
  const partOf = new Map<string, number>()
  let part = 0
  let passed = 0
  let open = 0
  for (const [place, id] of order.entries()) {
    partOf.set(id, part)
    passed += graph(id)!.size
    open += opened[place]!
    if (open === 0 && part < parts - 1 && passed >= ((part + 1) * total) / parts) part += 1
  }
  return partOf
}

/** Everything that the entries import statically, in the order in which it runs. */
export function reachedFrom(
  entries: readonly string[],
  graph: (id: string) => ModuleOfGraph | undefined,
  without: ReadonlySet<string> = new Set(),
): Set<string> {
  const entered = new Set<string>()
  const run = new Set<string>()
  // No recursion: chains of imports are longer than the stack is deep.
  const path = entries.toReversed().map((id) => ({ id, next: 0 }))
  while (path.length > 0) {
    const at = path.at(-1)!
    const module = without.has(at.id) ? undefined : graph(at.id)
    if (!module || (at.next === 0 && entered.has(at.id))) {
      path.pop()
      continue
    }
    entered.add(at.id)
    const imported = module.imports[at.next]
    at.next += 1
    if (imported === undefined) {
      run.add(at.id)
      path.pop()
    } else if (!entered.has(imported)) path.push({ id: imported, next: 0 })
  }
  return run
}

/** The names of the chunks of the modules that several chunks are made of: those of both editors, and those of the workbench alone. */
export function chunksOf(
  [workbench, lightEditor]: readonly [string, string],
  graph: (id: string) => ModuleOfGraph | undefined,
  without: ReadonlySet<string>,
): Map<string, string> {
  const order = [...reachedFrom([workbench], graph, without)]
  const ofLight = reachedFrom([lightEditor], graph, without)
  // What the light editor shares is complete: nothing in it imports what the workbench has alone.
  const shared = partsByOrder(
    order.filter((id) => ofLight.has(id)),
    { graph, parts: SHARED_PARTS },
  )
  const own = partsByOrder(
    order.filter((id) => !ofLight.has(id)),
    { graph, parts: OWN_PARTS },
  )
  const chunks = new Map<string, string>()
  for (const [id, part] of shared) chunks.set(id, `editor${part + 1}`)
  // The last part is the chunk that the workbench is imported by.
  for (const [id, part] of own) if (part < OWN_PARTS - 1) chunks.set(id, `workbench${part + 1}`)
  return chunks
}

/** Whether a chunk is one of those that the editor is cut into, or the last part: the one that the workbench is imported by. */
export const isEditorPart = ({ name, moduleIds }: { name: string; moduleIds: readonly string[] }): boolean =>
  PART_NAME.test(name) || moduleIds.includes(editor)

/** Gives the editor several chunks in place of one, so that the browser parses them side by side. */
export function splitEditor(): Plugin {
  let chunks: Map<string, string> | undefined
  return {
    name: 'boxyard:split-editor',
    apply: 'build',
    buildStart() {
      chunks = undefined
    },
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                {
                  includeDependenciesRecursively: false,
                  name(id, context) {
                    if (!chunks) {
                      const graph = (id: string): ModuleOfGraph | undefined => {
                        const info = context.getModuleInfo(id)
                        return info && !info.isExternal
                          ? { size: info.code?.length ?? 0, imports: info.importedIds }
                          : undefined
                      }
                      for (const entry of [editor, light]) {
                        if (!graph(entry))
                          throw new Error(`${entry} is not part of the build; see apps/web/splitEditor.ts`)
                      }
                      chunks = chunksOf([editor, light], graph, reachedFrom(pages, graph))
                    }
                    // Our own modules are left to the bundler: nothing of the parts imports them, and what of them another chunk has is
                    // known only when unused exports are gone.
                    return id.includes('/node_modules/') ? (chunks.get(id) ?? null) : null
                  },
                },
              ],
            },
          },
        },
      },
    }),
  }
}
