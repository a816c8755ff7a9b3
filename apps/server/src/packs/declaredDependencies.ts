import { z } from 'zod'

const ranges = z.record(z.string(), z.string()).optional().catch(undefined)
const manifestSchema = z.object({ dependencies: ranges, devDependencies: ranges, peerDependencies: ranges })

/** Ranges by package name, of the text of a package.json; none while somebody is in the middle of editing it. */
export function declaredDependencies(text: string): Readonly<Record<string, string>> {
  const read = manifestSchema.safeParse(parse(text))
  if (!read.success) return {}
  return { ...read.data.peerDependencies, ...read.data.devDependencies, ...read.data.dependencies }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
