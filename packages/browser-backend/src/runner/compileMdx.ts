/** What of the package `@mdx-js/mdx` is used here. */
export interface MdxCompiler {
  compile(
    file: { path: string; value: string },
    options: { jsxImportSource: string; development: boolean },
  ): Promise<{ value: unknown }>
}

/** Compiles MDX to a script whose default export is the component. */
export async function compileMdx(
  compiler: MdxCompiler,
  path: string,
  text: string,
  jsxImportSource: string,
): Promise<{ script: string; css: string }> {
  const made = await compiler.compile({ path, value: text }, { jsxImportSource, development: false })
  return { script: String(made), css: '' }
}
