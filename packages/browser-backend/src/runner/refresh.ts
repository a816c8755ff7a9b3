/// <reference path="../types.d.ts" />
import {
  createSignatureFunctionForTransform,
  injectIntoGlobalHook,
  isLikelyComponentType,
  performReactRefresh,
  register,
} from 'react-refresh/runtime'

export interface Refresh {
  /** What the code of one module registers its components with. */
  of(id: string): { register(type: unknown, name: string): void; signature(): unknown }
  /** Whether all that the module exports are components, so that new ones can take the place of old ones. */
  isBoundary(exports: Readonly<Record<string, unknown>>, id: string): boolean
  perform(): void
}

/** Fast refresh of React. Has to be there before React DOM is. */
export function startRefresh(page: Window): Refresh {
  injectIntoGlobalHook(page)
  const registered = new Set<string>()
  return {
    of: (id) => ({
      register(type, name) {
        registered.add(id)
        register(type, `${id} ${name}`)
      },
      signature: createSignatureFunctionForTransform,
    }),
    isBoundary(exports, id) {
      const values = Object.values(exports)
      return registered.has(id) && values.length > 0 && values.every(isLikelyComponentType)
    },
    perform: performReactRefresh,
  }
}
