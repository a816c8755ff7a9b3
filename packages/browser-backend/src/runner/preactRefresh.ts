/// <reference path="../types.d.ts" />
import { getFamilyByType } from 'react-refresh/runtime'
import type { RefreshUpdate } from 'react-refresh/runtime'

// Releases of Preact keep the short names of what is inside, for add-ons like this one; 10 and 11 have the same.

export interface PreactNode {
  type: unknown
  /** Its component. */
  __c?: PreactComponent | null
}
export interface PreactComponent {
  constructor: unknown
  /** Its node. */
  __v: PreactNode
  /** Its hooks. */
  __H?: { __: PreactHook[] } | undefined
  forceUpdate(): void
}
export interface PreactHook {
  /** What it holds. */
  __?: unknown
  /** Of an effect: what ends it. */
  __c?: unknown
  /** What it depends on. */
  __H?: unknown
}
type Listener = (node: PreactNode) => void
export interface PreactOptions {
  vnode?: Listener | undefined
  diffed?: Listener | undefined
  unmount?: Listener | undefined
}

/**
 * Follows which components Preact shows, from before the first one on. Returns what puts new versions of them in their place: with their
 * state, unless their hooks are others now.
 */
export function followPreact(options: PreactOptions): (update: RefreshUpdate) => void {
  const shown = new Set<PreactComponent>()
  const { vnode, diffed, unmount } = options
  options.vnode = (node) => {
    // Lists and closures may still hold the version before.
    node.type = getFamilyByType(node.type)?.current ?? node.type
    vnode?.(node)
  }
  options.diffed = (node) => {
    if (node.__c) shown.add(node.__c)
    diffed?.(node)
  }
  options.unmount = (node) => {
    if (node.__c) shown.delete(node.__c)
    unmount?.(node)
  }
  return ({ updatedFamilies, staleFamilies }) => {
    const changed: PreactComponent[] = []
    for (const component of shown) {
      const family = getFamilyByType(component.__v.type)
      if (!family || !(updatedFamilies.has(family) || staleFamilies.has(family))) continue
      component.__v.type = family.current
      component.constructor = family.current
      if (staleFamilies.has(family)) beginAnew(component)
      else forgetDependencies(component)
      changed.push(component)
    }
    // Not before all of them are new: one of them may show another one.
    for (const component of changed) component.forceUpdate()
  }
}

function beginAnew(component: PreactComponent): void {
  for (const hook of component.__H?.__ ?? []) if (typeof hook.__c === 'function') (hook.__c as () => void)()
  component.__H = undefined
}

/** Effects and what is remembered are made by the new version, whatever they depend on. A ref is remembered too, and keeps what it holds. */
function forgetDependencies(component: PreactComponent): void {
  for (const hook of component.__H?.__ ?? []) if (!isRef(hook.__)) hook.__H = undefined
}

function isRef(held: unknown): boolean {
  return typeof held === 'object' && held !== null && Object.keys(held).join() === 'current'
}
