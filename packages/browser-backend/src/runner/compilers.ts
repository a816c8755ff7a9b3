import type { CompiledForeignFile } from '../common/messages.ts'
import { compilePostcss } from './compilePostcss.ts'
import type { PostcssCompiler } from './compilePostcss.ts'
import { compileSass } from './compileSass.ts'
import type { SassCompiler } from './compileSass.ts'
import type { compileSolid } from './compileSolid.ts'
import { compileSvelte } from './compileSvelte.ts'
import type { SvelteCompiler } from './compileSvelte.ts'
import { TailwindSheets } from './compileTailwind.ts'
import type { TailwindCompiler } from './compileTailwind.ts'
import { compileVue } from './compileVue.ts'
import type { VueCompiler } from './compileVue.ts'
import { process } from './noProcess.ts'
import { loadPart, runCompiler } from './runCompiler.ts'
import type { CompileRequest } from './runCompiler.ts'

/** Of Solid, which is only fetched when a project needs it. */
const SOLID = new URL('./solid.js', import.meta.url).href
const sheets = new TailwindSheets()

self.onmessage = async ({ data }: MessageEvent<CompileRequest & { packs: string }>) => {
  const { packs, ...request } = data
  const compile = (compiler: unknown): CompiledForeignFile | Promise<CompiledForeignFile> => {
    const { kind, path, text, map, files } = request
    switch (kind) {
      case 'vue':
        return compileVue(compiler as VueCompiler, path, text)
      case 'svelte':
        return compileSvelte(compiler as SvelteCompiler, path, text)
      case 'sass':
        return compileSass(compiler as SassCompiler, path, text, files)
      case 'tailwind':
        return sheets.compile(compiler as TailwindCompiler, request, packageParts(request, packs))
      case 'postcss':
        return compilePostcss(compiler as PostcssCompiler, request, (name) => loadPlugin(request, name, packs))
      case 'solid':
        return (import(/* @vite-ignore */ SOLID) as Promise<{ compileSolid: typeof compileSolid }>).then((own) =>
          own.compileSolid(path, text, map),
        )
      case 'mdx':
        throw new Error('MDX is compiled by the page itself')
    }
  }
  self.postMessage(await runCompiler(request, packs, compile))
}

/** Plug-ins of PostCSS are written for Node, and look at its settings. */
function loadPlugin({ compiler }: CompileRequest, name: string, packs: string): Promise<Record<string, unknown>> {
  Object.assign(globalThis, { process })
  return loadPart(compiler!.pack, name, packs)
}

/** What style sheets may use of the pack of their compiler. */
function packageParts({ compiler }: CompileRequest, packs: string) {
  const pack = compiler!.pack
  return {
    pack: pack.id,
    async sheet(specifier: string): Promise<string> {
      const css = pack.imports[specifier]?.css
      if (!css) throw new Error(`"${specifier}" is no style sheet of a package of this project`)
      const response = await fetch(`${packs}${pack.id}/${css}`)
      if (!response.ok) throw new Error(`"${specifier}" could not be fetched (${response.status})`)
      return response.text()
    },
    module: (specifier: string) => loadPart(pack, specifier, packs),
  }
}
