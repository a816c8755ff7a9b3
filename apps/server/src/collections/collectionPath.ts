import { hasInvisible } from '@boxyard/api'
import { z } from 'zod'

const LONGEST = 500
const MOST_LEVELS = 20

/** The path of a folder, normalized: `/` is the root, `/apps/web` a folder in a folder. */
export const collectionPathSchema = z
  .string()
  .max(LONGEST, `At most ${LONGEST} characters.`)
  .transform((path, context) => {
    const names = path
      .normalize('NFC')
      .split('/')
      .map((name) => name.trim())
      .filter((name) => name !== '')
    const problem = names.some((name) => name === '.' || name === '..')
      ? 'A folder can not be called . or ..'
      : names.some((name) => name.length > 100)
        ? 'The name of a folder has at most 100 characters.'
        : names.length > MOST_LEVELS
          ? `Folders go ${MOST_LEVELS} levels deep.`
          : hasInvisible(path)
            ? 'Leave out characters that can not be seen.'
            : null
    if (problem !== null) {
      context.addIssue({ code: 'custom', message: problem })
      return z.NEVER
    }
    return `/${names.join('/')}`
  })

/** The folders above a folder, the root first: `/`, `/apps` for `/apps/web`. */
export function ancestorsOf(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '')
  return names.map((_, index) => `/${names.slice(0, index).join('/')}`)
}
