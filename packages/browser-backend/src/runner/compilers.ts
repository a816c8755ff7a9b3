import { compileSass } from './compileSass.ts'
import type { SassCompiler } from './compileSass.ts'
import { compileSvelte } from './compileSvelte.ts'
import type { SvelteCompiler } from './compileSvelte.ts'
import { compileVue } from './compileVue.ts'
import type { VueCompiler } from './compileVue.ts'
import { runCompiler } from './runCompiler.ts'
import type { CompileRequest } from './runCompiler.ts'

function compile(compiler: unknown, { kind, path, text, files }: CompileRequest) {
  switch (kind) {
    case 'vue':
      return compileVue(compiler as VueCompiler, path, text)
    case 'svelte':
      return compileSvelte(compiler as SvelteCompiler, path, text)
    case 'sass':
      return compileSass(compiler as SassCompiler, path, text, files)
    case 'mdx':
      throw new Error('MDX is compiled by the page itself')
  }
}

self.onmessage = async ({ data }: MessageEvent<CompileRequest & { packs: string }>) => {
  const { packs, ...request } = data
  self.postMessage(await runCompiler(request, packs, compile))
}
