declare module 'postcss-modules-local-by-default' {
  import type { PluginCreator } from 'postcss'
  const creator: PluginCreator<{ mode: 'local' | 'global' | 'pure' }>
  export default creator
}
declare module 'postcss-modules-scope' {
  import type { PluginCreator } from 'postcss'
  const creator: PluginCreator<{ generateScopedName(name: string, path: string, css: string): string }>
  export default creator
}
declare module 'react-refresh/runtime' {
  export function injectIntoGlobalHook(target: Window): void
  export function register(type: unknown, id: string): void
  export function createSignatureFunctionForTransform(): (...given: unknown[]) => unknown
  export function performReactRefresh(): void
  export function isLikelyComponentType(value: unknown): boolean
}

/** As Vite has it: the texts of files that are there when it is built. */
interface ImportMeta {
  glob<T>(pattern: string, options: { eager: true; query: string; import: string }): Record<string, T>
}
