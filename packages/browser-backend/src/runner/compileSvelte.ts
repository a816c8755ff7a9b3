import type { CompiledForeignFile } from '../common/messages.ts'

export interface SvelteCompiler {
  compile(
    text: string,
    options: { filename: string; generate: 'client'; dev: boolean; css: 'external'; hmr: boolean },
  ): { js: { code: string; map?: unknown }; css: { code: string } | null }
}

/** Compiles a Svelte component; Svelte writes itself what takes in a new version of it. */
export function compileSvelte(compiler: SvelteCompiler, path: string, text: string): CompiledForeignFile {
  const { js, css } = compiler.compile(text, {
    filename: path,
    generate: 'client',
    dev: true,
    css: 'external',
    hmr: true,
  })
  return { script: js.code, css: css?.code ?? '', ...(js.map ? { map: JSON.stringify(js.map) } : {}) }
}
