/** A section of an `.editorconfig`: what it says about the files that its pattern means. */
export interface EditorConfigSection {
  readonly glob: string
  /** Names in small letters. */
  readonly properties: ReadonlyMap<string, string>
}

export interface EditorConfigText {
  /** Files of folders further out say nothing about what is below this one. */
  readonly isRoot: boolean
  readonly sections: readonly EditorConfigSection[]
}

/** Reads the text of an `.editorconfig`. Lines that are neither section, pair nor comment mean nothing. */
export function parseEditorConfig(text: string): EditorConfigText {
  const preamble = new Map<string, string>()
  const sections: { glob: string; properties: Map<string, string> }[] = []
  for (const raw of text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue
    const glob = /^\[(.+)\]\s*(?:[#;].*)?$/.exec(line)?.[1]
    if (glob !== undefined) {
      sections.push({ glob, properties: new Map() })
      continue
    }
    const end = line.search(/[=:]/)
    if (end < 1) continue
    const properties = sections.at(-1)?.properties ?? preamble
    properties.set(line.slice(0, end).trim().toLowerCase(), line.slice(end + 1).trim())
  }
  return { isRoot: preamble.get('root')?.toLowerCase() === 'true', sections }
}
