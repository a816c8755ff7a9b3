import { packRequestSchema } from '@boxyard/packer'
import type { PackRequest } from '@boxyard/packer'
import { posix } from 'node:path'
import { declaredDependencies } from './declaredDependencies.ts'
import type { ProjectFiles } from './projectFiles.ts'

/** What is larger is left to the compiler. Characters. */
const MAX_TEXT = 1024 * 1024
const SCRIPTS = /\.(?:[jt]sx?|m[jt]s)$/
const ENDINGS = ['', '.tsx', '.ts', '.jsx', '.js', '.mts', '.mjs', '/index.tsx', '/index.ts', '/index.jsx', '/index.js']
const ENTRIES = ['/src/index', '/src/main', '/index', '/main', '/src/App'].flatMap((name) =>
  ['.tsx', '.ts', '.jsx', '.js', '.mjs'].map((ending) => name + ending),
)
// Each looks no further than a line or two from where it begins: nobody can write a text that takes long to look through.
const IMPORTS = /\b(?:from|import)\s{0,99}(?:\(\s{0,99})?(['"])([^'"\n]{1,300})\1/g
const TYPE_IMPORTS = /\b(?:import|export)\s{1,9}type\s[^'";=]{0,500}\bfrom\s{0,9}(['"])[^'"\n]{1,300}\1/g
const PAGE_SCRIPTS = /<script\b([^>]{0,500})>/g
/** Where JSX comes from elsewhere, and where more is asked for than what scripts import. */
const OTHER_WAYS = /jsxImportSource|import\.meta\.glob/
/** Style sheets with a compiler that asks for packages too. */
const COMPILED_STYLE = /@(?:import|tailwind|apply)\b/

/**
 * What the preview of a project will most probably ask the packer for, by what its scripts seem to import: found in a moment, without a
 * compiler. Null where they say it in ways that take one.
 */
export function guessPack(project: ProjectFiles): PackRequest | null {
  const files = new Map(project)
  const declared = declaredDependencies(files.get('/package.json') ?? '')
  if (!('react' in declared) && ('preact' in declared || 'solid-js' in declared)) return null
  const specifiers = new Set<string>()
  const waiting = entriesOf(files)
  const seen = new Set<string>()
  let length = 0
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const text = files.get(path)
    if (seen.has(path) || typeof text !== 'string') continue
    seen.add(path)
    length += text.length
    if (length > MAX_TEXT) return null
    if (!SCRIPTS.test(path)) {
      if (/\.(?:css|json|svg)$/.test(path) && !COMPILED_STYLE.test(text)) continue
      return null
    }
    if (OTHER_WAYS.test(text)) return null
    if (path.endsWith('x') ? /<[A-Za-z>]/.test(text) : /<\/|\/>/.test(text)) specifiers.add('react/jsx-dev-runtime')
    for (const specifier of importsOf(text)) {
      if (!/^[./]/.test(specifier)) {
        specifiers.add(specifier)
        continue
      }
      const file = posix.resolve(posix.dirname(path), specifier)
      const found = ENDINGS.map((ending) => file + ending).find((name) => files.has(name))
      if (found === undefined) return null
      waiting.push(found)
    }
  }
  const isDeclared = (specifier: string) =>
    Object.hasOwn(declared, specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'))
  if (specifiers.size === 0 || ![...specifiers].every(isDeclared)) return null
  return packRequestSchema.safeParse({ dependencies: declared, specifiers: [...specifiers] }).data ?? null
}

function entriesOf(files: ReadonlyMap<string, string | null>): string[] {
  const html = files.get('/index.html')
  if (typeof html !== 'string') return ENTRIES.filter((name) => files.has(name)).slice(0, 1)
  return [...html.matchAll(PAGE_SCRIPTS)].flatMap(([, attributes = '']) => {
    const source = /\bsrc="([^"]+)"/.exec(attributes)?.[1]
    return source !== undefined && attributes.includes('module') ? [posix.resolve('/', source)] : []
  })
}

function importsOf(text: string): string[] {
  return [...text.replace(TYPE_IMPORTS, '').matchAll(IMPORTS)].map(([, , specifier = '']) => specifier)
}
