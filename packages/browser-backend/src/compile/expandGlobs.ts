import { folderOf, joinPath, normalizePath } from '../common/projectFiles.ts'

const CALL =
  /import\.meta\.glob(?:<[^()]*?>)?\(\s*(\[[^\]]*\]|'[^']*'|"[^"]*"|`[^`]*`)\s*(?:,\s*(\{[^}]*\})\s*)?,?\s*\)/g

/**
 * Writes out `import.meta.glob(...)` calls with plain texts as patterns: an object of the project's files that match, each imported when
 * it is asked for, or at once with `eager`.
 */
export function expandGlobs(id: string, text: string, paths: readonly string[]): string {
  if (!text.includes('import.meta.glob')) return text
  const imports: string[] = []
  const expanded = text.replace(CALL, (_, patterns: string, options: string | undefined) => {
    const matchers = [...patterns.matchAll(/(['"`])(.*?)\1/g)].map((match) => matcherOf(match[2]!, id))
    const isEager = /\beager\s*:\s*true/.test(options ?? '')
    const picked = /\bimport\s*:\s*['"]([\w$]+)['"]/.exec(options ?? '')?.[1]
    const query = /\bquery\s*:\s*['"](\??[\w=&]+)['"]/.exec(options ?? '')?.[1]
    const found = paths.filter(
      (path) =>
        path !== id &&
        matchers.some(({ test, isNot }) => !isNot && test(path)) &&
        !matchers.some(({ test, isNot }) => isNot && test(path)),
    )
    const members = found.map((path) => {
      const specifier = JSON.stringify(path + (query === undefined ? '' : `?${query.replace('?', '')}`))
      const key = JSON.stringify(matchers[0]?.isRelative ? relativeTo(folderOf(id), path) : path)
      if (isEager) {
        const name = `__glob_${imports.length}`
        imports.push(`import * as ${name} from ${specifier};`)
        return `${key}: ${name}${picked === undefined ? '' : `[${JSON.stringify(picked)}]`}`
      }
      const pick = picked === undefined ? '' : `.then((module) => module[${JSON.stringify(picked)}])`
      return `${key}: () => import(${specifier})${pick}`
    })
    return `({${members.join(', ')}})`
  })
  // On the first line, so that the lines of the file keep their numbers.
  return imports.join('') + expanded
}

function matcherOf(pattern: string, id: string) {
  const isNot = pattern.startsWith('!')
  const plain = isNot ? pattern.slice(1) : pattern
  const isRelative = plain.startsWith('.')
  const absolute = isRelative ? joinPath(folderOf(id), plain) : normalizePath(plain)
  const expression = absolute
    .replace(/[.+^$()|[\]\\]/g, '\\$&')
    .replace(/\{([^}]*)\}/g, (_, choices: string) => `(?:${choices.split(',').join('|')})`)
    .replace(/\/\*\*\//g, '/(?:.*/)?')
    .replace(/\*\*/g, '.*')
    .replace(/(?<![.)])\*/g, '[^/]*')
    .replace(/(?<!\()\?(?!:)/g, (mark, offset: number, whole: string) => (whole[offset - 1] === ')' ? mark : '[^/]'))
  const test = new RegExp(`^${expression}$`)
  return { isNot, isRelative, test: (path: string) => test.test(path) }
}

function relativeTo(folder: string, path: string): string {
  const from = folder.split('/').filter(Boolean)
  const to = path.split('/').filter(Boolean)
  let shared = 0
  while (shared < from.length && from[shared] === to[shared]) shared += 1
  const up = from.length - shared
  return `${up === 0 ? './' : '../'.repeat(up)}${to.slice(shared).join('/')}`
}
