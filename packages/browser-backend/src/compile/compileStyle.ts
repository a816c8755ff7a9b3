/// <reference path="../types.d.ts" />
import type { Document, Plugin, Root } from 'postcss'
import { CompileError } from './errors.ts'

/** A style sheet as the page gets it. */
export interface CompiledStyle {
  css: string
  /** Style sheets that come before it, as they are imported. */
  imports: readonly string[]
  /** Class names by their name in the file; null for a plain style sheet. */
  classes: Readonly<Record<string, string>> | null
}

export interface StyleContext {
  /** The address that stands for `url(...)` of this file; undefined leaves it as it is. */
  urlOf(reference: string): string | undefined
}

/** Compiles CSS: its imports become imports of modules, its addresses become data, and class names of a module become its own. */
export async function compileStyle(path: string, text: string, context: StyleContext): Promise<CompiledStyle> {
  const isModule = /\.module\.\w+$/.test(path)
  // Most style sheets need nothing of a parser.
  if (!isModule && !/@import|url\(/i.test(text)) return { css: text, imports: [], classes: null }
  const { default: postcss } = await import('postcss')
  const imports: string[] = []
  const readImports: Plugin = {
    postcssPlugin: 'boxyard-imports',
    Once(root) {
      root.walkAtRules('import', (rule) => {
        const target = /^(?:url\(\s*)?(['"]?)([^'")\s]+)\1\s*\)?\s*$/.exec(rule.params)?.[2]
        // What has conditions behind it, or stands on another server, stays an import of the browser.
        if (target === undefined || /^(?:[a-z]+:)?\/\//i.test(target)) return
        imports.push(target)
        rule.remove()
      })
      root.walkDecls((declaration) => {
        if (!/url\(/i.test(declaration.value)) return
        declaration.value = declaration.value.replace(
          /url\(\s*(['"]?)([^'")]+)\1\s*\)/gi,
          (whole, _quote: string, reference: string) => {
            const url = context.urlOf(reference.trim())
            return url === undefined ? whole : `url("${url}")`
          },
        )
      })
    },
  }
  try {
    if (!isModule) {
      const { css } = await postcss([readImports]).process(text, { from: path })
      return { css, imports, classes: null }
    }
    const { default: localByDefault } = await import('postcss-modules-local-by-default')
    const { default: scope } = await import('postcss-modules-scope')
    const mark = shortHash(path)
    const { root } = await postcss([
      readImports,
      localByDefault({ mode: 'local' }),
      scope({ generateScopedName: (name: string) => `${name}_${mark}` }),
    ]).process(text, { from: path })
    return { ...readExports(root), imports }
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'CssSyntaxError') throw error
    const { reason, line, column } = error as Error & { reason: string; line?: number; column?: number }
    throw new CompileError({ message: reason, file: path, line: line ?? null, column: column ?? null })
  }
}

/** `:export` holds the class names, each with those it is composed of. */
function readExports(root: Document | Root) {
  const classes: Record<string, string> = {}
  root.walkRules(':export', (rule) => {
    rule.walkDecls((declaration) => {
      classes[declaration.prop] = declaration.value
    })
    rule.remove()
  })
  return { css: root.toString(), classes }
}

function shortHash(text: string): string {
  let hash = 5381
  for (let index = 0; index < text.length; index += 1) hash = (hash * 33) ^ text.charCodeAt(index)
  return (hash >>> 0).toString(36)
}
