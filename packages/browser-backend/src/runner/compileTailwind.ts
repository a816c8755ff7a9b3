import { stylePart } from '../common/stylePart.ts'
import { folderOf, joinPath } from '../common/projectFiles.ts'

/** What of the package `tailwindcss` is used here, from version 4 on. */
export interface TailwindCompiler {
  compile(
    css: string,
    options: {
      base: string
      loadStylesheet(id: string, base: string): Promise<{ path: string; base: string; content: string }>
      loadModule(id: string, base: string): Promise<{ path: string; base: string; module: unknown }>
    },
  ): Promise<{ build(classes: string[]): string }>
}

/** What style sheets may use of packages, all of one pack. */
export interface PackageParts {
  /** Its id. */
  pack: string
  sheet(specifier: string): Promise<string>
  module(specifier: string): Promise<Record<string, unknown>>
}

export interface TailwindSheet {
  path: string
  text: string
  /** The style sheets of the project, by path. */
  files: ReadonlyMap<string, string>
  classes: readonly string[]
}

interface Kept {
  pack: string
  text: string
  includes: ReadonlyMap<string, string>
  built: { build(classes: string[]): string }
}

/** Compiles style sheets for Tailwind CSS. A sheet that is as it was only gets the styles of further classes. */
export class TailwindSheets {
  readonly #kept = new Map<string, Kept>()

  async compile(
    compiler: TailwindCompiler,
    sheet: TailwindSheet,
    parts: PackageParts,
  ): Promise<{ script: string; css: string; includes: string[] }> {
    const { path, text, files, classes } = sheet
    const known = this.#kept.get(path)
    const isSame =
      known?.pack === parts.pack &&
      known.text === text &&
      [...known.includes].every(([name, content]) => files.get(name) === content)
    const kept = isSame ? known : await this.#begin(compiler, sheet, parts)
    this.#kept.set(path, kept)
    return { script: '', css: kept.built.build([...classes]), includes: [...kept.includes.keys()] }
  }

  async #begin(compiler: TailwindCompiler, { path, text, files }: TailwindSheet, parts: PackageParts): Promise<Kept> {
    const includes = new Map<string, string>()
    const built = await compiler.compile(text, {
      base: folderOf(path),
      async loadStylesheet(id, base) {
        if (!/^[./]/.test(id)) return { path: id, base, content: await parts.sheet(stylePart(id)) }
        const name = id.startsWith('/') ? id : joinPath(base, id)
        const found = [name, `${name}.css`].find((candidate) => files.has(candidate))
        if (found === undefined) throw new Error(`"${id}" is not there. Check the path and the name of the file.`)
        const content = files.get(found)!
        includes.set(found, content)
        return { path: found, base: folderOf(found), content }
      },
      async loadModule(id, base) {
        if (/^[./]/.test(id)) {
          throw new Error(
            `"${id}" is a script of the project. In the browser, settings of Tailwind CSS are written in CSS, with @theme and @utility.`,
          )
        }
        const module = await parts.module(id)
        return { path: id, base, module: module['default'] ?? module }
      },
    })
    return { pack: parts.pack, text, includes, built }
  }
}
