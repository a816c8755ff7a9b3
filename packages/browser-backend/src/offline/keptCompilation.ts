import type { CompilationStore } from '../compile/compilation.ts'
import { cachesOfBrowser, keptAnswersOf } from './keptAnswers.ts'

/** Below the sandbox at the API, where the server has nothing. */
const NAME = 'compilation'

/** What a sandbox was compiled to, in this browser, by a compiler of this name. `api`: address of the sandbox at the API. */
export function keptCompilation(api: string, compiler: string): CompilationStore | null {
  const answers = keptAnswersOf(api)
  if (!answers) return null
  const address = `${api}/${NAME}`
  return {
    async read() {
      try {
        const kept = (await answers.read(address)) as { compiler: unknown; compilation: unknown } | undefined
        return kept?.compiler === compiler ? kept.compilation : undefined
      } catch (error) {
        console.warn('What was compiled on the last visit could not be read', error)
        return undefined
      }
    },
    async write(compilation) {
      answers.write(address, { compiler, compilation })
      await answers.settled
    },
  }
}

/** Whether there is one, perhaps of another compiler. */
export async function hasKeptCompilation(api: string): Promise<boolean> {
  try {
    return (await cachesOfBrowser()?.match(`${api}/${NAME}`)) !== undefined
  } catch {
    // A browser that keeps nothing refuses to look.
    return false
  }
}
