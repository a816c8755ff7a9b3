import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { expect, it } from 'vitest'
import { compileSolid } from './compileSolid.ts'

it('BB890: compiles the JSX of Solid to its own runtime, with what takes in new versions', async () => {
  const text = `import { createSignal } from 'solid-js'
export function Counter(props) {
  const [count, setCount] = createSignal(0)
  return <button title={props.title} onClick={() => setCount(count() + 1)}>Count is {count()}</button>
}`
  const { script, css, map } = await compileSolid('/src/Counter.jsx', text, undefined)
  expect(script).toMatch(/import \{ template as _\$template \} from "solid-js\/web"/)
  expect(script).toContain('from "solid-refresh"')
  expect(script).toContain('import.meta.hot')
  expect(script).not.toContain('<button title={')
  expect(css).toBe('')
  const line = script.split('\n').findIndex((one) => one.includes('createSignal(0)')) + 1
  const column = script.split('\n')[line - 1]!.indexOf('createSignal(0)')
  expect(originalPositionFor(new TraceMap(map), { line, column })).toMatchObject({
    source: '/src/Counter.jsx',
    line: 3,
  })
})
