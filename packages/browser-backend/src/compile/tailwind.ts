import { stylePart } from '../common/stylePart.ts'
import { folderOf, joinPath } from '../common/projectFiles.ts'
import type { ProjectFiles } from '../common/projectFiles.ts'
import { CompileError } from './errors.ts'

/** What plain CSS does not have, and Tailwind CSS gives a meaning. */
const MARKS =
  /@import\s+(?:url\(\s*)?["']tailwindcss(?:\/|["'])|@(?:tailwind|theme|apply|utility|reference|plugin|config|custom-variant|variant|source)\b|--(?:spacing|alpha)\(/
const IMPORT = /@(?:import|reference)\s+(?:url\(\s*)?["']([^"']+)["']/g
const PLUGIN = /@plugin\s+["']([^"']+)["']/g
/** Its compiler up to version 3 reads files and settings as a program of Node does. */
const OLD = /^[\^~=v]*\s*[0-3](?:\.|$)/

/** Whether the style sheet is one for Tailwind CSS. Throws for a version that only a machine can run. */
export function usesTailwind(path: string, text: string, dependencies: Readonly<Record<string, string>>): boolean {
  const range = dependencies['tailwindcss']
  if (range === undefined || !MARKS.test(text)) return false
  if (!OLD.test(range)) return true
  throw new CompileError({
    message: `Tailwind CSS ${range} can not run in the browser, version 4 can. Change the version in package.json, or convert the sandbox to a devbox.`,
    file: path,
  })
}

/** The style sheets and plug-ins of packages that a style sheet is made of, with those that it imports from the project. */
export function packagesOfTailwind(path: string, text: string, files: ProjectFiles): string[] {
  const found = new Set<string>()
  const seen = new Set<string>()
  const read = (from: string, content: string) => {
    if (seen.has(from)) return
    seen.add(from)
    for (const [, target = ''] of content.matchAll(IMPORT)) {
      if (/^(?:[a-z]+:)?\/\//i.test(target)) continue
      if (!/^[./]/.test(target)) {
        found.add(stylePart(target))
        continue
      }
      const name = target.startsWith('/') ? target : joinPath(folderOf(from), target)
      for (const candidate of [name, `${name}.css`]) {
        const included = files.get(candidate)
        if (typeof included === 'string') read(candidate, included)
      }
    }
    for (const [, plugin = ''] of content.matchAll(PLUGIN)) if (!/^[./]/.test(plugin)) found.add(plugin)
  }
  read(path, text)
  return [...found].toSorted()
}
