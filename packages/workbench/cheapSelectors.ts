import type { Plugin } from 'vite'

const ACTIONS = 'vs/platform/actionWidget/browser/actionWidget.css'
const ACTION_LIST = 'vs/platform/actionWidget/browser/actionList.js'
const VIEWS = 'vs/workbench/browser/parts/views/media/views.css'
const MARKDOWN = 'vs/editor/browser/widget/markdownRenderer/browser/renderedMarkdown.css'

/**
 * Styles of VS Code's that ask, by `:has()`, after an attribute of what is inside an element. Blink then looks through the page whenever an
 * element comes or goes anywhere, and whenever such an attribute changes: some 0.6 ms and 1.2 ms each in an open editor, and a key does a
 * dozen of the one and a handful of the other. What stands in their place gives the same elements the same looks.
 */
const REWRITTEN = [
  // No other field is let into a text in Markdown.
  { file: MARKDOWN, from: 'li:has(input[type=checkbox])', to: 'li:has(input)' },
  { file: ACTIONS, from: '&:has(.detail:not([style*="display: none"]))', to: '&.has-detail' },
  {
    file: ACTION_LIST,
    from: 'data.detail.style.display = "";',
    to: 'data.detail.style.display = ""; data.container.classList.add("has-detail");',
  },
  {
    file: ACTION_LIST,
    from: 'data.detail.style.display = "none";',
    to: 'data.detail.style.display = "none"; data.container.classList.remove("has-detail");',
  },
  {
    // The actions of a row of a tree are inside its label.
    file: VIEWS,
    from: '.monaco-list-row:has(.monaco-icon-label[class*="monaco-decoration-"]) .actions',
    to: '.monaco-list-row .monaco-icon-label[class*="monaco-decoration-"] .actions',
  },
]

/** `:has()` with what changes all the time: attributes, and whether anything is inside. */
const COSTLY = /:has\((?:[^(){};]|\([^(){};]*\)|\()*?(?:\[|:empty)/

/** What is written of a file of VS Code's in the place of what it has; undefined when there is nothing to rewrite. */
export function rewritten(path: string, code: string): string | undefined {
  const changes = REWRITTEN.filter(({ file }) => path.endsWith(file))
  if (changes.length === 0) return undefined
  for (const { file, from } of changes) {
    if (code.split(from).length !== 2)
      throw new Error(`${file} no longer contains "${from}" once; see cheapSelectors.ts`)
  }
  return changes.reduce((text, { from, to }) => text.replace(from, to), code)
}

/** The beginning of a costly selector in a style sheet. */
export function costlySelector(css: string): string | undefined {
  return COSTLY.exec(css)?.[0]
}

/** Puts cheap selectors in the place of costly ones; the build fails when one is not found, as after an upgrade, or a new one came. */
export function cheapSelectors(): Plugin {
  const seen = new Set<string>()
  return {
    name: 'boxyard:cheap-selectors',
    enforce: 'pre',
    transform(source, id) {
      const path = id.split('?')[0]!
      const code = rewritten(path, source)
      if (code === undefined) return null
      seen.add(path)
      return { code, map: null }
    },
    generateBundle(_options, bundle) {
      if (this.environment.name !== 'client') return
      for (const { file } of REWRITTEN) {
        if (![...seen].some((path) => path.endsWith(file))) {
          this.error(`${file} was not part of the build; see cheapSelectors.ts`)
        }
      }
      for (const output of Object.values(bundle)) {
        if (output.type !== 'asset' || !output.fileName.endsWith('.css')) continue
        const costly = costlySelector(String(output.source))
        if (costly) this.error(`${output.fileName} has a costly selector, "${costly}"; see cheapSelectors.ts`)
      }
    },
  }
}
