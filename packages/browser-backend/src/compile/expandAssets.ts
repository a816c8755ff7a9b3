import { extensionOf, folderOf, joinPath } from '../common/projectFiles.ts'

const ADDRESS = /(?<!\bWorker\(\s*)\bnew\s+URL\(\s*(["'`])([^"'`$?#]+)\1\s*,\s*import\.meta\.url\s*\)/g
/** Those that are compiled have no address of their own. */
const COMPILED = /^\.(?:[cm]?[jt]sx?|vue|svelte|mdx|s[ac]ss|html)$/

/** Gives `new URL('./picture.png', import.meta.url)` the content of that file, where it is one of the project. */
export function expandAssets(id: string, text: string, has: (path: string) => boolean): string {
  if (!text.includes('import.meta.url')) return text
  const imports: string[] = []
  const expanded = text.replace(ADDRESS, (whole, _quote: string, address: string) => {
    const path = address.startsWith('/') ? joinPath('/', address) : joinPath(folderOf(id), address)
    if (!has(path) || extensionOf(path) === '' || COMPILED.test(extensionOf(path))) return whole
    const name = `__asset_${imports.length}`
    imports.push(`import ${name} from ${JSON.stringify(`${path}?url`)};`)
    return `new URL(${name})`
  })
  // On the first line, so that the lines of the file keep their numbers.
  return imports.join('') + expanded
}
