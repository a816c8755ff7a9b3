import { z } from 'zod'

export type Dependencies = Readonly<Record<string, string>>

const dependencies = z.record(z.string(), z.string()).optional().catch({})
const manifestSchema = z.object({
  scripts: z.record(z.string(), z.string()).default({}).catch({}),
  dependencies,
  devDependencies: dependencies,
})
export type ProjectManifest = z.infer<typeof manifestSchema>

const ranges = z.record(z.string(), z.string()).default({})
const declaredSchema = z.object({ dependencies: ranges, devDependencies: ranges, peerDependencies: ranges })

/** Scripts that start what a person wants to see, the first one first. */
export const STARTS = ['dev', 'start'] as const
/** What starts a program of Node, and not what compiles for browsers. */
const STARTS_NODE = /^(?:\w+=\S+\s+)*(?:node|nodemon|tsx)\s/

export const startsNode = (command: string): boolean => STARTS_NODE.test(command)

/** What a package.json says about programs; nothing while somebody is in the middle of editing it. */
export function readManifest(text: string): ProjectManifest {
  const parsed = manifestSchema.safeParse(parse(text) ?? {})
  return parsed.success ? parsed.data : { scripts: {} }
}

/** The script that starts the server of a project by itself, unless the project has a page. */
export function serverScriptOf({ scripts }: ProjectManifest): string | undefined {
  return STARTS.find((name) => startsNode(scripts[name] ?? ''))
}

/** What a program finds in node_modules; null without dependencies. */
export function sourcesOf(manifest: ProjectManifest): Dependencies | null {
  const all = { ...manifest.devDependencies, ...manifest.dependencies }
  return Object.keys(all).length === 0 ? null : all
}

/** The packages whose declarations a compiler reads; undefined for what is no package.json. */
export function declaredDependencies(text: string): Dependencies | undefined {
  const parsed = declaredSchema.safeParse(parse(text))
  if (!parsed.success) return undefined
  return { ...parsed.data.peerDependencies, ...parsed.data.devDependencies, ...parsed.data.dependencies }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
