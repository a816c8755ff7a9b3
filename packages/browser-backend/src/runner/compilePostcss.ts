import type { ForeignPlugin } from '../common/messages.ts'

/** What of the package `postcss` is used here. */
export interface PostcssCompiler {
  default(plugins: readonly unknown[]): {
    process(text: string, options: { from: string; map: false }): PromiseLike<{ css: string }> & StyleWork
  }
}

interface StyleWork {
  /** `lastPlugin`: which one has worked last. */
  result: { lastPlugin?: { postcssPlugin?: string } }
}

/** Has the plug-ins of PostCSS that a project names change a style sheet. `load` gives one as a namespace. */
export async function compilePostcss(
  compiler: PostcssCompiler,
  { path, text, plugins }: { path: string; text: string; plugins: readonly ForeignPlugin[] },
  load: (name: string) => Promise<Record<string, unknown>>,
): Promise<{ script: string; css: string }> {
  const made: unknown[] = []
  for (const { name, options } of plugins) made.push(await makePlugin(name, options, load))
  const work = compiler.default(made).process(text, { from: path, map: false })
  try {
    const { css } = await work
    return { script: '', css }
  } catch (error) {
    const { reason, line, column } = error as { reason?: string; line?: number; column?: number }
    // Told with its place, as other compilers do.
    if (reason !== undefined) throw Object.assign(new Error(reason), { reason, place: { line, column } })
    const name = work.result.lastPlugin?.postcssPlugin ?? ''
    throw new Error(`The plug-in "${name}" of PostCSS has failed: ${(error as Error).message}`, { cause: error })
  }
}

async function makePlugin(
  name: string,
  options: unknown,
  load: (name: string) => Promise<Record<string, unknown>>,
): Promise<unknown> {
  try {
    const module = await load(name)
    const make = module['default'] ?? module
    if (typeof make !== 'function') throw new TypeError('it is no plug-in')
    return (make as (options: unknown) => unknown)(options)
  } catch (cause) {
    throw new Error(
      `The plug-in "${name}" of PostCSS can not run in the browser: ${(cause as Error).message}. Take it out of the settings, or convert the sandbox to a devbox.`,
      { cause },
    )
  }
}
