import type { CompiledForeignFile } from '../common/messages.ts'
import { vueFailure } from './vueFailure.ts'

interface Block {
  content: string
  lang?: string
  scoped?: boolean
  /** Where its content is in the component. */
  loc?: { start: { line: number } }
  /** From the block to the component. */
  map?: unknown
}
interface Descriptor {
  script: Block | null
  scriptSetup: Block | null
  template: Block | null
  styles: Block[]
  slotted: boolean
}
export interface VueCompiler {
  parse(text: string, options: { filename: string }): { descriptor: Descriptor; errors: Error[] }
  compileScript(
    descriptor: Descriptor,
    options: { id: string; inlineTemplate: boolean; genDefaultAs: string },
  ): { content: string; bindings?: Record<string, unknown>; map?: unknown }
  compileTemplate(options: object): { code: string; errors: (Error | string)[]; map?: unknown }
  compileStyle(options: { source: string; filename: string; id: string; scoped: boolean }): {
    code: string
    errors: Error[]
  }
}

/** Compiles a single-file component. A new template alone keeps the state of what is shown; a new script starts it again. */
export function compileVue(compiler: VueCompiler, path: string, text: string): CompiledForeignFile {
  const { descriptor, errors } = compiler.parse(text, { filename: path })
  if (errors[0]) throw vueFailure(errors[0])
  const { script, scriptSetup, template, styles } = descriptor
  const id = hashOf(path)
  const scope = `data-v-${id}`
  const isScoped = styles.some(({ scoped }) => scoped)
  const language = scriptSetup?.lang ?? script?.lang
  const made = script || scriptSetup ? scriptOf(compiler, descriptor, scope) : { content: 'const __component = {}' }
  const sections: { offset: { line: number; column: number }; map: unknown }[] = []
  if ('map' in made && made.map) sections.push({ offset: { line: 0, column: 0 }, map: made.map })
  let render = ''
  if (template) {
    const compiled = compiler.compileTemplate({
      source: template.content,
      filename: path,
      id: scope,
      scoped: isScoped,
      slotted: descriptor.slotted,
      inMap: template.map,
      compilerOptions: {
        bindingMetadata: 'bindings' in made ? made.bindings : undefined,
        expressionPlugins: language === 'ts' || language === 'tsx' ? ['typescript'] : [],
      },
    })
    if (compiled.errors[0]) throw vueFailure(compiled.errors[0])
    if (compiled.map) sections.push({ offset: { line: made.content.split('\n').length, column: 0 }, map: compiled.map })
    render = `${compiled.code.replace('export function render(', 'function __render(')}\n__component.render = __render`
  }
  const css = styles.map((style) => {
    if (style.lang !== undefined && style.lang !== 'css')
      throw new Error(`Styles in ${style.lang} can not be compiled in the browser yet`)
    const compiled = compiler.compileStyle({
      source: style.content,
      filename: path,
      id: scope,
      scoped: style.scoped === true,
    })
    if (compiled.errors[0]) throw vueFailure(compiled.errors[0], style.loc?.start.line)
    return compiled.code
  })
  const code = `${made.content}
${render}
__component.__file = ${JSON.stringify(path)}
__component.__hmrId = ${JSON.stringify(id)}
${isScoped ? `__component.__scopeId = ${JSON.stringify(scope)}` : ''}
if (import.meta.hot) {
  const hot = globalThis.__VUE_HMR_RUNTIME__
  hot?.createRecord(${JSON.stringify(id)}, __component)
  __component.__script = ${JSON.stringify(hashOf(made.content))}
  import.meta.hot.accept((next) => {
    const isSameScript = next.default.__script === __component.__script
    if (isSameScript) hot?.rerender(${JSON.stringify(id)}, next.default.render)
    else hot?.reload(${JSON.stringify(id)}, next.default)
  })
}
export default __component`
  const map = sections.length === 0 ? {} : { map: JSON.stringify({ version: 3, sections }) }
  return { script: code, css: css.join('\n'), ...map }
}

function scriptOf(compiler: VueCompiler, descriptor: Descriptor, id: string): ReturnType<VueCompiler['compileScript']> {
  try {
    return compiler.compileScript(descriptor, { id, inlineTemplate: false, genDefaultAs: '__component' })
  } catch (error) {
    throw vueFailure(error)
  }
}

function hashOf(text: string): string {
  let hash = 5381
  for (let index = 0; index < text.length; index += 1) hash = (hash * 33) ^ text.charCodeAt(index)
  return (hash >>> 0).toString(36)
}
