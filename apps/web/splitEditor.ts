import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** The module that the workbench is reached by. */
const editor = fileURLToPath(new URL('../../packages/workbench/src/open.ts', import.meta.url))

/** What is loaded before the editor and shared with it stays where it is. */
const pages = [
  fileURLToPath(new URL('src/main.tsx', import.meta.url)),
  fileURLToPath(new URL('src/embed/main.ts', import.meta.url)),
  fileURLToPath(new URL('src/embed/CodeEditor.ts', import.meta.url)),
  fileURLToPath(new URL('src/editor/editorParts.ts', import.meta.url)),
  fileURLToPath(new URL('src/editor/firstText/start.ts', import.meta.url)),
]

/** A browser parses each file in a thread of its own; more files than that only cost bytes. */
const PARTS = 4

export interface ModuleOfGraph {
  /** Characters. */
  size: number
  /** What it imports statically, in order. */
  imports: readonly string[]
}

/**
 * Cuts the modules that `entry` needs into parts of about the same size, each of which imports earlier parts only: in the order in
 * which they run, and never through a circle of imports. So every module runs in the order it would run in without parts.
 */
export function partsByOrder(
  entry: string,
  {
    graph,
    without,
    parts,
  }: { graph: (id: string) => ModuleOfGraph | undefined; without: ReadonlySet<string>; parts: number },
): Map<string, number> {
  const order = [...reachedFrom([entry], graph, without)]
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
function reachedFrom(
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

/** Gives the editor several chunks in place of one, so that the browser parses them side by side. */
export function splitEditor(): Plugin {
  let partOf: Map<string, number> | undefined
  return {
    name: 'boxyard:split-editor',
    apply: 'build',
    buildStart() {
      partOf = undefined
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
                    if (!partOf) {
                      const graph = (id: string): ModuleOfGraph | undefined => {
                        const info = context.getModuleInfo(id)
                        return info && !info.isExternal
                          ? { size: info.code?.length ?? 0, imports: info.importedIds }
                          : undefined
                      }
                      if (!graph(editor))
                        throw new Error(`${editor} is not part of the build; see apps/web/splitEditor.ts`)
                      partOf = partsByOrder(editor, { graph, without: reachedFrom(pages, graph), parts: PARTS })
                    }
                    // The last part is the chunk that the editor is imported by. Our own modules are in it too: nothing of the other parts
                    // imports them, and what of them another chunk has is known only when unused exports are gone.
                    const part = id.includes('/node_modules/') ? partOf.get(id) : undefined
                    return part === undefined || part === PARTS - 1 ? null : `editor${part + 1}`
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
