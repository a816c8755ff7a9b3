import type { EditorConfigSection } from './editorConfigText.ts'

/** How a text is indented. */
export interface Indentation {
  insertSpaces: boolean
  /** Columns; undefined when nothing says it, and the text itself has to. */
  size: number | undefined
}

const DEFAULT_TAB_SIZE = 2

/** What the sections that mean a file say together, the later ones above the earlier; undefined when they say nothing about it. */
export function indentationOf(sections: readonly EditorConfigSection[]): Indentation | undefined {
  let style: 'space' | 'tab' | undefined
  let size: number | undefined
  for (const { properties } of sections) {
    const named = properties.get('indent_style')?.toLowerCase()
    if (named === 'space' || named === 'tab') style = named
    size = sizeIn(properties.get('indent_size')) ?? sizeIn(properties.get('tab_width')) ?? size
  }
  if (style === undefined && size === undefined) return undefined
  return { insertSpaces: style !== 'tab', size: size ?? (style === 'tab' ? DEFAULT_TAB_SIZE : undefined) }
}

function sizeIn(value: string | undefined): number | undefined {
  return value !== undefined && /^[1-9]\d?$/.test(value) ? Number(value) : undefined
}
