import { expect, it, vi } from 'vitest'
import { startRefresh } from './refresh.ts'
import type { PreactComponent, PreactHook, PreactNode, PreactOptions } from './preactRefresh.ts'

type Signature = (type: unknown, key: string) => unknown

/** What was registered stays as long as the runtime does: each page has a file of its own. */
let files = 0

/** A page with one module that exports `App`, and with what Preact has inside for it. */
function begin() {
  const page = {} as Window & { __REACT_DEVTOOLS_GLOBAL_HOOK__: { inject(renderer: object): unknown } }
  const refresh = startRefresh(page)
  const options: PreactOptions = {}
  const file = `/App${++files}.tsx`
  /** Runs the module, with hooks that `key` stands for. */
  const run = (App: () => string, key = '') => {
    const { register, signature } = refresh.of(file)
    ;(signature() as Signature)(App, key)
    register(App, 'App')
    return { App }
  }
  /** Shows a component, as Preact tells of it. */
  const show = (type: unknown, hooks: PreactHook[] = []) => {
    const node: PreactNode = { type }
    options.vnode!(node)
    const component: PreactComponent = { constructor: node.type, __v: node, __H: { __: hooks }, forceUpdate: vi.fn() }
    node.__c = component
    options.diffed!(node)
    return component
  }
  return { page, refresh, options, file, run, show }
}

it('BB984: components are refreshed where React or Preact shows them, and by nothing else', () => {
  const { page, refresh, options, file, run } = begin()
  const One = () => 'one'
  const exports = run(One)
  expect(refresh.isBoundary(exports, file)).toBe(false)
  page.__REACT_DEVTOOLS_GLOBAL_HOOK__.inject({})
  expect(refresh.isBoundary(exports, file)).toBe(false)
  page.__REACT_DEVTOOLS_GLOBAL_HOOK__.inject({ setRefreshHandler: () => undefined })
  expect(refresh.isBoundary(exports, file)).toBe(true)
  expect(refresh.isBoundary({ ...exports, more: 1 }, file)).toBe(false)
  const other = begin()
  other.refresh.usePreact(options)
  expect(other.refresh.isBoundary(other.run(One), other.file)).toBe(true)
})

it('BB984: a new version of a component of Preact keeps its state and its refs, and makes its effects anew', () => {
  const { refresh, options, run, show } = begin()
  const said: string[] = []
  options.vnode = () => said.push('before')
  refresh.usePreact(options)
  const One = () => 'one'
  const Two = () => 'two'
  run(One, 'useState')
  const end = vi.fn()
  const hooks: PreactHook[] = [
    { __: [7, () => undefined] },
    { __: { current: 'kept' }, __H: [] },
    { __: 'remembered', __H: [] },
    { __: () => end, __c: end, __H: [] },
  ]
  const shown = show(One, hooks)
  const gone = show(One)
  options.unmount!(gone.__v)
  run(Two, 'useState')
  refresh.perform()
  expect([shown.constructor, shown.__v.type]).toEqual([Two, Two])
  expect(shown.__H!.__.map(({ __H }) => __H)).toEqual([undefined, [], undefined, undefined])
  expect(shown.__H!.__[0]!.__).toBe(hooks[0]!.__)
  expect(end).not.toHaveBeenCalled()
  expect(shown.forceUpdate).toHaveBeenCalledOnce()
  expect(gone.forceUpdate).not.toHaveBeenCalled()
  // Who still holds the version before shows the new One.
  expect(show(One).constructor).toBe(Two)
  expect(said).toEqual(['before', 'before', 'before'])
})

it('BB984: a component of Preact with other hooks begins anew, and its effects end', () => {
  const { refresh, options, run, show } = begin()
  refresh.usePreact(options)
  const One = () => 'one'
  const Two = () => 'two'
  run(One, 'useState')
  const end = vi.fn()
  const shown = show(One, [
    { __: [7, () => undefined], __c: {} },
    { __: () => end, __c: end, __H: [] },
  ])
  run(Two, 'useState useRef')
  refresh.perform()
  expect(shown.__H).toBeUndefined()
  expect(end).toHaveBeenCalledOnce()
  expect([shown.constructor, shown.forceUpdate]).toEqual([Two, expect.objectContaining({ mock: expect.anything() })])
  expect(shown.forceUpdate).toHaveBeenCalledOnce()
})
