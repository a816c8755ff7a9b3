import type { ProjectFiles } from '../common/projectFiles.ts'
import { CompileError } from './errors.ts'

/** What a file of settings holds; undefined when it is not there. */
export function readJson(path: string, files: ProjectFiles): unknown {
  const text = files.get(path)
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(withoutComments(text))
  } catch (cause) {
    throw new CompileError({ message: `${path.slice(1)} is not valid JSON: ${(cause as Error).message}`, file: path })
  }
}

/** JSON as people write it in settings: with comments and commas at the end. */
function withoutComments(text: string): string {
  return text.replace(
    /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=\s*(?:(?:\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)\s*)*[}\]])/g,
    (_, string: string | undefined) => string ?? '',
  )
}
