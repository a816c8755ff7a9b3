import { expect, it } from 'vitest'
import { portToShow } from './portToShow.ts'
import { previewHost } from './previewHost.ts'

const base = 'boxyard.localhost:4100'

it('WB1020: knows the previews of this installation by their host', () => {
  expect(previewHost('abc-5173.preview.boxyard.localhost:4100', base)).toEqual({ id: 'abc', port: 5173 })
  expect(previewHost('abc-5173', base)).toEqual({ id: 'abc', port: 5173 })
  expect(previewHost('a-b-80', base)).toEqual({ id: 'a-b', port: 80 })
})

it('WB1020: takes no other host for one', () => {
  const others = [
    '',
    'abc',
    'abc-',
    'abc-0',
    'abc-65536',
    '-80',
    'abc-5173.preview.example.org',
    'example.org',
    'abc-80/../x',
    'abc-80@evil.org',
  ]
  for (const host of others) expect([host, previewHost(host, base)]).toEqual([host, null])
})

const port = (number: number) => ({ port: number, url: '' })
const task = (preview: number | undefined, open: readonly number[] = []) => ({
  ...(preview === undefined ? {} : { preview: { port: preview } }),
  ports: open.map(port),
})

it('WB1020: shows the port that a task names, else one that a task opened, else any that is open', () => {
  expect(portToShow([task(undefined, [4000]), task(3000)], [port(4000), port(3000)])).toBe(3000)
  expect(portToShow([task(undefined), task(undefined, [4000])], [port(9000), port(4000)])).toBe(4000)
  expect(portToShow([task(undefined)], [port(9000)])).toBe(9000)
  expect(portToShow([], [])).toBeUndefined()
  // It is shown when it answers.
  expect(portToShow([task(3000)], [])).toBeUndefined()
})
