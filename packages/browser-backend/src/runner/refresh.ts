/// <reference path="../types.d.ts" />
import {
  createSignatureFunctionForTransform,
  injectIntoGlobalHook,
  isLikelyComponentType,
  performReactRefresh,
  register,
} from 'react-refresh/runtime'
import { followPreact } from './preactRefresh.ts'
import type { PreactOptions } from './preactRefresh.ts'

export interface Refresh {
  /** What the code of one module registers its components with. */
  of(id: string): { register(type: unknown, name: string): void; signature(): unknown }
  /** Whether all that the module exports are components, so that new ones can take the place of old ones. */
  isBoundary(exports: Readonly<Record<string, unknown>>, id: string): boolean
  perform(): void
  /** Preact says nothing by itself: its options are handed over before it shows anything. */
  usePreact(options: PreactOptions): void
}

/** The part of React's hook for its tools by which it says that it can be refreshed. */
interface ReactHook {
  inject(renderer: { setRefreshHandler?: unknown }): unknown
}

/** Fast refresh of React and Preact. Has to be there before React DOM is. */
export function startRefresh(page: Window): Refresh {
  injectIntoGlobalHook(page)
  const registered = new Set<string>()
  let refreshPreact: ReturnType<typeof followPreact> | undefined
  let hasReact = false
  const hook = (page as unknown as { __REACT_DEVTOOLS_GLOBAL_HOOK__: ReactHook }).__REACT_DEVTOOLS_GLOBAL_HOOK__
  const inject = hook.inject.bind(hook)
  hook.inject = (renderer) => {
    hasReact ||= typeof renderer.setRefreshHandler === 'function'
    return inject(renderer)
  }
  return {
    of: (id) => ({
      register(type, name) {
        registered.add(id)
        register(type, `${id} ${name}`)
      },
      signature: createSignatureFunctionForTransform,
    }),
    isBoundary(exports, id) {
      // Whatever else takes these components would go on showing the old ones.
      if (!hasReact && !refreshPreact) return false
      const values = Object.values(exports)
      return registered.has(id) && values.length > 0 && values.every(isLikelyComponentType)
    },
    perform() {
      const update = performReactRefresh()
      if (update) refreshPreact?.(update)
    },
    usePreact(options) {
      refreshPreact ??= followPreact(options)
    },
  }
}
