import { Glob } from '../files/Glob.ts'
import { parseEditorConfig, type EditorConfigSection } from './editorConfigText.ts'

interface KnownFile {
  /** Undefined when there is none. */
  text: string | undefined
  isRoot: boolean
  sections: readonly { section: EditorConfigSection; glob: Glob }[]
}

export interface EditorConfigFilesOptions {
  workspacePath: string
  /** @returns undefined when there is no such file. */
  read(path: string): Promise<string | undefined>
}

/** The `.editorconfig` files of a workspace, as far as somebody has asked about a file below them. */
export class EditorConfigFiles {
  readonly #options: EditorConfigFilesOptions
  readonly #known = new Map<string, Promise<KnownFile>>()

  constructor(options: EditorConfigFilesOptions) {
    this.#options = options
  }

  /** Whether what happened at `path` may have changed an answer. */
  concerns(path: string): boolean {
    if (path.endsWith('/.editorconfig')) return true
    return [...this.#known.keys()].some((folder) => folder === path || folder.startsWith(`${path}/`))
  }

  /** The sections that mean a file of the workspace, those of folders further out first: what comes later counts. */
  async sectionsFor(path: string): Promise<EditorConfigSection[]> {
    const folders = this.#foldersAbove(path)
    const files = await Promise.all(folders.map((folder) => this.#file(folder)))
    const root = files.findLastIndex(({ isRoot }) => isRoot)
    return files.flatMap(({ sections }, index) => {
      if (index < root) return []
      const relative = path.slice(folders[index]!.length + 1)
      return sections.filter(({ glob }) => glob.matches(relative)).map(({ section }) => section)
    })
  }

  /** Reads them again. @returns whether one of them says something else than before */
  async refresh(): Promise<boolean> {
    const changes = await Promise.all(
      [...this.#known].map(async ([folder, before]) => {
        const { text } = await before
        const read = await this.#options.read(`${folder}/.editorconfig`)
        if (read === text) return false
        this.#known.set(folder, Promise.resolve(knownFile(read)))
        return true
      }),
    )
    return changes.includes(true)
  }

  /** From the workspace inwards. */
  #foldersAbove(path: string): string[] {
    const { workspacePath } = this.#options
    if (!path.startsWith(`${workspacePath}/`)) return []
    const folders = [workspacePath]
    for (const name of path
      .slice(workspacePath.length + 1)
      .split('/')
      .slice(0, -1))
      folders.push(`${folders.at(-1)!}/${name}`)
    return folders
  }

  #file(folder: string): Promise<KnownFile> {
    const known = this.#known.get(folder)
    if (known) return known
    const reading = this.#options.read(`${folder}/.editorconfig`).then(knownFile)
    this.#known.set(folder, reading)
    // Asked again the next time.
    reading.catch(() => this.#known.delete(folder))
    return reading
  }
}

function knownFile(text: string | undefined): KnownFile {
  const { isRoot, sections } = parseEditorConfig(text ?? '')
  return { text, isRoot, sections: sections.map((section) => ({ section, glob: new Glob(section.glob) })) }
}
