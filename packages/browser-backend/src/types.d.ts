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
declare module 'babel-preset-solid' {
  import type { PluginItem } from '@babel/core'
  const preset: PluginItem
  export default preset
}
declare module 'solid-refresh/babel' {
  import type { PluginItem } from '@babel/core'
  const plugin: PluginItem
  export default plugin
}
declare module 'react-refresh/runtime' {
  export function injectIntoGlobalHook(target: Window): void
  export function register(type: unknown, id: string): void
  export function createSignatureFunctionForTransform(): (...given: unknown[]) => unknown
  /** All versions of one component. */
  export interface Family {
    current: unknown
  }
  /** Components that keep their state, and those that can't. */
  export interface RefreshUpdate {
    updatedFamilies: ReadonlySet<Family>
    staleFamilies: ReadonlySet<Family>
  }
  /** Null when there is nothing new. */
  export function performReactRefresh(): RefreshUpdate | null
  export function getFamilyByType(type: unknown): Family | undefined
  export function isLikelyComponentType(value: unknown): boolean
}

/** As Vite has it: the texts of files that are there when it is built. */
interface ImportMeta {
  glob<T>(pattern: string, options: { eager: true; query: string; import: string }): Record<string, T>
}

// The modules of Node as packages have them; programs take them as they come.
declare module 'readable-stream/lib/ours/browser.js'
declare module 'util/util.js'
declare module 'url/url.js'
declare module 'assert/build/assert.js'
declare module 'assert/build/internal/util/comparisons.js'
declare module 'browserify-zlib'
declare module 'buffer/index.js' {
  export const Buffer: BufferConstructor
  export const kMaxLength: number
  const all: { Buffer: BufferConstructor; kMaxLength: number }
  export default all
}
declare module 'events/events.js' {
  type Listener = (...given: never[]) => void
  /** As far as it is used here; programs have all of it. */
  export default class EventEmitter {
    static defaultMaxListeners: number
    on(name: string | symbol, listener: Listener): this
    once(name: string | symbol, listener: Listener): this
    off(name: string | symbol, listener: Listener): this
    emit(name: string | symbol, ...given: unknown[]): boolean
  }
}
declare module 'path-browserify' {
  const path: {
    resolve(...paths: string[]): string
    relative(from: string, to: string): string
    basename(path: string): string
    dirname(path: string): string
  }
  export default path
}
